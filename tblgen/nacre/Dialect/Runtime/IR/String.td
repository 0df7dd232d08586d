//===- String.td - Tensors of strings ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: strings, by ONNX's rules. Where an operand is said to be
// `texts`, it is a tensor of strings; another value is an error. Operands are
// borrowed; the block owns each result. Any op ends the run where there is no
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_STRING_TD
#define NACRE_DIALECT_RUNTIME_IR_STRING_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_StringConstantOp : RT_ValueOp<"string_constant",
    (ins StrArrayAttr:$texts)> {
  let summary = "A vector of constant strings";
  let description = [{
    A tensor of rank 1. Strings end with a zero in compiled code, so none has one
    in it. The function of the runtime takes the texts one after the other, each
    with a zero at its end, and their number.

    Example:
    ```mlir
    %0 = rt.string_constant ["yes", "no"]
    ```
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getCallArguments();
  }];
  let hasVerifier = 1;
}

def RT_StringWriteOp : RT_ValueOp<"string_write", (ins RT_Value:$numbers)> {
  let summary = "Numbers as strings";
  let description = [{
    As NumPy writes them, in a tensor of the same sizes. Error: `numbers` is no
    tensor of numbers of one byte or more.

    Example:
    ```mlir
    %0 = rt.string_write %numbers
    ```
  }];
}

def RT_StringReadOp : RT_ValueOp<"string_read",
    (ins RT_Value:$texts, RT_ElementAttr:$element)> {
  let summary = "The numbers that strings say";
  let description = [{
    As NumPy reads them, in a tensor of type `element` and of the same sizes.
    Error: a string is no number.

    Example:
    ```mlir
    %0 = rt.string_read %texts, f64
    ```
  }];
}

def RT_StringEqualOp : RT_ValueOp<"string_equal",
    (ins RT_Value:$a, RT_Value:$b)> {
  let summary = "Whether strings are equal";
  let description = [{
    A tensor of `i1`; `a` and `b`, texts, broadcast. Error: their sizes do not.

    Example:
    ```mlir
    %0 = rt.string_equal %a, %b
    ```
  }];
}

def RT_StringConcatOp : RT_ValueOp<"string_concat",
    (ins RT_Value:$a, RT_Value:$b)> {
  let summary = "Strings, one behind the other";
  let description = [{
    A tensor of strings; `a` and `b`, texts, broadcast. Error: their sizes do not.

    Example:
    ```mlir
    %0 = rt.string_concat %a, %b
    ```
  }];
}

def RT_StringNormalizeOp : RT_ValueOp<"string_normalize",
    (ins RT_Value:$texts, RT_Count:$action, RT_Count:$isCaseSensitive,
         RT_Value:$stopwords)> {
  let summary = "Strings without stopwords, in one case";
  let description = [{
    `texts` without those that are in `stopwords`, a vector of strings, whose case
    matters if `isCaseSensitive` is 1; then as they are (`action` 0), in lower case
    (1) or in upper case (2). One empty string where none would be left.

    Example:
    ```mlir
    %0 = rt.string_normalize %texts, 1, 0, %stopwords
    ```
  }];
}

def RT_StringMatchOp : RT_ValueOp<"string_match",
    (ins RT_Value:$texts, StrAttr:$pattern)> {
  let summary = "Whether strings match a pattern as a whole";
  let description = [{
    A tensor of `i1` of the same sizes. `pattern` is of RE2's syntax, as
    nacre-c/Regex.h describes it. Error: it is none.

    Example:
    ```mlir
    %0 = rt.string_match %texts, "a+"
    ```
  }];
}

def RT_StringRanksOp : RT_ValueOp<"string_ranks", (ins RT_Value:$texts)> {
  let summary = "Numbers that are in the order of strings";
  let description = [{
    A tensor of `i64` of the same sizes: for each string the number of different
    ones that are less, byte by byte.

    Example:
    ```mlir
    %0 = rt.string_ranks %texts
    ```
  }];
}

def RT_StringSplitOp : RT_ValueOp<"string_split",
    (ins RT_Value:$texts, StrAttr:$delimiter, I64Attr:$limit)> {
  let summary = "The parts of strings between delimiters";
  let description = [{
    A sequence of two tensors: the parts, filled up with empty strings along a new
    last dimension, and how many each string has. An empty `delimiter` is white
    space. Strings are split `limit` times at most, without a limit if that is
    negative.

    Example:
    ```mlir
    %0 = rt.string_split %texts, ",", -1
    ```
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_STRING_TD
