//===- GettingStartedTypes.td - The tutorial's type --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a dialect defines a type of its own. docs/Tutorial.md walks through this
// file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTEDTYPES_TD
#define NACRE_DIALECT_IE_IR_GETTINGSTARTEDTYPES_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_GettingStartedTensor
    : IE_Type<"GettingStartedTensor", "GettingStartedTensor"> {
  let summary = "The tutorial's type: a number of elements and their type";
  let description = [{
    A shape may be written in place of the number of elements, which is the
    product of its sizes. The brackets around it tell the parser where the list
    ends: in `shape = 2, 5, elementType = f16` the second comma could as well
    continue the list.

    Example:
    ```mlir
    !IE.GettingStartedTensor<numElements = 10, elementType = f16>
    !IE.GettingStartedTensor<shape = [2, 5], elementType = f16>
    ```
  }];
  let parameters = (ins "int64_t":$numElements, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The builtin tensor type with one dimension of as many elements.
    ::mlir::RankedTensorType getTensorType() const;
  }];
}

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTEDTYPES_TD
