//===- Sequence.td - Lists of tensors, and nothing ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: sequences and optionals.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SEQUENCE_TD
#define NACRE_DIALECT_IE_IR_SEQUENCE_TD

include "nacre/Dialect/IE/IR/SequenceTypes.td"

def IE_Position : AnyTypeOf<[TensorOf<[I32, I64]>],
                            "tensor of a 32-bit or 64-bit position">;

// Base of the family; any tensor may be an element.
class IE_SequenceOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, traits> {
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_SequenceEmptyOp : IE_SequenceOp<"SequenceEmpty"> {
  let summary = "A sequence without elements";
  let description = [{
    `dtype` is the element type of the tensors that it may be given, f32 by
    default.

    Example:
    ```mlir
    %0 = IE.SequenceEmpty() : () -> !IE.Sequence<tensor<*xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceEmpty.html
  }];
  let arguments = (ins OptionalAttr<TypeAttrOf<IE_ListElement>>:$dtype);
  let results = (outs IE_SequenceType:$output);
}

def IE_SequenceConstructOp : IE_SequenceOp<"SequenceConstruct"> {
  let summary = "The sequence of its operands";
  let description = [{
    Example:
    ```mlir
    %0 = IE.SequenceConstruct(%a, %b)
        : (tensor<2xf32>, tensor<3xf32>) -> !IE.Sequence<tensor<?xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceConstruct.html
  }];
  let arguments = (ins Variadic<AnyTensor>:$inputs);
  let results = (outs IE_SequenceType:$output_sequence);
  let hasVerifier = 1;
}

def IE_SequenceAtOp : IE_SequenceOp<"SequenceAt"> {
  let summary = "An element of a sequence";
  let description = [{
    A negative `position` counts from the end.

    Example:
    ```mlir
    %0 = IE.SequenceAt(%s, %position)
        : (!IE.Sequence<tensor<2xf32>>, tensor<i64>) -> tensor<2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceAt.html
  }];
  let arguments = (ins IE_SequenceType:$input_sequence, IE_Position:$position);
  let results = (outs AnyTensor:$tensor);
}

def IE_SequenceInsertOp : IE_SequenceOp<"SequenceInsert"> {
  let summary = "A sequence with one more element";
  let description = [{
    The tensor goes in front of the element at `position`, which counts from the
    end when it is negative; without one, to the end.

    Example:
    ```mlir
    %0 = IE.SequenceInsert(%s, %x)
        : (!IE.Sequence<tensor<2xf32>>, tensor<2xf32>) -> !IE.Sequence<tensor<2xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceInsert.html
  }];
  let arguments = (ins IE_SequenceType:$input_sequence, AnyTensor:$tensor,
                       Optional<IE_Position>:$position);
  let results = (outs IE_SequenceType:$output_sequence);
}

def IE_SequenceEraseOp : IE_SequenceOp<"SequenceErase"> {
  let summary = "A sequence without one of its elements";
  let description = [{
    The element at `position` goes, which counts from the end when it is
    negative; without one, the last.

    Example:
    ```mlir
    %0 = IE.SequenceErase(%s)
        : (!IE.Sequence<tensor<2xf32>>) -> !IE.Sequence<tensor<2xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceErase.html
  }];
  let arguments = (ins IE_SequenceType:$input_sequence,
                       Optional<IE_Position>:$position);
  let results = (outs IE_SequenceType:$output_sequence);
}

def IE_SequenceLengthOp : IE_SequenceOp<"SequenceLength"> {
  let summary = "The number of a sequence's elements";
  let description = [{
    Example:
    ```mlir
    %0 = IE.SequenceLength(%s) : (!IE.Sequence<tensor<2xf32>>) -> tensor<i64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SequenceLength.html
  }];
  let arguments = (ins IE_SequenceType:$input_sequence);
  let results = (outs 0DTensorOf<[I64]>:$length);
}

def IE_SplitToSequenceOp : IE_SequenceOp<"SplitToSequence"> {
  let summary = "The parts of a tensor along an axis";
  let description = [{
    `split` is the size of each part, of which the last may be smaller, or a
    vector of their sizes. Without it, the parts are single elements, which lose
    the axis when `keepdims` is 0.

    Example:
    ```mlir
    %0 = IE.SplitToSequence(%x) {keepdims = 0 : i64}
        : (tensor<3x2xf32>) -> !IE.Sequence<tensor<2xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SplitToSequence.html
  }];
  let arguments = (ins RankedTensorOf<[IE_ListElement]>:$input,
                       Optional<IE_Position>:$split,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "1">:$keepdims);
  let results = (outs IE_SequenceType:$output_sequence);
}

def IE_ConcatFromSequenceOp : IE_SequenceOp<"ConcatFromSequence"> {
  let summary = "A sequence's elements joined along an axis";
  let description = [{
    With `new_axis` the elements are put side by side along an axis of their own.

    Example:
    ```mlir
    %0 = IE.ConcatFromSequence(%s) {axis = 0 : i64}
        : (!IE.Sequence<tensor<2xf32>>) -> tensor<?xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ConcatFromSequence.html
  }];
  let arguments = (ins IE_SequenceType:$input_sequence, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$new_axis);
  let results = (outs AnyTensor:$concat_result);
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

def IE_OptionalOp : IE_SequenceOp<"Optional"> {
  let summary = "Its operand as an optional, or nothing";
  let description = [{
    `type` is what an optional of nothing could hold.

    Example:
    ```mlir
    %0 = IE.Optional(%x) : (tensor<2xf32>) -> !IE.Optional<tensor<2xf32>>
    %1 = IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Optional.html
  }];
  let arguments = (ins Optional<AnyTypeOf<[AnyTensor, IE_SequenceType]>>:$input,
                       OptionalAttr<TypeAttr>:$type);
  let results = (outs IE_OptionalType:$output);
}

def IE_OptionalGetElementOp : IE_SequenceOp<"OptionalGetElement"> {
  let summary = "What an optional holds";
  let description = [{
    An error when it holds nothing. A tensor or a sequence is itself.

    Example:
    ```mlir
    %0 = IE.OptionalGetElement(%o) : (!IE.Optional<tensor<2xf32>>) -> tensor<2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__OptionalGetElement.html
  }];
  let arguments = (ins AnyType:$input);
  let results = (outs AnyTypeOf<[AnyTensor, IE_SequenceType]>:$output);
  let hasFolder = 1;
}

def IE_OptionalHasElementOp : IE_SequenceOp<"OptionalHasElement"> {
  let summary = "Whether an optional holds something";
  let description = [{
    True for a tensor or a sequence, false for no operand.

    Example:
    ```mlir
    %0 = IE.OptionalHasElement(%o) : (!IE.Optional<tensor<2xf32>>) -> tensor<i1>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__OptionalHasElement.html
  }];
  let arguments = (ins Optional<AnyType>:$input);
  let results = (outs 0DTensorOf<[I1]>:$output);
}

#endif // NACRE_DIALECT_IE_IR_SEQUENCE_TD
