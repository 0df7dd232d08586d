//===- Activation.td - Activation functions ----------------*- tablegen -*-===//
//
// IE operator family: activation functions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ACTIVATION_TD
#define NACRE_DIALECT_IE_IR_ACTIVATION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_ReluOp : IE_UnaryOp<"Relu", IE_NumberTensor> {
  let summary = "max(0, x) per element";
  let description = [{
    Example:
    ```mlir
    %1 = IE.Relu %0 : tensor<1x8xf32> -> tensor<1x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Relu.html
  }];
}

#endif // NACRE_DIALECT_IE_IR_ACTIVATION_TD
