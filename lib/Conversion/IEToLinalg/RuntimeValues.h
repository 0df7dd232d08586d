//===- RuntimeValues.h - Tensors as values of the runtime -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the families share that the runtime computes: sequences and optionals
// are its values (!rt.value, "handles"), and tensors become such values to be
// elements or operands of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMEVALUES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMEVALUES_H

#include "Common.h"

#include "nacre/Dialect/Runtime/IR/Runtime.h"

namespace nacre {

/// Builds ops of the Runtime dialect in place of an IE op.
class RuntimeBuilder {
public:
  RuntimeBuilder(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op)
      : rewriter(rewriter), loc(op->getLoc()),
        module(op->getParentOfType<mlir::ModuleOp>()) {}

  /// Builds an op with one result.
  template <typename OpT, typename... Args> mlir::Value create(Args... args) {
    return OpT::create(rewriter, loc, args...);
  }

  /// The only element of a converted tensor of integers, as an i64.
  mlir::Value buildPosition(mlir::Value tensor);

  /// `converted`, the lowered form of an IE tensor with these elements, as a
  /// value of the runtime.
  mlir::Value toHandle(mlir::Value converted, mlir::Type element);
  /// The converted form of an IE value, as a value of the runtime.
  mlir::Value toHandle(mlir::Value ieValue, mlir::Value converted) {
    return mlir::isa<mlir::TensorType>(ieValue.getType())
               ? toHandle(converted, mlir::getElementTypeOrSelf(ieValue))
               : converted;
  }

  /// The tensor of IE type `type` that a handle holds, which the runtime checks
  /// to be one. Null for a tensor of unknown rank.
  mlir::Value toTensor(mlir::Value handle, mlir::Type type);
  /// The same for a handle that is known to be such a tensor, of `sizes`.
  mlir::Value toTensor(mlir::Value handle, mlir::Type type,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The tensors of these IE types in a sequence of as many, one after the
  /// other.
  llvm::SmallVector<mlir::Value> toTensors(mlir::Value sequence,
                                           mlir::TypeRange types);

private:
  mlir::RankedTensorType convert(mlir::Type type);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location loc;
  mlir::ModuleOp module;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMEVALUES_H
