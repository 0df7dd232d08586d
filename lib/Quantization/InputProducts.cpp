//===- InputProducts.cpp - How the inputs of a layer go together ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error of a row of weights w that become q is (w - q)^T H (w - q). With
// H = L L^T that is the squared length of L^T (w - q), in which element j
// depends on weights from j on alone: from the last weight to the first, each
// is rounded so that its element is the least, given those behind it. That is
// Babai's nearest plane, and the same as GPTQ (Frantar et al., 2022), without
// the inverse of H.
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/InputProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

using namespace nacre::quantization;

void nacre::quantization::addProducts(llvm::MutableArrayRef<float> triangle,
                                      size_t columns,
                                      llvm::ArrayRef<float> rows) {
  assert(triangle.size() == getTriangleSize(columns) &&
         rows.size() % columns == 0 && "expected whole rows");
  // Sums are read and written once for several rows.
  constexpr size_t kAtOnce = 4;
  for (size_t i = 0; i < columns; ++i) {
    float *sums = triangle.data() + getTriangleSize(i);
    const float *row = rows.begin();
    for (; row + kAtOnce * columns <= rows.end(); row += kAtOnce * columns) {
      const float *a = row, *b = a + columns, *c = b + columns,
                  *d = c + columns;
      float x = a[i], y = b[i], z = c[i], w = d[i];
      for (size_t j = 0; j <= i; ++j) {
        sums[j] += (x * a[j] + y * b[j]) + (z * c[j] + w * d[j]);
      }
    }
    for (; row != rows.end(); row += columns) {
      float number = row[i];
      for (size_t j = 0; j <= i; ++j) {
        sums[j] += number * row[j];
      }
    }
  }
}

/// A sum of products in lanes, which do not wait for each other.
template <typename T>
static double dot(const T *a, const double *b, size_t count) {
  constexpr size_t kLanes = 8;
  double sums[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += static_cast<double>(a[i + lane]) * b[i + lane];
    }
  }
  for (; i < count; ++i) {
    sums[0] += static_cast<double>(a[i]) * b[i];
  }
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

namespace {

/// A symmetric matrix of which the lower triangle counts.
class Matrix {
public:
  /// That of a triangle, its rows and columns in another order, with something
  /// more on the diagonal: few samples leave much open.
  Matrix(llvm::ArrayRef<float> triangle, llvm::ArrayRef<size_t> order);

  /// Becomes L, of which it was L L^T.
  void factorize();
  const double *getRow(size_t i) const { return elements.data() + i * size; }

private:
  double *getRow(size_t i) { return elements.data() + i * size; }

  size_t size;
  std::vector<double> elements;
};

} // namespace

Matrix::Matrix(llvm::ArrayRef<float> triangle, llvm::ArrayRef<size_t> order)
    : size(order.size()), elements(size * size) {
  constexpr double kDamping = 0.01;
  double sum = 0;
  for (size_t i = 0; i < size; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      auto [column, row] = std::minmax(order[i], order[j]);
      elements[i * size + j] = triangle[getTriangleSize(row) + column];
    }
    sum += elements[i * size + i];
  }
  double more = kDamping * sum / static_cast<double>(size);
  for (size_t i = 0; i < size; ++i) {
    elements[i * size + i] += more > 0 ? more : 1;
  }
}

void Matrix::factorize() {
  // Rows are read once for several others.
  constexpr size_t kBlock = 32;
  for (size_t begin = 0; begin < size; begin += kBlock) {
    size_t end = std::min(begin + kBlock, size);
    for (size_t j = 0; j < end; ++j) {
      const double *other = getRow(j);
      for (size_t i = std::max(begin, j); i < end; ++i) {
        double *row = getRow(i);
        double rest = row[j] - dot(row, other, j);
        // Rounding errors may leave less than nothing of what is damped.
        row[j] = i == j ? std::sqrt(std::max(rest, 1e-30)) : rest / other[j];
      }
    }
  }
}

static int roundTo(double value, double scale, const RoundedMatrix &matrix) {
  return static_cast<int>(std::clamp<double>(std::nearbyint(value / scale),
                                             matrix.least, matrix.largest));
}

