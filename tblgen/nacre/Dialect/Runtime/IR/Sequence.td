//===- Sequence.td - Sequences and optionals ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: sequences and optionals, by ONNX's rules. Operands are
// borrowed and stay as they are; what a list holds, it owns. Negative positions
// and axes count from the end. Any op that makes a value ends the run, too, where
// there is no memory.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_SEQUENCE_TD
#define NACRE_DIALECT_RUNTIME_IR_SEQUENCE_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_SequenceEmptyOp : RT_ValueOp<"sequence_empty", (ins)> {
  let summary = "A sequence without elements";
  let description = [{
    The block owns the result.

    Example:
    ```mlir
    %0 = rt.sequence_empty
    ```
  }];
}

def RT_SequenceAppendOp : RT_EditOp<"sequence_append",
    (ins RT_Value:$sequence, RT_Value:$element)> {
  let summary = "A sequence with one element more at its end";
  let description = [{
    The block owns the result, which becomes an owner of `element`; that is
    borrowed all the same. With `in_place`, `sequence` is taken over, and is the
    result if it has no other owner. Error: `sequence` is none, or `element` is no
    tensor of the type of the others.

    Example:
    ```mlir
    %0 = rt.sequence_append %list, %element
    %1 = rt.sequence_append in_place %0, %element
    ```
  }];
}

def RT_SequenceInsertOp : RT_EditOp<"sequence_insert",
    (ins RT_Value:$sequence, RT_Value:$element, I64:$position)> {
  let summary = "A sequence with one element more at a position";
  let description = [{
    As `rt.sequence_append`, with `element` in front of the one that is at
    `position`, or at the end. Error: there is no such position, too.

    Example:
    ```mlir
    %0 = rt.sequence_insert %list, %element, %position
    ```
  }];
}

def RT_SequenceEraseOp : RT_EditOp<"sequence_erase",
    (ins RT_Value:$sequence, I64:$position)> {
  let summary = "A sequence without the element at a position";
  let description = [{
    The block owns the result. With `in_place`, `sequence` is taken over, and is
    the result if it has no other owner. Error: `sequence` is none, or has no such
    position.

    Example:
    ```mlir
    %0 = rt.sequence_erase %list, %position
    ```
  }];
}

def RT_SequenceEraseLastOp : RT_EditOp<"sequence_erase_last",
    (ins RT_Value:$sequence)> {
  let summary = "A sequence without its last element";
  let description = [{
    As `rt.sequence_erase` of that position.

    Example:
    ```mlir
    %0 = rt.sequence_erase_last in_place %list
    ```
  }];
}

def RT_SequenceAtOp : RT_ValueOp<"sequence_at",
    (ins RT_Value:$sequence, I64:$position)> {
  let summary = "An element of a sequence";
  let description = [{
    The block becomes one more owner of the element. Error: `sequence` is none, or
    has no such position.

    Example:
    ```mlir
    %0 = rt.sequence_at %list, %position
    ```
  }];
}

def RT_SequenceSplitEachOp : RT_ValueOp<"sequence_split_each",
    (ins RT_Value:$tensor, I64Attr:$axis, I64Attr:$keepsAxis)> {
  let summary = "The slices of a tensor along an axis";
  let description = [{
    A sequence of slices of one position each, without the axis unless
    `keepsAxis` is 1. The block owns the result. Error: the tensor has no such
    axis.

    Example:
    ```mlir
    %0 = rt.sequence_split_each %tensor, 0, 1
    ```
  }];
}

def RT_SequenceSplitEvenlyOp : RT_ValueOp<"sequence_split_evenly",
    (ins RT_Value:$tensor, I64Attr:$axis, I64:$size)> {
  let summary = "Parts of a tensor of one size";
  let description = [{
    A sequence of parts that are `size` long along the axis, but for the last. The
    block owns the result. Error: the tensor has no such axis, or `size` is not
    positive.

    Example:
    ```mlir
    %0 = rt.sequence_split_evenly %tensor, 0, %size
    ```
  }];
}

def RT_SequenceSplitOp : RT_ValueOp<"sequence_split",
    (ins RT_Value:$tensor, I64Attr:$axis, RT_Value:$sizes)> {
  let summary = "Parts of a tensor of given sizes";
  let description = [{
    A sequence of parts that are as long along the axis as `sizes`, a vector of
    `i32` or `i64`, says. The block owns the result. Error: the tensor has no such
    axis, or the sizes do not add up to its size.

    Example:
    ```mlir
    %0 = rt.sequence_split %tensor, 0, %sizes
    ```
  }];
}

def RT_SequenceConcatOp : RT_ValueOp<"sequence_concat",
    (ins RT_Value:$sequence, I64Attr:$axis)> {
  let summary = "The elements of a sequence, joined along an axis";
  let description = [{
    A tensor, which the block owns. Error: `sequence` is none, has no elements, or
    has elements without such an axis or of sizes that do not fit each other.

    Example:
    ```mlir
    %0 = rt.sequence_concat %list, 0
    ```
  }];
}

def RT_SequenceStackOp : RT_ValueOp<"sequence_stack",
    (ins RT_Value:$sequence, I64Attr:$axis)> {
  let summary = "The elements of a sequence, joined along a new axis";
  let description = [{
    A tensor, which the block owns. Error: `sequence` is none, has no elements, or
    has elements of different sizes; the result has no such axis.

    Example:
    ```mlir
    %0 = rt.sequence_stack %list, 0
    ```
  }];
}

def RT_LengthOp : RT_Op<"length", (ins RT_Value:$list)> {
  let summary = "How many values a sequence or an optional holds";
  let description = [{
    0 for a tensor. No error.

    Example:
    ```mlir
    %n = rt.length %list
    ```
  }];
  let results = (outs I64:$count);
}

def RT_OptionalNoneOp : RT_ValueOp<"optional_none", (ins)> {
  let summary = "An optional that holds nothing";
  let description = [{
    The block owns the result.

    Example:
    ```mlir
    %0 = rt.optional_none
    ```
  }];
}

def RT_OptionalNewOp : RT_ValueOp<"optional_new", (ins RT_Value:$value)> {
  let summary = "An optional that holds a value";
  let description = [{
    The block owns the result, which becomes an owner of `value`.

    Example:
    ```mlir
    %0 = rt.optional_new %value
    ```
  }];
}

def RT_OptionalGetOp : RT_ValueOp<"optional_get", (ins RT_Value:$optional)> {
  let summary = "The value that an optional holds";
  let description = [{
    The block becomes one more owner of that value. Error: `optional` is none, or
    holds nothing.

    Example:
    ```mlir
    %0 = rt.optional_get %optional
    ```
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_SEQUENCE_TD
