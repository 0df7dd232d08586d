//===- InputProducts.h - How the inputs of a layer go together --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding a weight to the wrong side is made up for by rounding others to the
// other side, if they are multiplied by the same numbers. What tells that is
// the matrix of sums of products of inputs, X^T X: half the Hessian of the
// squared error of a layer's result.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_INPUTPRODUCTS_H
#define NACRE_QUANTIZATION_INPUTPRODUCTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace nacre::quantization {

/// Layers with more numbers in a sum keep weights rounded to the nearest: the
/// matrix has as many rows.
inline constexpr size_t kMostColumns = 4608;

/// The lower triangle of a symmetric matrix, row by row.
inline size_t getTriangleSize(size_t columns) {
  return columns * (columns + 1) / 2;
}

/// Adds the products of the numbers of each row to a triangle of as many
/// columns.
void addProducts(llvm::MutableArrayRef<float> triangle, size_t columns,
                 llvm::ArrayRef<float> rows);

/// Weights of one group of a layer: each row computes one channel.
struct RoundedMatrix {
  llvm::ArrayRef<float> weights;
  size_t columns;
  /// The scale of a weight, and the least and the largest integer.
  llvm::function_ref<float(size_t row, size_t column)> scaleOf;
  int least, largest;

  size_t getNumRows() const { return weights.size() / columns; }
};

/// Integers for the weights, and the sums of squared errors of the layer's
/// result with them and with the nearest ones. Rows for which the nearest ones
/// are better have these, and those whose errors are no numbers, which do not
/// count.
struct RoundedWeights {
  std::vector<int8_t> integers;
  double error = 0, nearestError = 0;
};

/// Rounds weight by weight, and has those that are left make up for the error,
/// as far as the inputs that a triangle is of allow. A triangle that is of none
/// gives the nearest integers.
RoundedWeights roundByProducts(const RoundedMatrix &matrix,
                               llvm::ArrayRef<float> triangle);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_INPUTPRODUCTS_H
