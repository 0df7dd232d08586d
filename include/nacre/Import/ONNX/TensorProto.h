//===- TensorProto.h - ONNX tensors in files --------------------*- C++ -*-===//
//
// Reads and writes the `.pb` files of ONNX's test data folders.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_IMPORT_ONNX_TENSORPROTO_H
#define NACRE_IMPORT_ONNX_TENSORPROTO_H

#include "nacre/Interpreter/Tensor.h"

#include <string>

namespace nacre {

struct NamedTensor {
  std::string name;
  interpreter::Tensor value;
};

/// Reads a serialised TensorProto. Emits an error and fails when the file is
/// not one, or holds a type nacre has no tensors of.
mlir::FailureOr<NamedTensor> readTensorProto(llvm::StringRef path,
                                             mlir::MLIRContext &context);

} // namespace nacre

#endif // NACRE_IMPORT_ONNX_TENSORPROTO_H
