//===- ModelInterface.h - What a model looks like from outside --*- C++ -*-===//
//
// The names and types of a model's inputs and outputs. Lowering erases them
// from the module's functions, so they are read from the IE module and kept on
// the module as an attribute until code is emitted.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_MODELINTERFACE_H
#define NACRE_EMIT_MODELINTERFACE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace nacre {

/// One input or output.
struct TensorInterface {
  /// The name in the model, in the model's own spelling.
  std::string name;
  /// A C identifier derived from it, unique within the inputs or the outputs.
  std::string cName;
  mlir::RankedTensorType type;
};

/// The signature of a model, in the model's order.
struct ModelInterface {
  /// A C identifier: the prefix of every symbol of the compiled model.
  std::string name;
  std::vector<TensorInterface> inputs;
  std::vector<TensorInterface> outputs;

  /// Reads func @main of an IE module; names come from the `nacre.name`
  /// attributes of arguments and results, `inputN` and `outputN` where absent.
  /// Emits an error and fails when there is no such function or one of its
  /// values is not a ranked tensor.
  static mlir::FailureOr<ModelInterface> fromFunction(mlir::ModuleOp module,
                                                      llvm::StringRef name);

  /// Reads the `nacre.interface` attribute that `attach` wrote.
  static mlir::FailureOr<ModelInterface> fromAttribute(mlir::ModuleOp module);

  /// Stores the interface on the module as `nacre.interface`.
  void attach(mlir::ModuleOp module) const;

  /// True when every dimension is known.
  bool hasStaticShapes() const;
};

/// Turns any text into a C identifier: other characters become underscores, a
/// leading digit or a C/C++ keyword gets a prefix or suffix, and empty text
/// becomes `fallback`.
std::string toCIdentifier(llvm::StringRef text, llvm::StringRef fallback);

/// Sets the `cName`s from the `name`s so that no two are equal.
void assignCNames(std::vector<TensorInterface> &tensors,
                  llvm::StringRef fallback);

/// Bytes of one element in memory (1 for bool); 0 for a type that a compiled
/// model cannot exchange.
int64_t getElementBytes(mlir::Type elementType);

/// Bytes of a tensor of a static type.
int64_t getByteSize(mlir::RankedTensorType type);

/// The name of an element type in metadata and messages: `float32`, `int64`,
/// `bool`; empty for a type that a compiled model cannot exchange.
std::string getElementTypeName(mlir::Type elementType);

/// The inverse of getElementTypeName; null for an unknown name.
mlir::Type parseElementTypeName(mlir::MLIRContext *context,
                                llvm::StringRef name);

/// `float32[1,3,224,224]`, with `?` for unknown dimensions.
std::string describeType(mlir::RankedTensorType type);

} // namespace nacre

#endif // NACRE_EMIT_MODELINTERFACE_H
