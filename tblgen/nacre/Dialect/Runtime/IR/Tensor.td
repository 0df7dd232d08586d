//===- Tensor.td - Tensors that are values -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: tensors. Where an op says `tensor`, its operand is known to
// be one: made by the run, or checked.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_TENSOR_TD
#define NACRE_DIALECT_RUNTIME_IR_TENSOR_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_TensorNewOp : RT_ValueOp<"tensor_new",
    (ins RT_ElementAttr:$element, RT_Count:$rank)> {
  let summary = "A tensor without elements yet";
  let description = [{
    A new tensor with elements of type `element` and `rank` dimensions of size 0.
    `rt.tensor_set_dim` and, last, `rt.tensor_allocate` complete it. The block owns
    the result. Error: there is no memory.

    Example:
    ```mlir
    %0 = rt.tensor_new f32, 1
    rt.tensor_set_dim %0, 0, %n
    %data = rt.tensor_allocate %0
    ```
  }];
}

def RT_TensorSetDimOp : RT_Op<"tensor_set_dim",
    (ins RT_Value:$tensor, RT_Count:$dim, Index:$size)> {
  let summary = "Sets the size of a dimension of a new tensor";
  let description = [{
    For a tensor that has no memory yet, which is borrowed. No error: a size that
    is impossible is one of `rt.tensor_allocate`.

    Example:
    ```mlir
    rt.tensor_set_dim %tensor, 0, %n
    ```
  }];
}

def RT_TensorAllocateOp : RT_DataOp<"tensor_allocate"> {
  let summary = "Gives a new tensor memory for its elements";
  let description = [{
    The elements are undefined. The result is where they are, as long as the
    tensor lives, which is borrowed. Error: the size is impossible, or there is no
    memory.

    Example:
    ```mlir
    %data = rt.tensor_allocate %tensor
    ```
  }];
}

def RT_TensorDataOp : RT_DataOp<"tensor_data"> {
  let summary = "Where the elements of a tensor are";
  let description = [{
    In row-major order, as long as the tensor lives, which is borrowed. No error.

    Example:
    ```mlir
    %data = rt.tensor_data %tensor
    %view = memref.view %data[%c0][%n] : memref<1xi8> to memref<?xf32>
    ```
  }];
}

def RT_TensorDimOp : RT_Op<"tensor_dim",
    (ins RT_Value:$tensor, RT_Count:$dim)> {
  let summary = "The size of a dimension of a tensor";
  let description = [{
    `dim` is less than the rank of the tensor, which is borrowed. No error.

    Example:
    ```mlir
    %n = rt.tensor_dim %tensor, 0
    ```
  }];
  let results = (outs Index:$size);
}

def RT_TensorOwnStringsOp : RT_Op<"tensor_own_strings",
    (ins RT_Value:$tensor)> {
  let summary = "Makes the strings of a new tensor its own";
  let description = [{
    Replaces the pointers to strings that were stored into the tensor, which is
    borrowed, by pointers to copies that live as long as the tensor. Error: it is
    no tensor of strings, or there is no memory.

    Example:
    ```mlir
    rt.tensor_own_strings %tensor
    ```
  }];
}

def RT_TensorPackOp : RT_ValueOp<"tensor_pack",
    (ins RT_Value:$bytes, RT_ElementAttr:$element)> {
  let summary = "Numbers of four or two bits from bytes";
  let description = [{
    A tensor with elements of type `element`, of four or two bits, of the sizes of
    `bytes`, a tensor of `ui8` with the bits of a number at the low end of each,
    which is borrowed. The block owns the result. Error: `bytes` has another type,
    or there is no memory.

    Example:
    ```mlir
    %0 = rt.tensor_pack %bytes, i4
    ```
  }];
  let hasVerifier = 1;
}

def RT_TensorUnpackOp : RT_ValueOp<"tensor_unpack", (ins RT_Value:$tensor)> {
  let summary = "A byte for each number of four or two bits";
  let description = [{
    A tensor of `ui8` of the sizes of `tensor`, which is borrowed. The block owns
    the result. Error: the elements have another type, or there is no memory.

    Example:
    ```mlir
    %0 = rt.tensor_unpack %tensor
    ```
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_TENSOR_TD
