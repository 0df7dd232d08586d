//===- Stacking.h - Tensors from parts, and parts of tensors ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops and sequences take from tensors and put together.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_INTERPRETER_STACKING_H
#define NACRE_LIB_INTERPRETER_STACKING_H

#include "Kernels.h"

namespace nacre::interpreter {

/// Elements [offset, offset + size) along `axis`.
Tensor takeSection(const Tensor &whole, int64_t axis, int64_t offset,
                   int64_t size);

/// The elements at `position` of `axis`, which goes.
Tensor takeSlice(const Tensor &whole, int64_t axis, int64_t position);

/// Tensors of one shape side by side along a new dimension `axis`, the last in
/// front when `reversed`. Without elements, the other dimensions are those of
/// `elementType`. Emits an error on `op` when shapes differ.
mlir::FailureOr<Tensor> stack(mlir::Operation *op,
                              llvm::ArrayRef<Datum> elements,
                              mlir::RankedTensorType elementType, int64_t axis,
                              bool reversed);

/// Tensors joined along `axis`; there is one at least. Emits an error on `op`
/// when their other dimensions differ.
mlir::FailureOr<Tensor> concat(mlir::Operation *op,
                               llvm::ArrayRef<Datum> elements, int64_t axis);

} // namespace nacre::interpreter

#endif // NACRE_LIB_INTERPRETER_STACKING_H
