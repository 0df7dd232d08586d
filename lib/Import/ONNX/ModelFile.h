//===- ModelFile.h - Parsing of ONNX files ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Protobuf into a ModelProto, the weights left in the file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_MODELFILE_H
#define NACRE_LIB_IMPORT_ONNX_MODELFILE_H

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <onnx/onnx_pb.h>

namespace nacre::onnx_import {

/// Initializers with at least this many bytes of raw data stay in the file.
inline constexpr size_t kMinBytesLeftInFile = size_t(1) << 16;

/// Parses a model file; null after an emitted error. The raw data of a large
/// initializer is not read: its TensorProto says that it is external data, at
/// its offset in the model's own file. A model of any size thus costs its
/// structure in memory, and protobuf's limit of 2 GiB concerns that alone.
std::shared_ptr<onnx::ModelProto> parseModel(llvm::StringRef path,
                                             mlir::MLIRContext &context);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_MODELFILE_H
