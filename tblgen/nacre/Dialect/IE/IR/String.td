//===- String.td - Text ------------------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: strings.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_STRING_TD
#define NACRE_DIALECT_IE_IR_STRING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_StringNormalizerOp : IE_OnnxOp<"StringNormalizer"> {
  let summary = "Strings without the stopwords, in upper or lower case";
  let description = [{
    The operand is a vector, or a matrix of one row. Strings equal to one of
    `stopwords` are left out, whatever their case unless `is_case_sensitive`;
    the others become as `case_change_action` says. One empty string is the
    result where nothing is left. Letters change by Unicode's simple case
    mappings, so that results do not depend on the machine: `locale` is kept so
    that a model survives the round trip.

    Example:
    ```mlir
    %1 = IE.StringNormalizer %0 {case_change_action = "UPPER", stopwords = ["the"]}
        : tensor<4x!IE.String> -> tensor<?x!IE.String>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__StringNormalizer.html
  }];
  let arguments = (ins
    IE_StringTensor:$X,
    DefaultValuedAttr<IE_StringAttrOf<["NONE", "LOWER", "UPPER"]>,
                      "\"NONE\"">:$case_change_action,
    DefaultValuedAttr<I64Attr, "0">:$is_case_sensitive,
    OptionalAttr<StrAttr>:$locale,
    OptionalAttr<StrArrayAttr>:$stopwords
  );
  let results = (outs IE_StringTensor:$Y);
  let assemblyFormat = "$X attr-dict `:` type($X) `->` type($Y)";
}

def IE_StringConcatOp
    : IE_BinaryOp<"StringConcat", IE_StringTensor, IE_StringTensor> {
  let summary = "Strings joined to others, broadcasting";
  let description = IE_OpDoc<"StringConcat", "",
      "%2 = IE.StringConcat %0, %1 : tensor<4x!IE.String>, "
      "tensor<1x!IE.String> -> tensor<4x!IE.String>">.text;
}

def IE_StringSplitOp : IE_OnnxOp<"StringSplit"> {
  let summary = "The parts of strings between delimiters";
  let description = [{
    `Y` has one more dimension than the operand, as long as the string of the
    most parts has; empty strings follow the parts of the others. `Z` is the
    number of parts. Without a `delimiter`, or with an empty one, runs of white
    space delimit, and those at the ends delimit nothing. After `maxsplit`
    delimiters the rest of the string is one part.

    Example:
    ```mlir
    %1, %2 = IE.StringSplit %0 {delimiter = ","}
        : tensor<4x!IE.String> -> tensor<4x?x!IE.String>, tensor<4xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__StringSplit.html
  }];
  let arguments = (ins
    IE_StringTensor:$X,
    OptionalAttr<StrAttr>:$delimiter,
    OptionalAttr<I64Attr>:$maxsplit
  );
  let results = (outs IE_StringTensor:$Y, IE_I64Tensor:$Z);
  let assemblyFormat = "$X attr-dict `:` type($X) `->` type(results)";
  let hasVerifier = 1;
}

def IE_RegexFullMatchOp : IE_OnnxOp<"RegexFullMatch", [IE_SizesOfFirst]> {
  let summary = "Whether whole strings match a regular expression";
  let description = [{
    `pattern` has the syntax of RE2, of which classes of Unicode's properties
    (`\\p`), single bytes (`\\C`), quotations (`\\Q`) and case folding of letters
    beyond ASCII are not supported.

    Example:
    ```mlir
    %1 = IE.RegexFullMatch %0 {pattern = "[a-z]+@\\w+"}
        : tensor<4x!IE.String> -> tensor<4xi1>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__RegexFullMatch.html
  }];
  let arguments = (ins IE_StringTensor:$X, StrAttr:$pattern);
  let results = (outs IE_BoolTensor:$Y);
  let assemblyFormat = "$X attr-dict `:` type($X) `->` type($Y)";
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_IE_IR_STRING_TD
