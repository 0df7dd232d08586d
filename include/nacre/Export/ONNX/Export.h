//===- Export.h - IE into ONNX models ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exporter's interface, free of protobuf.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EXPORT_ONNX_EXPORT_H
#define NACRE_EXPORT_ONNX_EXPORT_H

#include "mlir/IR/BuiltinOps.h"

namespace nacre {
namespace interpreter {
class Tensor;
} // namespace interpreter

enum class ExportStatus {
  Success,
  /// The module holds what ONNX has no form for.
  Unsupported,
  /// A file cannot be written.
  BadOutput
};

/// Writes `func.func @main` of IE ops as an ONNX model of operator set 21, or
/// of the least newer one that has the operators that it needs. Constants
/// become initializers. Nodes and values have the names that the importer has
/// left in their locations (ValueNames.h); a value without one is called
/// NODE#k.
///
/// From 2 GB on, which is protobuf's limit, constants of 1 KB and more go to a
/// file beside the model, PATH.data; with `usesExternalData` always. Errors are
/// diagnostics of the module's context, located at the node.
ExportStatus exportONNXModel(mlir::ModuleOp module, llvm::StringRef path,
                             bool usesExternalData = false);

/// The same into a stream, which can have no file beside it: too large a model
/// is an error.
mlir::LogicalResult exportONNXModel(mlir::ModuleOp module,
                                    llvm::raw_ostream &os);

/// The bytes of a TensorProto, as files of test data have them, of numbers that
/// are whole bytes.
std::string formatTensorProto(llvm::StringRef name,
                              const interpreter::Tensor &tensor);

} // namespace nacre

#endif // NACRE_EXPORT_ONNX_EXPORT_H
