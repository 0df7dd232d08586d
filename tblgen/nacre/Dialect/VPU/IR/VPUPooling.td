//===- VPUPooling.td - Pooling of VPU ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VPU op family: pooling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUPOOLING_TD
#define NACRE_DIALECT_VPU_IR_VPUPOOLING_TD

include "nacre/Dialect/VPU/IR/VPUOpBase.td"

def VPU_Shares : VPU_ShapedOf<[2], "what windows multiply their sums by (H, W)",
                              [F64, F32]>;

class VPU_NCEPoolOp<string mnemonic> : VPU_NCEOp<mnemonic> {
  let arguments = (ins
    VPU_Blocked:$input,
    VPU_Blocked:$init,
    DenseI64ArrayAttr:$kernel,
    VPU_Pair<>:$strides,
    VPU_Pair<>:$dilations,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    OptionalAttr<VPU_QuantAttr>:$inputQuant
  );
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // On tensors; the result has the destination's type.
    OpBuilder<(ins
      "::mlir::Value":$input, "::mlir::Value":$init,
      "::llvm::ArrayRef<int64_t>":$kernel,
      "::llvm::ArrayRef<int64_t>":$strides,
      "::llvm::ArrayRef<int64_t>":$dilations, "PPEAttr":$ppe,
      CArg<"QuantAttr", "QuantAttr()">:$inputQuant), [{
      build($_builder, $_state, ::mlir::TypeRange(init.getType()), input, init,
            kernel, strides, dilations, ppe, inputQuant);
    }]>
  ];
  let extraClassDeclaration = blockedDeclarations # withoutResidual;
}

def VPU_NCEMaxPoolOp : VPU_NCEPoolOp<"MaxPool"> {
  let summary = "Largest value of each window";
  let description = [{
    The input is already padded with the lowest value. `inputQuant` says what
    8-bit elements stand for. An empty `kernel` is a window of the input's size,
    whatever that is.

    ```mlir
    %y = VPU.NCE.MaxPool ins(%x : tensor<1x4x114x114x16xf32>)
        outs(%init : tensor<1x4x56x56x16xf32>)
        {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>}
        -> tensor<1x4x56x56x16xf32>
    ```
  }];
}

def VPU_NCEAveragePoolOp : VPU_NCEPoolOp<"AveragePool"> {
  let summary = "Mean of each window";
  let description = [{
    Divides by the size of the whole window, padding included. Where padding
    does not count, `shares`, of shape (H, W) as the result, has one divided by
    the number of elements that do, in f32, or f64 for images of f64: the sum of
    each window is multiplied by it. A global average
    is a window of the input's size: where that is dynamic, an empty
    `kernel`.

    ```mlir
    %y = VPU.NCE.AveragePool ins(%x : tensor<1x128x7x7x16xf32>)
        outs(%init : tensor<1x128x1x1x16xf32>) {kernel = array<i64: 7, 7>}
        -> tensor<1x128x1x1x16xf32>
    %z = VPU.NCE.AveragePool ins(%a : tensor<1x128x?x?x16xf32>)
        outs(%init : tensor<1x128x1x1x16xf32>) {kernel = array<i64>}
        -> tensor<1x128x1x1x16xf32>
    %w = VPU.NCE.AveragePool ins(%b : tensor<1x4x30x30x16xf32>)
        shares(%shares : tensor<28x28xf32>)
        outs(%c : tensor<1x4x28x28x16xf32>) {kernel = array<i64: 3, 3>}
        -> tensor<1x4x28x28x16xf32>
    ```
  }];
  let arguments = (ins
    VPU_Blocked:$input,
    Optional<VPU_Shares>:$shares,
    VPU_Blocked:$init,
    DenseI64ArrayAttr:$kernel,
    VPU_Pair<>:$strides,
    VPU_Pair<>:$dilations,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    OptionalAttr<VPU_QuantAttr>:$inputQuant
  );
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)`
    (`shares` `(` $shares^ `:` type($shares) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // On tensors; the result has the destination's type.
    OpBuilder<(ins
      "::mlir::Value":$input, "::mlir::Value":$init,
      "::llvm::ArrayRef<int64_t>":$kernel,
      "::llvm::ArrayRef<int64_t>":$strides,
      "::llvm::ArrayRef<int64_t>":$dilations, "PPEAttr":$ppe,
      CArg<"QuantAttr", "QuantAttr()">:$inputQuant,
      CArg<"::mlir::Value", "::mlir::Value()">:$shares), [{
      build($_builder, $_state, ::mlir::TypeRange(init.getType()), input,
            shares, init, kernel, strides, dilations, ppe, inputQuant);
    }]>
  ];
}

#endif // NACRE_DIALECT_VPU_IR_VPUPOOLING_TD
