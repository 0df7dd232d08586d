//===- TensorData.h - TensorProto into attributes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and constant data of ONNX as MLIR's.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_TENSORDATA_H
#define NACRE_LIB_IMPORT_ONNX_TENSORDATA_H

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <memory>
#include <onnx/onnx_pb.h>

namespace nacre::onnx_import {

/// Results of more elements than this are taken for a mistake in the model.
inline constexpr int64_t kMaxElements = int64_t(1) << 33;

/// The element type of a TensorProto data type; null when there is none in IE.
mlir::Type getElementType(mlir::MLIRContext *context, int32_t dataType);

/// "float32" and so on, ONNX's own name where IE has no such type.
std::string getDataTypeName(int32_t dataType);

/// The type of a tensor with the given dims. Emits an error on negative or
/// absurd ones and on element types IE lacks.
mlir::FailureOr<mlir::RankedTensorType>
getTensorType(mlir::Location loc, int32_t dataType,
              llvm::ArrayRef<int64_t> dims);

/// The value of a tensor. Large raw data is not copied: the attribute keeps
/// `owner` alive instead. `folder` is where external data files are.
mlir::FailureOr<mlir::ElementsAttr>
importTensor(mlir::Location loc, const onnx::TensorProto &tensor,
             std::shared_ptr<const void> owner, llvm::StringRef folder);

/// The same, with memory of its own, of which nothing stays in the context:
/// there may be any number of them.
mlir::FailureOr<interpreter::Tensor> readTensor(mlir::Location loc,
                                                const onnx::TensorProto &tensor,
                                                llvm::StringRef folder);

/// A sparse tensor as a dense one.
mlir::FailureOr<mlir::ElementsAttr>
importSparseTensor(mlir::Location loc, const onnx::SparseTensorProto &sparse,
                   std::shared_ptr<const void> owner, llvm::StringRef folder);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_TENSORDATA_H