/// The squared error of what a row computes, from the errors of its weights.
static double getError(llvm::ArrayRef<double> errors,
                       llvm::ArrayRef<float> triangle) {
  double sum = 0;
  for (size_t i = 0; i < errors.size(); ++i) {
    const float *products = triangle.data() + getTriangleSize(i);
    sum += errors[i] *
           (2 * dot(products, errors.data(), i) + products[i] * errors[i]);
  }
  return sum;
}

/// Rounds one row, from the last weight in this order to the first.
static void roundRow(const RoundedMatrix &matrix, size_t row,
                     const Matrix &factor, llvm::ArrayRef<size_t> order,
                     llvm::MutableArrayRef<int8_t> integers) {
  size_t columns = matrix.columns;
  const float *weights = matrix.weights.data() + row * columns;
  std::vector<double> behind(columns, 0);
  for (size_t i = columns; i-- > 0;) {
    size_t column = order[i];
    double weight = weights[column], scale = matrix.scaleOf(row, column);
    const double *products = factor.getRow(i);
    double wanted = weight + behind[i] / products[i];
    int integer =
        roundTo(std::isfinite(wanted) ? wanted : weight, scale, matrix);
    integers[column] = static_cast<int8_t>(integer);
    double error = weight - integer * scale;
    for (size_t j = 0; j < i; ++j) {
      behind[j] += products[j] * error;
    }
  }
}

/// Whether the diagonal is one of sums of squares.
static bool hasSquares(llvm::ArrayRef<float> triangle, size_t columns) {
  return llvm::all_of(llvm::seq(columns), [&](size_t i) {
    float square = triangle[getTriangleSize(i) + i];
    return std::isfinite(square) && square >= 0;
  });
}

/// Weights rounded to the nearest, where nobody can tell what is better.
static RoundedWeights roundToNearest(const RoundedMatrix &matrix) {
  RoundedWeights result;
  for (auto [i, weight] : llvm::enumerate(matrix.weights)) {
    double scale = matrix.scaleOf(i / matrix.columns, i % matrix.columns);
    result.integers.push_back(
        static_cast<int8_t>(roundTo(weight, scale, matrix)));
  }
  return result;
}

RoundedWeights
nacre::quantization::roundByProducts(const RoundedMatrix &matrix,
                                     llvm::ArrayRef<float> triangle) {
  size_t columns = matrix.columns;
  assert(triangle.size() == getTriangleSize(columns) &&
         "expected the products of as many columns");
  if (!hasSquares(triangle, columns)) {
    return roundToNearest(matrix);
  }
  // What counts most is rounded first, when all others can still make up for
  // it.
  std::vector<size_t> order(columns);
  std::iota(order.begin(), order.end(), 0);
  auto getKey = [&](size_t column) {
    return std::pair(triangle[getTriangleSize(column) + column], column);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return getKey(a) < getKey(b); });
  Matrix factor(triangle, order);
  factor.factorize();

  RoundedWeights result;
  result.integers.resize(matrix.weights.size());
  std::vector<double> errors(columns), nearestErrors(columns);
  std::vector<int8_t> nearest(columns);
  for (size_t row = 0; row < matrix.getNumRows(); ++row) {
    auto integers = llvm::MutableArrayRef<int8_t>(result.integers)
                        .slice(row * columns, columns);
    roundRow(matrix, row, factor, order, integers);
    for (size_t i = 0; i < columns; ++i) {
      double weight = matrix.weights[row * columns + i];
      double scale = matrix.scaleOf(row, i);
      nearest[i] = static_cast<int8_t>(roundTo(weight, scale, matrix));
      errors[i] = weight - integers[i] * scale;
      nearestErrors[i] = weight - nearest[i] * scale;
    }
    double error = getError(errors, triangle);
    double nearestError = getError(nearestErrors, triangle);
    bool areKnown = std::isfinite(error) && std::isfinite(nearestError);
    if (areKnown) {
      result.nearestError += nearestError;
      result.error += std::min(error, nearestError);
    }
    if (!areKnown || nearestError <= error) {
      llvm::copy(nearest, integers.begin());
    }
  }
  return result;
}
