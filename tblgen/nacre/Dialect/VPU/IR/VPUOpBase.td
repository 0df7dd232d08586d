//===- VPUOpBase.td - What the ops of VPU share ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints on operands and the base classes of ops.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUOPBASE_TD
#define NACRE_DIALECT_VPU_IR_VPUOPBASE_TD

include "nacre/Dialect/VPU/IR/VPUAttributes.td"
include "nacre/Dialect/VPU/IR/VPUInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

// Ops compute f64 in f64, all others in f32.
defvar VPU_Floats = [F64, F32, F16, BF16];

class VPU_ShapedOf<list<int> ranks, string what,
                   list<Type> types = !listconcat(VPU_Floats, [I8])>
    : AnyTypeOf<[TensorRankOf<types, ranks>, MemRefRankOf<types, ranks>], what>;

// What becomes of sums: floats, 8-bit integers, or the sums themselves.
class VPU_ResultOf<list<int> ranks, string what>
    : VPU_ShapedOf<ranks, what, !listconcat(VPU_Floats, [I8, I32])>;

class VPU_FloatsOf<list<int> ranks, string what>
    : VPU_ShapedOf<ranks, what, VPU_Floats>;

// Of ops that compute in f32 only.
class VPU_SinglesOf<list<int> ranks, string what>
    : VPU_ShapedOf<ranks, what, [F32, F16, BF16]>;

class VPU_SumsOf<list<int> ranks, string what>
    : VPU_ShapedOf<ranks, what, [I32]>;

def VPU_Blocked : VPU_ShapedOf<[5], "blocked activations (N, CB, H, W, c)">;
def VPU_BlockedResult : VPU_ResultOf<[5], "blocked activations (N, CB, H, W, c)">;
def VPU_BlockedFloats
    : VPU_FloatsOf<[5], "blocked activations of floats (N, CB, H, W, c)">;
def VPU_Shaped : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

// Base of every VPU op: destination style over tensors or memrefs.
class VPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<VPU_Dialect, mnemonic, !listconcat(traits, [
        DestinationStyleOpInterface, TilingInterface,
        MemoryEffectsOpInterface,
        ConditionallySpeculatable, ReifyRankedShapedTypeOpInterface])> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;

  code baseDeclarations = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getInitMutable());
    }
    ::mlir::ShapedType getInitType() {
      return ::llvm::cast<::mlir::ShapedType>(getInit().getType());
    }

    // MemoryEffectsOpInterface and ConditionallySpeculatable: pure on tensors.
    void getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance>
            &effects) {
      detail::getDestinationStyleEffects(getOperation(), effects);
    }
    ::mlir::Speculation::Speculatability getSpeculatability() {
      return hasPureTensorSemantics() ? ::mlir::Speculation::Speculatable
                                      : ::mlir::Speculation::NotSpeculatable;
    }
    ::llvm::LogicalResult reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return detail::reifyDestinationShape(getOperation(), builder, shapes);
    }

    // TilingInterface: the iteration domain is the destination.
    ::llvm::SmallVector<::mlir::utils::IteratorType> getLoopIteratorTypes() {
      return ::llvm::SmallVector<::mlir::utils::IteratorType>(
          getInitType().getRank(), ::mlir::utils::IteratorType::parallel);
    }
    ::llvm::SmallVector<::mlir::Range> getIterationDomain(
        ::mlir::OpBuilder &builder) {
      return detail::getDestinationDomain(getOperation(), builder);
    }
    ::mlir::FailureOr<::mlir::TilingResult> getTiledImplementation(
        ::mlir::OpBuilder &builder,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return detail::tile(getOperation(), builder, offsets, sizes);
    }
    ::llvm::LogicalResult getResultTilePosition(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultOffsets,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultSizes) {
      resultOffsets.assign(offsets.begin(), offsets.end());
      resultSizes.assign(sizes.begin(), sizes.end());
      return ::mlir::success();
    }
    ::llvm::LogicalResult getIterationDomainTileFromResultTile(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domainOffsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domainSizes) {
      domainOffsets.assign(offsets.begin(), offsets.end());
      domainSizes.assign(sizes.begin(), sizes.end());
      return ::mlir::success();
    }
    ::mlir::FailureOr<::mlir::TilingResult> generateResultTileValue(
        ::mlir::OpBuilder &builder, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return detail::tile(getOperation(), builder, offsets, sizes);
    }
  }];
  let extraClassDeclaration = baseDeclarations;
}

// Base of the NCE ops; `mnemonic` follows "NCE.".
class VPU_NCEOp<string mnemonic, list<Trait> traits = []>
    : VPU_Op<"NCE." # mnemonic, !listconcat(traits, [
        VPU_TiledOpInterface, VPU_NCEOpInterface])> {
  code nceDeclarations = baseDeclarations # [{
    ::llvm::LogicalResult getOperandTile(
        ::mlir::OpBuilder &builder, ::mlir::OpOperand &operand,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &operandOffsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &operandSizes);
    int64_t getMacs();
  }];

  // Where the destination is blocked: rows are dimension 2, blocks dimension 1,
  // or the channels themselves where there is a single block.
  code blockedDims = nceDeclarations # [{
    unsigned getRowDim() { return 2; }
    unsigned getBlockDim() {
      return getInitType().getDimSize(1) > 1 ? 1 : 4;
    }
  }];
  code blockedDeclarations = blockedDims # [{
    int64_t getBlockStep() { return 1; }
  }];
  code withResidual = [{
    ::std::optional<::mlir::MutableOperandRange> getResidualOperand() {
      return getResidualMutable();
    }
  }];
  code withoutResidual = [{
    ::std::optional<::mlir::MutableOperandRange> getResidualOperand() {
      return ::std::nullopt;
    }
  }];
}

defvar VPU_DefaultPPE = "::nacre::VPU::PPEMode::NOOP";
class VPU_Pair<string init = "{1, 1}">
    : DefaultValuedAttr<DenseI64ArrayAttr, init>;

#endif // NACRE_DIALECT_VPU_IR_VPUOPBASE_TD
