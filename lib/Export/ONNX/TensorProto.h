//===- TensorProto.h - Types and constants as ONNX's ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lib/Import/ONNX/TensorData.h reads.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EXPORT_ONNX_TENSORPROTO_H
#define NACRE_LIB_EXPORT_ONNX_TENSORPROTO_H

#include "nacre/Interpreter/Tensor.h"

#include <onnx/onnx_pb.h>
#include <optional>

namespace nacre::onnx_export {

/// The operator set that the newest element type within `type` came with.
int64_t getOpset(mlir::Type type);

/// Writes an IE type; `dimensions`, if given, names those that are dynamic.
/// False for a type that ONNX does not have.
bool writeType(mlir::Type type, mlir::ArrayAttr dimensions,
               onnx::TypeProto &proto);

/// The bytes of a constant as ONNX stores them.
class RawData {
public:
  explicit RawData(interpreter::Tensor tensor);

  llvm::ArrayRef<char> get() const {
    return packed.empty() ? tensor.getBytes() : llvm::ArrayRef<char>(packed);
  }

private:
  interpreter::Tensor tensor;
  /// Of elements that share bytes.
  std::vector<char> packed;
};

/// Writes element type and sizes, and the elements where these are strings.
/// Others come back, for whoever knows where they go. Fails where the constant
/// has no elements at hand, or ones that ONNX does not have.
mlir::FailureOr<std::optional<RawData>> writeTensor(mlir::ElementsAttr value,
                                                    onnx::TensorProto &proto);

} // namespace nacre::onnx_export

#endif // NACRE_LIB_EXPORT_ONNX_TENSORPROTO_H
