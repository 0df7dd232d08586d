//===- Movement.h - Kernels that copy elements ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copying of elements whatever their type, for the kernels that only decide
// which element goes where.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_INTERPRETER_MOVEMENT_H
#define NACRE_LIB_INTERPRETER_MOVEMENT_H

#include "Kernels.h"

#include "mlir/IR/Operation.h"
#include <array>

namespace nacre::interpreter {

/// The linear position in the source of the element at `index` of the result;
/// negative for an element that stays as it is.
using SourceFn =
    llvm::function_ref<int64_t(int64_t linear, llvm::ArrayRef<int64_t> index)>;

/// Calls `visit` with an object as wide as an element: only the width matters
/// for a copy.
template <typename Visitor>
void dispatchWidth(mlir::Type elementType, Visitor &&visit) {
  switch (getElementBytes(elementType)) {
  case 1:
    return visit(uint8_t());
  case 2:
    return visit(uint16_t());
  case 4:
    return visit(uint32_t());
  case 8:
    return visit(uint64_t());
  default: // complex128
    return visit(std::array<uint64_t, 2>());
  }
}

/// Fills `out` with elements of `in`.
inline void gatherElements(const Tensor &in, Tensor &out, SourceFn source) {
  dispatchWidth(in.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    llvm::ArrayRef<T> from = in.values<T>();
    llvm::MutableArrayRef<T> to = out.mutableValues<T>();
    forEachIndex(out.getShape(),
                 [&](int64_t linear, llvm::ArrayRef<int64_t> index) {
                   int64_t position = source(linear, index);
                   if (position >= 0) {
                     to[linear] = from[position];
                   }
                 });
  });
}

/// Fills `out` with elements of `in`: from `first` on, steps of `strides`.
inline void gatherStrided(const Tensor &in, Tensor &out, int64_t first,
                          llvm::ArrayRef<int64_t> strides) {
  if (out.getRank() == 0) {
    return gatherElements(
        in, out, [&](int64_t, llvm::ArrayRef<int64_t>) { return first; });
  }
  int64_t width = out.getShape().back(), step = strides.back();
  dispatchWidth(in.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    llvm::ArrayRef<T> from = in.values<T>();
    T *to = out.mutableValues<T>().data();
    forEachIndex(out.getShape().drop_back(),
                 [&](int64_t, llvm::ArrayRef<int64_t> index) {
                   int64_t position = first;
                   for (auto [i, stride] : llvm::zip_first(index, strides)) {
                     position += i * stride;
                   }
                   for (int64_t i = 0; i < width; ++i) {
                     *to++ = from[position + i * step];
                   }
                 });
  });
}

/// `out` gets the elements of `in` in the same order.
inline void copyElements(const Tensor &in, Tensor &out) {
  llvm::copy(in.getBytes(), out.getMutableBytes().begin());
}

/// The elements of an integer tensor; nothing when the optional operand is
/// missing.
inline std::optional<llvm::SmallVector<int64_t>> getInts(const Tensor *tensor) {
  if (!tensor) {
    return std::nullopt;
  }
  llvm::SmallVector<int64_t> values;
  for (int64_t i = 0; i < tensor->getNumElements(); ++i) {
    values.push_back(tensor->getInt(i));
  }
  return values;
}

/// Succeeds when the shape that the operands' values ask for is the result's,
/// which a model may declare wrongly.
inline llvm::LogicalResult checkShape(mlir::Operation *op,
                                      llvm::ArrayRef<int64_t> computed,
                                      const Tensor &result) {
  if (computed == result.getShape()) {
    return mlir::success();
  }
  mlir::InFlightDiagnostic diag = op->emitError("expected values that give ")
                                  << result.getType()
                                  << ", found values that give a shape of ";
  llvm::interleaveComma(computed, diag);
  return diag;
}

} // namespace nacre::interpreter

#endif // NACRE_LIB_INTERPRETER_MOVEMENT_H
