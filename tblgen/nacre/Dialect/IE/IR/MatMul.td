//===- MatMul.td - Matrix products -------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: matrix products and determinants.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MATMUL_TD
#define NACRE_DIALECT_IE_IR_MATMUL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_MatMulOp : IE_OnnxOp<"MatMul", [
    IE_OwnSizes,
    IE_ComputesFloats,
    IE_ForEngines,
    DeclareOpInterfaceMethods<IE_QuantizableOpInterface>,
    DeclareOpInterfaceMethods<IE_SamplesOpInterface>,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>,
    SameOperandsElementType]> {
  let summary = "Matrix product with NumPy's broadcasting";
  let description = [{
    The last two dimensions are matrices, the others broadcast. A one-dimensional
    left operand is a row, a right one a column; their dimension of one does not
    appear in the result.

    Example:
    ```mlir
    %2 = IE.MatMul(%0, %1)
        : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MatMul.html
  }];
  let arguments = (ins IE_NumberTensor:$lhs, IE_NumberTensor:$rhs);
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_MatMulIntegerOp
    : IE_OnnxOp<"MatMulInteger", [IE_OwnSizes, IE_ForEngines,
                                  AttrSizedOperandSegments]> {
  let summary = "Matrix product of 8-bit integers, summed in 32 bits";
  let description = [{
    `(lhs - a_zero_point) * (rhs - b_zero_point)` by `IE.MatMul`'s rules. Sums wrap
    around. A zero point has one element, or one for each row of `lhs`
    (respectively each column of `rhs`), the matrices' batches leading.

    Example:
    ```mlir
    %2 = IE.MatMulInteger(%0, %1) lhsZero(%zero : tensor<ui8>)
        : (tensor<2x4xui8>, tensor<4x5xi8>) -> tensor<2x5xi32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MatMulInteger.html
  }];
  let arguments = (ins
    IE_ByteTensor:$lhs,
    IE_ByteTensor:$rhs,
    Optional<IE_ByteTensor>:$a_zero_point,
    Optional<IE_ByteTensor>:$b_zero_point
  );
  let results = (outs RankedTensorOf<[I32]>:$output);
  let assemblyFormat = [{
    `(` $lhs `,` $rhs `)` (`lhsZero` `(` $a_zero_point^ `:` type($a_zero_point) `)`)?
    (`rhsZero` `(` $b_zero_point^ `:` type($b_zero_point) `)`)?
    attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($output)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The shapes in which the zero points broadcast to lhs and rhs.
    ::llvm::SmallVector<int64_t> getLhsZeroShape();
    ::llvm::SmallVector<int64_t> getRhsZeroShape();
  }];
}

