//===- Pooling.td - Pooling --------------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_POOLING_TD
#define NACRE_DIALECT_IE_IR_POOLING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// What the windowed pooling ops have in common.
class IE_PoolOp<string mnemonic, Type type, dag extra = (ins),
                list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [IE_OwnSizes,
                                               IE_ComputesFloats])> {
  let arguments = !con((ins
    type:$input,
    DefaultValuedAttr<IE_AutoPad, "\"NOTSET\"">:$auto_pad,
    DefaultValuedAttr<I64Attr, "0">:$ceil_mode,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DenseI64ArrayAttr:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  ), extra);
  let results = (outs type:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The resolved window over the input's spatial dimensions.
    ::mlir::FailureOr<Window> getWindow();
    /// The same where its sizes may be dynamic.
    SizedWindow getWindow(SizeBuilder &sizes);
  }];
}

def IE_MaxPoolOp : IE_PoolOp<"MaxPool", IE_NumberTensor, (ins), [
    IE_CarriesIntegers,
    IE_SampleWise</*isHeavy=*/1>,
    IE_Homogeneous,
    IE_ForEngines]> {
  let summary = "Largest element of each window";
  let description = [{
    The input is (N, C, spatial…). Padding never wins.

    Example:
    ```mlir
    %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>,
                         strides = array<i64: 2, 2>}
        : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MaxPool.html
  }];
}

def IE_MaxPoolWithIndicesOp : IE_PoolOp<"MaxPoolWithIndices", IE_NumberTensor,
    (ins DefaultValuedAttr<I64Attr, "0">:$storage_order)> {
  let summary = "Largest element of each window and where it is";
  let description = [{
    ONNX's MaxPool when its second output is used. `indices` are positions in the
    flattened input, counted with the last two spatial dimensions exchanged when
    `storage_order` is 1 (column major).

    Example:
    ```mlir
    %1:2 = IE.MaxPoolWithIndices(%0) {kernel_shape = array<i64: 2, 2>}
        : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MaxPool.html
  }];
  let results = (outs IE_NumberTensor:$output, IE_I64Tensor:$indices);
}

def IE_AveragePoolOp : IE_PoolOp<"AveragePool", IE_FloatTensor,
    (ins DefaultValuedAttr<I64Attr, "0">:$count_include_pad), [
    IE_SampleWise</*isHeavy=*/1>,
    IE_Homogeneous,
    IE_ForEngines]> {
  let summary = "Mean of each window";
  let description = [{
    Padding counts as elements only when `count_include_pad` is 1; positions
    beyond the padding, which `ceil_mode` can reach, never count.

    Example:
    ```mlir
    %1 = IE.AveragePool(%0) {kernel_shape = array<i64: 7, 7>}
        : (tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__AveragePool.html
  }];
}

def IE_MaxUnpoolOp : IE_OnnxOp<"MaxUnpool", [
    IE_OwnSizes,
    IE_ComputesFloats,
    AllElementTypesMatch<["input", "output"]>]> {
  let summary = "Elements back where a pooling took them from";
  let description = [{
    Zeros, with the elements of `input` at `indices`: positions, as
    `IE.MaxPoolWithIndices` gives them, in a flattened tensor of the size
    `stride * (input - 1) + kernel - pads`. A larger `output_shape` appends zeros
    to that tensor. The pass `ie-decompose` expresses it by a scatter.

    Example:
    ```mlir
    %2 = IE.MaxUnpool(%0, %1) {kernel_shape = array<i64: 2, 2>,
                               strides = array<i64: 2, 2>}
        : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> tensor<1x1x4x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MaxUnpool.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    IE_I64Tensor:$indices,
    Optional<IE_I64Tensor>:$output_shape,
    DenseI64ArrayAttr:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The shape in which `indices` count. Fails, after an error, where the
    /// window does not fit the input.
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>> getPooledShape();
    /// The same where it may be dynamic.
    Sizes getPooledSizes(SizeBuilder &sizes);
  }];
}

class IE_GlobalPoolOp<string mnemonic, string text, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [IE_OwnSizes, IE_ComputesFloats,
                                               IE_SampleWise<>])> {
  let summary = text;
  let description = IE_OpDoc<mnemonic,
      "Reduces all spatial dimensions of (N, C, spatial…) to one element.",
      "%1 = IE." # mnemonic #
      "(%0) : (tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32>">.text;
  let arguments = (ins IE_FloatTensor:$input);
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_GlobalAveragePoolOp
    : IE_GlobalPoolOp<"GlobalAveragePool", "Mean of each channel",
                      [IE_ArithmeticOnIntegers, IE_Homogeneous,
                       IE_ForEngines]>;
def IE_GlobalMaxPoolOp
    : IE_GlobalPoolOp<"GlobalMaxPool", "Largest element of each channel">;

#endif // NACRE_DIALECT_IE_IR_POOLING_TD
