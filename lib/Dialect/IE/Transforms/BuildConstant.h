//===- BuildConstant.h - Constants of computed elements ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What quantization computes becomes constants that may be large.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDCONSTANT_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDCONSTANT_H

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Builders.h"

namespace nacre::IE {

/// A constant of `values`, in memory that is not the context's.
template <typename T>
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<int64_t> shape, mlir::Type element,
                          llvm::ArrayRef<T> values) {
  interpreter::Tensor tensor(mlir::RankedTensorType::get(shape, element));
  llvm::copy(values, tensor.mutableValues<T>().begin());
  return ConstantOp::create(builder, loc, tensor.toAttr());
}

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDCONSTANT_H
