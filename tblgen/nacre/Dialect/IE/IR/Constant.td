//===- Constant.td - Constants and generated tensors -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: constants, and tensors computed from nothing but shapes
// and scalars.
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

def IE_ConstantOfShapeOp : IE_OnnxOp<"ConstantOfShape", [IE_OwnSizes]> {
  let summary = "One value in every element of a given shape";
  let description = [{
    `value` is a tensor of one element; without it the result is filled with
    the float 0. A result whose shape operand is not a constant takes its
    declared static type.

    Example:
    ```mlir
    %1 = IE.ConstantOfShape %0 {value = dense<7> : tensor<1xi64>}
        : tensor<2xi64> -> tensor<3x4xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html
  }];
  let arguments = (ins 1DTensorOf<[I64]>:$input,
                       OptionalAttr<ElementsAttr>:$value);
  let results = (outs
    RankedTensorOf<[IE_NumberOrBool, IE_SmallNumber]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
}

def IE_RangeOp : IE_OnnxOp<"Range", [
    IE_OwnSizes, IE_ComputesFloats,
    AllElementTypesMatch<["start", "limit", "delta", "output"]>]> {
  let summary = "An arithmetic progression";
  let description = [{
    Yields `start + i * delta` for i in [0, max(ceil((limit - start) / delta),
    0)). Operands that are not constants leave the size to the declared type.

    Example:
    ```mlir
    %3 = IE.Range %start, %limit, %delta
        : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<10xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Range.html
  }];
  let arguments = (ins
    0DTensorOf<[IE_AnyNumber]>:$start,
    0DTensorOf<[IE_AnyNumber]>:$limit,
    0DTensorOf<[IE_AnyNumber]>:$delta
  );
  let results = (outs 1DTensorOf<[IE_AnyNumber]>:$output);
  let assemblyFormat = [{
    $start `,` $limit `,` $delta attr-dict `:` type(operands)
    `->` type($output)
  }];
}

def IE_EyeLikeOp : IE_OnnxOp<"EyeLike", [IE_SizesOfFirst]> {
  let summary = "Ones on a diagonal, zeros elsewhere, in the operand's shape";
  let description = [{
    `k` > 0 selects an upper diagonal, `k` < 0 a lower one. `dtype` defaults to
    the operand's element type.

    Example:
    ```mlir
    %1 = IE.EyeLike %0 {dtype = f32} : tensor<3x4xi32> -> tensor<3x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__EyeLike.html
  }];
  let arguments = (ins
    2DTensorOf<[IE_NumberOrBool]>:$input,
    OptionalAttr<TypeAttr>:$dtype,
    DefaultValuedAttr<I64Attr, "0">:$k
  );
  let results = (outs 2DTensorOf<[IE_NumberOrBool]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif // NACRE_DIALECT_IE_IR_CONSTANT_TD
