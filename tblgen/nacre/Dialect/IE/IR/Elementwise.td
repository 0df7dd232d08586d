//===- Elementwise.td - Elementwise arithmetic and math ----*- tablegen -*-===//
//
// IE operator family: elementwise arithmetic and math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ELEMENTWISE_TD
#define NACRE_DIALECT_IE_IR_ELEMENTWISE_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_AddOp : IE_BinaryOp<"Add", IE_NumberTensor, IE_NumberTensor,
                           [Commutative]> {
  let summary = "Sum of two tensors per element, with broadcasting";
  let description = [{
    Integers wrap around.

    Example:
    ```mlir
    %2 = IE.Add %0, %1 : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Add.html
  }];
}

#endif // NACRE_DIALECT_IE_IR_ELEMENTWISE_TD