def IE_QLinearMatMulOp : IE_OnnxOp<"QLinearMatMul", [
    IE_OwnSizes,
    IE_ComputesFloats]> {
  let summary = "Matrix product of quantized numbers";
  let description = [{
    The product of the dequantized operands by `IE.MatMul`'s rules, quantized. The
    pass `ie-decompose` expresses it by a product of integers. The scale and zero
    point of `lhs` are single elements or one for each row, those of `rhs` for
    each column, the matrices' batches leading; the result has single ones.

    Example:
    ```mlir
    %1 = IE.QLinearMatMul(%a, %aScale, %aZero, %b, %bScale, %bZero, %yScale, %yZero)
        : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xui8>,
           tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__QLinearMatMul.html
  }];
  let arguments = (ins
    IE_ByteTensor:$lhs,
    IE_FloatTensor:$lhs_scale,
    IE_ByteTensor:$lhs_zero_point,
    IE_ByteTensor:$rhs,
    IE_FloatTensor:$rhs_scale,
    IE_ByteTensor:$rhs_zero_point,
    IE_FloatTensor:$output_scale,
    IE_ByteTensor:$output_zero_point
  );
  let results = (outs IE_ByteTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The shapes in which the scales and zero points broadcast to lhs and rhs.
    ::llvm::SmallVector<int64_t> getLhsParameterShape();
    ::llvm::SmallVector<int64_t> getRhsParameterShape();
  }];
}

def IE_MatMulNBitsOp
    : IE_OnnxOp<"MatMulNBits", [IE_OwnSizes, IE_ComputesFloats, IE_ForEngines,
                                IE_SamplesBeside<"-1">,
                                AttrSizedOperandSegments]> {
  let summary = "Matrix product with weights of few bits";
  let description = [{
    `A * W + bias` by `IE.MatMul`'s rules, where `W` (K, N) is stored transposed: each
    row of `B` has the weights of a column in blocks of `block_size` unsigned integers
    of 2, 4 or 8 bits, as many bytes for each block, the first integer in the lowest
    bits. `W = (q - zero_point) * scale` with the numbers of its block; the last block
    may have more integers than there are weights. Zero points are packed as weights
    are, each row by itself, or floats; without them they are half the range.

    `accuracy_level` says what elements of `A` may be rounded to: 2 f16, 3 bf16, 4
    integers of eight bits, scaled for each block. 1 and 0, the default, are f32.

    | operand     | shape                                                |
    |-------------|------------------------------------------------------|
    | A           | (..., K), floats                                     |
    | B           | (N, blocks, block_size * bits / 8), ui8              |
    | scales      | (N, blocks), of A's type                             |
    | zero_points | (N, bytes) where packed, ui8; or (N, blocks), floats |
    | bias        | (N), of A's type                                     |
    | output      | (..., N)                                             |

    Example:
    ```mlir
    %3 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64}
        : (tensor<?x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<?x10xf32>
    ```
    Operator: com.microsoft.MatMulNBits of ONNX Runtime's contributed operators.
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    RankedTensorOf<[UI8]>:$weights,
    IE_FloatTensor:$scales,
    Optional<RankedTensorOf<[UI8, IE_AnyFloat]>>:$zero_points,
    Optional<IE_FloatTensor>:$bias,
    I64Attr:$K,
    I64Attr:$bits,
    I64Attr:$block_size,
    DefaultValuedAttr<I64Attr, "0">:$accuracy_level
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` $input `,` $weights `,` $scales `)`
    (`zeroPoints` `(` $zero_points^ `:` type($zero_points) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? attr-dict
    `:` `(` type($input) `,` type($weights) `,` type($scales) `)` `->` type($output)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Values of `accuracy_level`; smaller ones stand for f32.
    static constexpr int64_t kOfF16 = 2, kOfBF16 = 3, kOfBytes = 4;

    /// The number of columns of the weights.
    int64_t getN();
    /// The blocks of each column.
    int64_t getNumBlocks();
    /// True where zero points are integers, packed as weights are.
    bool hasPackedZeroPoints();
  }];
}

def IE_GemmOp : IE_OnnxOp<"Gemm", [
    IE_OwnSizes,
    IE_ComputesFloats,
    IE_ForEngines,
    DeclareOpInterfaceMethods<IE_QuantizableOpInterface>,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>,
    SameOperandsElementType]> {
  let summary = "alpha * A' * B' + beta * C";
  let description = [{
    A' and B' are the two-dimensional operands, transposed where `transA` and
    `transB` say so. C broadcasts to the result (M, N).

    Example:
    ```mlir
    %3 = IE.Gemm(%0, %1, %2) {transB = 1 : i64}
        : (tensor<2x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Gemm.html
  }];
  let arguments = (ins
    IE_NumberTensor:$lhs,
    IE_NumberTensor:$rhs,
    Optional<IE_NumberTensor>:$addend,
    DefaultValuedAttr<F32Attr, "1.0f">:$alpha,
    DefaultValuedAttr<F32Attr, "1.0f">:$beta,
    DefaultValuedAttr<I64Attr, "0">:$transA,
    DefaultValuedAttr<I64Attr, "0">:$transB
  );
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_EinsumOp : IE_OnnxOp<"Einsum", [
    IE_OwnSizes,
    IE_ComputesFloats,
    SameOperandsElementType]> {
  let summary = "Sum of products by Einstein's convention";
  let description = [{
    `equation` names the dimensions of each operand and of the result by letters:
    elements are multiplied where the letters agree, and summed over the letters
    that the result does not have. `...` stands for dimensions that broadcast.
    Without an arrow the result has the broadcast dimensions and the letters that
    occur once, in alphabetical order. The pass `ie-decompose` expresses it by
    matrix products.

    Example:
    ```mlir
    %2 = IE.Einsum(%0, %1) {equation = "bij,bjk->bik"}
        : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Einsum.html
  }];
  let arguments = (ins Variadic<IE_NumberTensor>:$inputs, StrAttr:$equation);
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The sizes of the equation's letters where they may be dynamic.
    ::mlir::FailureOr<Sizes> getLetterSizes(SizeBuilder &sizes);
  }];
}

def IE_DetOp : IE_OnnxOp<"Det", [IE_OwnSizes, IE_ComputesFloats]> {
  let summary = "Determinants of square matrices";
  let description = [{
    The last two dimensions are the matrices, the others batches.

    Example:
    ```mlir
    %1 = IE.Det(%0) : (tensor<3x2x2xf32>) -> tensor<3xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Det.html
  }];
  let arguments = (ins IE_FloatTensor:$input);
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NACRE_DIALECT_IE_IR_MATMUL_TD
