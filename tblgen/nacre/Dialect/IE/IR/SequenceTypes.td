//===- SequenceTypes.td - Sequences and optionals ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's values that are no tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SEQUENCETYPES_TD
#define NACRE_DIALECT_IE_IR_SEQUENCETYPES_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_SequenceType : IE_Type<"Sequence", "Sequence"> {
  let summary = "A list of tensors of one element type";
  let description = [{
    Or of maps, which are all of one type.

    The elements' shapes are those of `elementType`, whose dimensions are
    dynamic where elements differ. Elements that differ in rank have an unranked
    type.

    Example:
    ```mlir
    !IE.Sequence<tensor<?x3xf32>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$elementType),
      "return $_get(elementType.getContext(), elementType);">];
}

def IE_OptionalType : IE_Type<"Optional", "Optional"> {
  let summary = "A tensor or a sequence, or nothing";
  let description = [{
    Example:
    ```mlir
    !IE.Optional<tensor<4xf32>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$elementType),
      "return $_get(elementType.getContext(), elementType);">];
}

def IE_MapType : IE_Type<"Map", "Map"> {
  let summary = "Values by keys";
  let description = [{
    Keys are `i64` or `!IE.String`, values these, `f32` or `f64`.

    Example:
    ```mlir
    !IE.Map<!IE.String, f32>
    ```
  }];
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$key, "::mlir::Type":$value),
      "return $_get(key.getContext(), key, value);">];
  let extraClassDeclaration = [{
    /// True for types that keys and values may have.
    static bool isValid(::mlir::Type key, ::mlir::Type value);
  }];
}

#endif // NACRE_DIALECT_IE_IR_SEQUENCETYPES_TD
