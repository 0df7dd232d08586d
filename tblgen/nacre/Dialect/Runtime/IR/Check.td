//===- Check.td - Checks of what a run is given ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: checks. All of them borrow the value.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_CHECK_TD
#define NACRE_DIALECT_RUNTIME_IR_CHECK_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_CheckTensorOp : RT_Op<"check_tensor",
    (ins RT_Value:$value, RT_ElementAttr:$element, RT_Count:$rank,
         StrAttr:$name)> {
  let summary = "Ends the run unless a value is such a tensor";
  let description = [{
    Error: `value` is no tensor with elements of type `element` and `rank`
    dimensions. The message calls it `name`.

    Example:
    ```mlir
    rt.check_tensor %x, f32, 2, "x"
    ```
  }];
}

def RT_CheckDimOp : RT_Op<"check_dim",
    (ins RT_Value:$tensor, RT_Count:$dim, Index:$size, StrAttr:$name)> {
  let summary = "Ends the run unless a dimension has this size";
  let description = [{
    `tensor` is known to be a tensor with that dimension. Error: dimension `dim`
    has another size than `size`. The message calls the tensor the input `name`.

    Example:
    ```mlir
    rt.check_dim %x, 0, %n, "x"
    ```
  }];
}

def RT_CheckSequenceOp : RT_Op<"check_sequence",
    (ins RT_Value:$value, StrAttr:$name)> {
  let summary = "Ends the run unless a value is a sequence";
  let description = [{
    Error: `value` is none. The message calls it `name`. What its elements are is
    checked where they are taken.

    Example:
    ```mlir
    rt.check_sequence %x, "x"
    ```
  }];
}

def RT_CheckOptionalOp : RT_Op<"check_optional",
    (ins RT_Value:$value, StrAttr:$name)> {
  let summary = "Ends the run unless a value is an optional";
  let description = [{
    Error: `value` is none. The message calls it `name`.

    Example:
    ```mlir
    rt.check_optional %x, "x"
    ```
  }];
}

def RT_CheckMapOp : RT_Op<"check_map",
    (ins RT_Value:$value, RT_ElementAttr:$key, RT_ElementAttr:$element,
         StrAttr:$name)> {
  let summary = "Ends the run unless a value is such a map";
  let description = [{
    Error: `value` is no map of keys of type `key` to values of type `element`.
    The message calls it `name`.

    Example:
    ```mlir
    rt.check_map %x, !IE.String, f32, "x"
    ```
  }];
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_RUNTIME_IR_CHECK_TD
