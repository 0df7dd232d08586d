//===- VPUInterfaces.td - What passes ask VPU ops ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The narrow interfaces through which passes decide about VPU ops without
// knowing them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUINTERFACES_TD
#define NACRE_DIALECT_VPU_IR_VPUINTERFACES_TD

include "mlir/IR/OpBase.td"

def VPU_TiledOpInterface : OpInterface<"TiledOpInterface"> {
  let cppNamespace = "::nacre::VPU";
  let description = [{
    An op whose iteration domain is its destination and that can compute any
    aligned box of it from boxes of its operands. VPU's implementation of
    upstream's TilingInterface rests on it.
  }];
  let methods = [
    InterfaceMethod<[{
      The box of `operand` that computing the destination's box needs. Failure
      when that box is not expressible with static sizes.
    }], "::llvm::LogicalResult", "getOperandTile", (ins
        "::mlir::OpBuilder &":$builder, "::mlir::OpOperand &":$operand,
        "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
        "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
        "::llvm::SmallVectorImpl<::mlir::OpFoldResult> &":$operandOffsets,
        "::llvm::SmallVectorImpl<::mlir::OpFoldResult> &":$operandSizes)>,
    InterfaceMethod<[{
      Adapts `tiled`, a clone of this op on the operands' boxes, where the op
      depends on the box's position, as few do; called with the box of the
      destination.
    }], "::llvm::LogicalResult", "adaptTile", (ins
        "::mlir::OpBuilder &":$builder, "::mlir::Operation *":$tiled,
        "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
        "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::success();
      }]>
  ];
}

def VPU_NCEOpInterface : OpInterface<"NCEOpInterface", [VPU_TiledOpInterface]> {
  let cppNamespace = "::nacre::VPU";
  let description = [{
    An op of the neural compute engine: what the passes that distribute and
    tile it, and fuse into it, may rely on.
  }];
  let methods = [
    InterfaceMethod<"The fused post-processing",
      "::nacre::VPU::PPEAttr", "getPpe">,
    InterfaceMethod<"Replaces the fused post-processing",
      "void", "setPpeAttr", (ins "::nacre::VPU::PPEAttr":$ppe)>,
    InterfaceMethod<[{
      The operand added before post-processing, when the op can take one; null
      when it cannot. Its range is empty or has one value.
    }], "::std::optional<::mlir::MutableOperandRange>", "getResidualOperand">,
    InterfaceMethod<[{
      Destination dimension split by SplitOverHeight and, when CMX is short,
      tiled first: rows of the image or of the matrix.
    }], "unsigned", "getRowDim">,
    InterfaceMethod<[{
      Destination dimension split by SplitOverKernel: blocks of output channels
      or panels of columns; the innermost dimension where there is one block.
    }], "unsigned", "getBlockDim">,
    InterfaceMethod<[{
      The granularity of tiles along the block dimension: 1 for blocks, the
      panel width where the destination has single columns.
    }], "int64_t", "getBlockStep">,
    InterfaceMethod<[{
      The granularity of tiles along the row dimension at which no work is
      wasted.
    }], "int64_t", "getRowStep", (ins), /*methodBody=*/"", "return 1;">,
    InterfaceMethod<[{
      Multiply-accumulate (or equivalent) operations for the whole op; with
      kTypicalSize for each dynamic size.
    }], "int64_t", "getMacs">,
    InterfaceMethod<[{
      How many of these a cluster of the architecture does in a cycle at best:
      by vectors, or by its matrix unit where the kernel uses it.
    }], "int64_t", "getMacsPerCycle", (ins "::nacre::VPU::ArchAttr":$arch),
      /*methodBody=*/"", [{
        return arch.getVectorMacsPerCycle($_op.getInitType().getElementType());
      }]>
  ];
}

#endif // NACRE_DIALECT_VPU_IR_VPUINTERFACES_TD
