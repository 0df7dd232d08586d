//===- OperatorForms.h - Which operator an op is ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op of IE is the ONNX operator of its name, with the same inputs in order
// and the same attributes. What is otherwise is told here.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EXPORT_ONNX_OPERATORFORMS_H
#define NACRE_LIB_EXPORT_ONNX_OPERATORFORMS_H

#include "mlir/IR/Operation.h"

namespace nacre::onnx_export {

/// What a model is written in where nothing asks for a newer one.
inline constexpr int64_t kDefaultOpset = 21;

struct OperatorForm {
  llvm::StringRef name;
  llvm::StringRef domain;
  /// The operator set of the domain that has the operator and its attributes.
  int64_t opset = kDefaultOpset;
};

/// The operator that an op is; nothing where ONNX has none.
std::optional<OperatorForm> findForm(mlir::Operation *op);

/// The inputs of the node, null for those left out. No trailing ones are,
/// unless the operator needs as many.
llvm::SmallVector<mlir::Value> getInputs(mlir::Operation *op);

/// The attributes of the node: those that are not what they are by default.
mlir::NamedAttrList getAttributes(mlir::Operation *op);

/// True where the operator may be used without its output of that number.
bool isOptionalOutput(const OperatorForm &form, unsigned number);

/// True where an attribute is a whole type rather than an element type.
bool isTypeAttribute(const OperatorForm &form, llvm::StringRef name);

} // namespace nacre::onnx_export

#endif // NACRE_LIB_EXPORT_ONNX_OPERATORFORMS_H
