//===- StringTypes.td - Strings ----------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's element type that is no number.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_STRINGTYPES_TD
#define NACRE_DIALECT_IE_IR_STRINGTYPES_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_StringType : IE_Type<"String", "String"> {
  let summary = "A string, as an element of a tensor";
  let description = [{
    A sequence of bytes that is UTF-8 by convention. A constant is a dense
    attribute of strings.

    Example:
    ```mlir
    %0 = IE.Constant dense<["a", "b"]> : tensor<2x!IE.String>
    ```
  }];
}

#endif // NACRE_DIALECT_IE_IR_STRINGTYPES_TD
