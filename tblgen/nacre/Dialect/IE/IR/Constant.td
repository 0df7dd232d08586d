//===- Constant.td - Constants and generated tensors -------*- tablegen -*-===//
//
// IE operator family: constants and generated tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONSTANT_TD
#define NACRE_DIALECT_IE_IR_CONSTANT_TD

include "nacre/Dialect/IE/IR/IEBase.td"

include "mlir/IR/BuiltinAttributeInterfaces.td"

def IE_ConstantOp : IE_Op<"Constant", [
    ConstantLike, AllTypesMatch<["value", "output"]>]> {
  let summary = "A tensor known at compile time";
  let description = [{
    Holds the value of an ONNX `Constant` node or initializer. Small values are
    dense attributes; large ones are resource blobs that stay where the model
    file was mapped. A `bool` value is always a dense attribute.

    Example:
    ```mlir
    %0 = IE.Constant dense<[1, -1]> : tensor<2xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Constant.html
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

#endif // NACRE_DIALECT_IE_IR_CONSTANT_TD
