//===- TensorTypes.h - Types of values that are tensors ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_TENSORTYPES_H
#define NACRE_SUPPORT_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace nacre {

/// The type of a value that must be a ranked tensor.
inline mlir::RankedTensorType getTensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace nacre

#endif // NACRE_SUPPORT_TENSORTYPES_H
