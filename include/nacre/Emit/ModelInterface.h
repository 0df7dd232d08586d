//===- ModelInterface.h - Inputs and outputs of a model ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What callers of a compiled model need to know of it, taken from the IE module
// before lowering.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_MODELINTERFACE_H
#define NACRE_EMIT_MODELINTERFACE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>
#include <string>
#include <vector>

namespace nacre {

/// An integer stands for (integer - zeroPoint) * scale.
struct IntegerScale {
  float scale = 1;
  int64_t zeroPoint = 0;

  /// In words: "stands for (integer - 3) * 0.25".
  std::string describe() const;
};

struct ModelTensor {
  std::string name;  // the ONNX name
  std::string cName; // a C identifier, unique among inputs or outputs
  mlir::RankedTensorType type;
  bool isRead = true; // false for an input whose value nothing uses
  mlir::Type other;   // of a value that is no tensor, which has no `type`
  /// Names of the dimensions that the type leaves open; empty where they have
  /// none, or are known.
  std::vector<std::string> dimNames;

  /// The number of the output that an input is the state of, and of that output
  /// the input's: both are one buffer. None for what is no state.
  std::optional<size_t> state = std::nullopt;
  /// Of integers that stand for floats: for which.
  std::optional<IntegerScale> integers = std::nullopt;

  mlir::Type getValueType() const { return type ? mlir::Type(type) : other; }
  /// True if compiled code takes or gives it as a value of the runtime.
  bool isRuntimeValue() const;
  /// The name of dimension `dim`: a number, a name, or "?".
  std::string getDimName(size_t dim) const;
};

struct ModelInterface {
  std::vector<ModelTensor> inputs;
  std::vector<ModelTensor> outputs;
};

/// Reads the interface off `nacre.interface` where the module has it, else off
/// @main's signature and `nacre.name` attributes. Emits an error and fails when
/// there is no @main or, unless `forInterpreter`, a value is no tensor.
mlir::FailureOr<ModelInterface> getModelInterface(mlir::ModuleOp module,
                                                  bool forInterpreter = false);

/// The outputs that have a field in the struct of outputs: those that are not
/// what a state becomes.
std::vector<ModelTensor> getOwnOutputs(const ModelInterface &interface);

/// The bytes of a tensor in its caller's memory, at most the largest number.
int64_t countBytes(mlir::RankedTensorType type);

/// True for a text that C takes for a name.
bool isCIdentifier(llvm::StringRef text);

/// `text` as a C identifier.
std::string toCIdentifier(llvm::StringRef text);

/// numpy's name of an IE element type: "float32", "uint8", "bool" …
std::string getElementTypeName(mlir::Type elementType);

/// The reverse; null for a name that is none.
mlir::Type parseElementTypeName(mlir::MLIRContext *context,
                                llvm::StringRef name);

/// The name of an element type for a tensor, and "sequence(float32)",
/// "map(int64,float32)" or "optional(sequence(float32))" for what is none.
std::string getValueTypeName(mlir::Type type);

/// The reverse, with tensors of unknown rank in sequences and optionals; null
/// for a name that is none of these.
mlir::Type parseListTypeName(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace nacre

#endif // NACRE_EMIT_MODELINTERFACE_H
