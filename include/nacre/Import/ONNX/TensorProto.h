//===- TensorProto.h - ONNX tensors in files --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes the `.pb` files of ONNX's test data folders.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_IMPORT_ONNX_TENSORPROTO_H
#define NACRE_IMPORT_ONNX_TENSORPROTO_H

#include "nacre/Interpreter/Datum.h"

#include <optional>
#include <string>

namespace nacre {

struct NamedTensor {
  std::string name;
  interpreter::Tensor value;
};

struct NamedDatum {
  std::string name;
  interpreter::Datum value;
};

/// ONNX's number of an element type; nothing where it has none.
std::optional<int32_t> getONNXDataType(mlir::Type element);

/// Reads a serialised TensorProto. Emits an error and fails when the file is
/// not one, or holds a type nacre has no tensors of.
mlir::FailureOr<NamedTensor> readTensorProto(llvm::StringRef path,
                                             mlir::MLIRContext &context);

/// The name in a serialised TensorProto; empty for what is none.
std::string readTensorName(llvm::StringRef path);

/// Reads what a file holds for a value of an IE type: a serialised TensorProto,
/// SequenceProto or OptionalProto. Emits an error and fails when it is not one.
mlir::FailureOr<NamedDatum> readDatumProto(llvm::StringRef path,
                                           mlir::Type type);

} // namespace nacre

#endif // NACRE_IMPORT_ONNX_TENSORPROTO_H
