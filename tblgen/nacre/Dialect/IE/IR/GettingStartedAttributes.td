//===- GettingStartedAttributes.td - The tutorial's attribute -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a dialect defines an attribute of its own. docs/Tutorial.md walks through
// this file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTEDATTRIBUTES_TD
#define NACRE_DIALECT_IE_IR_GETTINGSTARTEDATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "nacre/Dialect/IE/IR/IEBase.td"

// Base of IE's attributes.
class IE_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<IE_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def IE_GettingStartedAttr : IE_Attr<"GettingStarted", "GettingStarted"> {
  let summary = "The tutorial's attribute";
  let description = [{
    Two named parameters in a `struct` format: they may come in any order.

    Example:
    ```mlir
    #IE.GettingStarted<boolParameter = true, floatParameter = 1.0>
    ```
  }];
  let parameters = (ins "::mlir::BoolAttr":$boolParameter,
                        "::mlir::FloatAttr":$floatParameter);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTEDATTRIBUTES_TD
