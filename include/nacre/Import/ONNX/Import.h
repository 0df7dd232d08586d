//===- Import.h - ONNX models into IE ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importer's interface, free of protobuf.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_IMPORT_ONNX_IMPORT_H
#define NACRE_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <string>
#include <vector>

namespace nacre {

struct ImportOptions {
  /// Shapes that replace the declared ones of named graph inputs.
  llvm::StringMap<llvm::SmallVector<int64_t>> shapes;
  /// Asked for another value of an input that an initializer gives one. Null
  /// leaves it at that.
  std::function<llvm::FailureOr<mlir::ElementsAttr>(
      llvm::StringRef name, mlir::RankedTensorType type)>
      replaceInitializer;
  /// Gives the value of an input that becomes a constant: the `number`th of
  /// those without an initializer, if it is one of them. `type` is null where
  /// the model does not say its shape.
  using ReadValue = std::function<llvm::FailureOr<mlir::ElementsAttr>(
      std::optional<unsigned> number, mlir::RankedTensorType type)>;
  /// The inputs to be fixed, by name.
  llvm::StringMap<ReadValue> values;
};

enum class ImportStatus {
  Success,
  /// The model is well-formed but uses something nacre does not support.
  Unsupported,
  /// The model, or a file it refers to, is malformed.
  BadInput
};

struct ImportResult {
  ImportStatus status = ImportStatus::Success;
  /// `func.func @main` of IE ops; null unless the status is Success.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Reads an ONNX model and builds its IE module. Arguments and results of
/// @main are in the graph's order and carry their ONNX names as `nacre.name`;
/// `nacre.dims` names the dimensions of arguments that the model names and does
/// not fix. Equal names are equal sizes. Other values have their names in their
/// locations (ValueNames.h). Keys and values of the model's metadata_props take
/// turns in the module's `nacre.metadata`.
/// Initializers refer to the parsed model's memory, which lives as long as
/// they do. Errors are diagnostics of `context`, located at the node.
ImportResult importONNXModel(llvm::StringRef path, mlir::MLIRContext &context,
                             const ImportOptions &options = {});

/// What `nacre info` shows of a model, whether or not it can be compiled.
struct ModelInfo {
  struct Value {
    std::string name;
    std::string type; // as "float32[1,3,224,224]"
    bool isTensor = false;
    /// A tensor with a dimension that the model does not fix.
    bool isDynamic = false;
    /// Of a tensor of known rank; -1 where the model does not fix a size.
    std::optional<std::vector<int64_t>> shape = std::nullopt;
    /// As many names of its sizes; empty where the model gives none.
    std::vector<std::string> sizeNames = {};
  };
  struct Unsupported {
    std::string node;
    std::string op;
    std::string reason;
  };
  std::string name;
  std::string producer;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<Value> inputs, outputs;
  /// Inputs that have initializers, which are not among `inputs`.
  std::vector<std::string> initializedInputs;
  std::vector<std::pair<std::string, int64_t>> operators; // name and count
  int64_t parameters = 0;
  int64_t parameterBytes = 0;
  std::vector<Unsupported> unsupported;
};

/// Reads only the model's structure. Fails, with a diagnostic, when the file
/// is not a readable model.
llvm::FailureOr<ModelInfo> inspectONNXModel(llvm::StringRef path,
                                            mlir::MLIRContext &context);

} // namespace nacre

#endif // NACRE_IMPORT_ONNX_IMPORT_H
