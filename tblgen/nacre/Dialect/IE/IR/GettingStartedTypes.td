//===- GettingStartedTypes.td - The tutorial's type --------*- tablegen -*-===//
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
  let summary = "The tutorial's type: a shape and an element type";
  let description = [{
    The brackets around the shape tell the parser where the list ends: in
    `shape = 10, elementType = f16` the comma could as well continue the list.

    Example:
    ```mlir
    !IE.GettingStartedTensor<shape = [10], elementType = f16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let assemblyFormat = [{
    `<` `shape` `=` `[` $shape `]` `,` `elementType` `=` $elementType `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The builtin tensor type of the same shape and element type.
    ::mlir::RankedTensorType getTensorType() const;
  }];
}

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTEDTYPES_TD
