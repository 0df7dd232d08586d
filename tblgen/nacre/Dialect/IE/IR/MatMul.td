//===- MatMul.td - Matrix products -------------------------*- tablegen -*-===//
//
// IE operator family: matrix products.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MATMUL_TD
#define NACRE_DIALECT_IE_IR_MATMUL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_MatMulOp : IE_OnnxOp<"MatMul", [SameOperandsElementType]> {
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

def IE_GemmOp : IE_OnnxOp<"Gemm", [SameOperandsElementType]> {
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

#endif // NACRE_DIALECT_IE_IR_MATMUL_TD
