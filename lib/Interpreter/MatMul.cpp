//===- MatMul.cpp - Interpreter kernels: MatMul family ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family MatMul.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/EinsumUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// The type products of `T` are summed in; sums of integers wrap.
template <typename T>
using Accumulator = std::conditional_t<
    std::is_integral_v<T>, uint64_t,
    std::conditional_t<std::is_same_v<T, double>, double, float>>;

/// A sum as an element times `factor`.
template <typename T> static T scale(Accumulator<T> sum, double factor) {
  if (factor == 1) {
    return static_cast<T>(sum);
  }
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<T>(sum) * factor);
  } else {
    return static_cast<T>(sum * factor);
  }
}

/// y (M, N) += a (M, K) * b (K, N) with given strides of a and b. Rows of y are
/// summed in a buffer, innermost over N.
template <typename T>
static void multiply(const T *a, std::pair<int64_t, int64_t> aStrides,
                     const T *b, std::pair<int64_t, int64_t> bStrides, T *y,
                     int64_t m, int64_t k, int64_t n, double alpha = 1) {
  using Acc = Accumulator<T>;
  SmallVector<Acc, 0> row(n);
  for (int64_t i = 0; i < m; ++i) {
    std::fill(row.begin(), row.end(), Acc(0));
    for (int64_t p = 0; p < k; ++p) {
      auto factor =
          static_cast<Acc>(a[i * aStrides.first + p * aStrides.second]);
      const T *bRow = b + p * bStrides.first;
      if (bStrides.second == 1) {
        for (int64_t j = 0; j < n; ++j) {
          row[j] += factor * static_cast<Acc>(bRow[j]);
        }
      } else {
        for (int64_t j = 0; j < n; ++j) {
          row[j] += factor * static_cast<Acc>(bRow[j * bStrides.second]);
        }
      }
    }
    for (int64_t j = 0; j < n; ++j) {
      y[i * n + j] = scale<T>(row[j], alpha);
    }
  }
}

/// The product by NumPy's rules of operands of the result's type.
static void evalProduct(const Tensor &lhs, const Tensor &rhs, Tensor &result) {
  SmallVector<int64_t> a(lhs.getShape()), b(rhs.getShape());
  if (a.size() == 1) {
    a.insert(a.begin(), 1);
  }
  if (b.size() == 1) {
    b.push_back(1);
  }
  int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  size_t batchRank = std::max(a.size(), b.size()) - 2;
  ArrayRef<int64_t> aBatch = ArrayRef<int64_t>(a).drop_back(2);
  ArrayRef<int64_t> bBatch = ArrayRef<int64_t>(b).drop_back(2);
  SmallVector<int64_t> batch(result.getShape().take_front(batchRank));
  SmallVector<int64_t> aStrides = computeBroadcastStrides(aBatch, batch);
  SmallVector<int64_t> bStrides = computeBroadcastStrides(bBatch, batch);
  dispatch(result.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    if constexpr (!std::is_same_v<T, bool>) {
      const T *left = lhs.values<T>().data();
      const T *right = rhs.values<T>().data();
      T *out = result.mutableValues<T>().data();
      forEachIndex(batch, [&](int64_t linear, ArrayRef<int64_t> index) {
        int64_t aOffset = 0, bOffset = 0;
        for (size_t i = 0; i < index.size(); ++i) {
          aOffset += index[i] * aStrides[i];
          bOffset += index[i] * bStrides[i];
        }
        multiply<T>(left + aOffset * m * k, {k, 1}, right + bOffset * k * n,
                    {n, 1}, out + linear * m * n, m, k, n);
      });
    }
  });
}

static LogicalResult evalMatMul(IE::MatMulOp, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  evalProduct(operands[0], operands[1], results[0]);
  return success();
}

/// The 8-bit elements less their zero points, in 32 bits.
static Tensor subtractZero(const Tensor &tensor, const Tensor &zeroPoint,
                           ArrayRef<int64_t> zeroShape) {
  Type i32 = IntegerType::get(tensor.getType().getContext(), 32);
  Tensor result(tensor.getType().clone(i32));
  std::vector<int32_t> values = load<int32_t>(tensor);
  std::vector<int32_t> zeros(values.size(), 0);
  if (zeroPoint.getType()) {
    auto type = RankedTensorType::get(zeroShape, zeroPoint.getElementType());
    zeros = load<int32_t>(zeroPoint.withType(type), tensor.getShape());
  }
  for (auto [difference, value, zero] :
       llvm::zip_equal(result.mutableValues<int32_t>(), values, zeros)) {
    difference = value - zero;
  }
  return result;
}

static LogicalResult evalMatMulInteger(IE::MatMulIntegerOp op,
                                       ArrayRef<Tensor> operands,
                                       MutableArrayRef<Tensor> results) {
  const Tensor *next = operands.data() + 2;
  Tensor lhs = op.getAZeroPoint()
                   ? subtractZero(operands[0], *next++, op.getLhsZeroShape())
                   : subtractZero(operands[0], Tensor(), {});
  Tensor rhs = op.getBZeroPoint()
                   ? subtractZero(operands[1], *next, op.getRhsZeroShape())
                   : subtractZero(operands[1], Tensor(), {});
  evalProduct(lhs, rhs, results[0]);
  return success();
}

/// Integers of `bits` bits, several to a byte, the first in its lowest ones.
static unsigned getPackedInteger(ArrayRef<uint8_t> row, int64_t i,
                                 int64_t bits) {
  constexpr int64_t kByteBits = 8;
  int64_t perByte = kByteBits / bits;
  return row[i / perByte] >> i % perByte * bits & ((1u << bits) - 1);
}

static LogicalResult evalMatMulNBits(IE::MatMulNBitsOp op,
                                     ArrayRef<Tensor> operands,
                                     MutableArrayRef<Tensor> results) {
  int64_t k = op.getK(), n = op.getN(), bits = op.getBits();
  int64_t blocks = op.getNumBlocks(), size = op.getBlockSize();
  std::vector<float> rows = load<float>(operands[0]);
  ArrayRef<uint8_t> packed = operands[1].values<uint8_t>();
  std::vector<float> scales = load<float>(operands[2]);
  std::vector<float> zeros(n * blocks, static_cast<float>(1u << (bits - 1)));
  const Tensor *next = operands.data() + 3;
  if (op.hasPackedZeroPoints()) {
    ArrayRef<uint8_t> bytes = next++->values<uint8_t>();
    int64_t perRow = static_cast<int64_t>(bytes.size()) / n;
    for (int64_t i = 0; i < n * blocks; ++i) {
      zeros[i] = static_cast<float>(getPackedInteger(
          bytes.slice(i / blocks * perRow, perRow), i % blocks, bits));
    }
  } else if (op.getZeroPoints()) {
    zeros = load<float>(*next++);
  }
  int64_t rowBytes = static_cast<int64_t>(packed.size()) / n;
  std::vector<float> weights(k * n);
  for (int64_t column = 0; column < n; ++column) {
    ArrayRef<uint8_t> integers = packed.slice(column * rowBytes, rowBytes);
    for (int64_t i = 0; i < k; ++i) {
      int64_t block = column * blocks + i / size;
      auto integer = static_cast<float>(getPackedInteger(integers, i, bits));
      weights[i * n + column] = (integer - zeros[block]) * scales[block];
    }
  }
  int64_t m = static_cast<int64_t>(rows.size()) / k;
  std::vector<float> sums(m * n);
  multiply<float>(rows.data(), {k, 1}, weights.data(), {n, 1}, sums.data(), m,
                  k, n);
  if (op.getBias()) {
    std::vector<float> bias = load<float>(*next);
    for (int64_t i = 0; i < m * n; ++i) {
      sums[i] += bias[i % n];
    }
  }
  store(sums, results[0]);
  return success();
}

static LogicalResult evalGemm(IE::GemmOp op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  int64_t m = results[0].getDim(0), n = results[0].getDim(1);
  bool transA = op.getTransA() != 0, transB = op.getTransB() != 0;
  int64_t k = operands[0].getDim(transA ? 0 : 1);
  double alpha = op.getAlpha().convertToDouble();
  double beta = op.getBeta().convertToDouble();
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    if constexpr (!std::is_same_v<T, bool>) {
      using Acc = Accumulator<T>;
      MutableArrayRef<T> out = results[0].mutableValues<T>();
      multiply<T>(operands[0].values<T>().data(),
                  transA ? std::pair(int64_t(1), m) : std::pair(k, int64_t(1)),
                  operands[1].values<T>().data(),
                  transB ? std::pair(int64_t(1), k) : std::pair(n, int64_t(1)),
                  out.data(), m, k, n, alpha);
      if (operands.size() > 2) {
        ArrayRef<T> addend = operands[2].values<T>();
        SmallVector<int64_t> strides = computeBroadcastStrides(
            operands[2].getShape(), results[0].getShape());
        forEachIndex(results[0].getShape(), [&](int64_t linear,
                                                ArrayRef<int64_t> index) {
          T value = addend[index[0] * strides[0] + index[1] * strides[1]];
          T scaled = scale<T>(static_cast<Acc>(value), beta);
          out[linear] = static_cast<T>(static_cast<Acc>(out[linear]) +
                                       static_cast<Acc>(scaled));
        });
      }
    }
  });
  return success();
}

static LogicalResult evalEinsum(IE::EinsumOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  SmallVector<Type> types =
      llvm::map_to_vector(operands, [](const Tensor &operand) -> Type {
        return operand.getType();
      });
  FailureOr<IE::EinsumEquation> equation =
      IE::resolveEinsum(op.getLoc(), op.getEquation(), types);
  if (failed(equation)) {
    return failure();
  }
  // How far a step along each letter goes in a tensor.
  auto getSteps = [&](const Tensor &tensor, ArrayRef<int64_t> letters) {
    SmallVector<int64_t> steps(equation->sizes.size(), 0);
    SmallVector<int64_t> strides = computeStrides(tensor.getShape());
    for (auto [i, letter] : llvm::enumerate(letters)) {
      steps[letter] += tensor.getDim(i) == 1 ? 0 : strides[i];
    }
    return steps;
  };
  auto getOffset = [](ArrayRef<int64_t> index, ArrayRef<int64_t> steps) {
    int64_t offset = 0;
    for (auto [i, step] : llvm::zip_equal(index, steps)) {
      offset += i * step;
    }
    return offset;
  };
  SmallVector<SmallVector<int64_t>> steps;
  for (auto [operand, letters] :
       llvm::zip_equal(operands, equation->operands)) {
    steps.push_back(getSteps(operand, letters));
  }
  SmallVector<int64_t> resultSteps = getSteps(results[0], equation->result);
  dispatchCompute(results[0].getElementType(), [&](auto tag) {
    using C = decltype(tag);
    std::vector<std::vector<C>> values;
    for (const Tensor &operand : operands) {
      values.push_back(load<C>(operand));
    }
    std::vector<C> sums(results[0].getNumElements(), C(0));
    forEachIndex(equation->sizes, [&](int64_t, ArrayRef<int64_t> index) {
      C product = 1;
      for (auto [operand, own] : llvm::zip_equal(values, steps)) {
        product = applyWrapping(product, operand[getOffset(index, own)],
                                std::multiplies<>());
      }
      C &sum = sums[getOffset(index, resultSteps)];
      sum = applyWrapping(sum, product, std::plus<>());
    });
    store(sums, results[0]);
  });
  return success();
}

/// The determinant of an n x n matrix, which is overwritten: Gaussian
/// elimination with the largest element of each column as its pivot.
static double computeDeterminant(MutableArrayRef<double> matrix, int64_t n) {
  double determinant = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::fabs(matrix[i * n + k]) > std::fabs(matrix[pivot * n + k])) {
        pivot = i;
      }
    }
    if (pivot != k) {
      for (int64_t j = k; j < n; ++j) {
        std::swap(matrix[k * n + j], matrix[pivot * n + j]);
      }
      determinant = -determinant;
    }
    double value = matrix[k * n + k];
    determinant *= value;
    for (int64_t i = k + 1; value != 0 && i < n; ++i) {
      double factor = matrix[i * n + k] / value;
      for (int64_t j = k + 1; j < n; ++j) {
        matrix[i * n + j] -= factor * matrix[k * n + j];
      }
    }
  }
  return determinant;
}

static LogicalResult evalDet(IE::DetOp, ArrayRef<Tensor> operands,
                             MutableArrayRef<Tensor> results) {
  int64_t n = operands[0].getShape().back();
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> determinants;
  for (int64_t i = 0; i < results[0].getNumElements(); ++i) {
    MutableArrayRef<double> matrix(values.data() + i * n * n, n * n);
    determinants.push_back(computeDeterminant(matrix, n));
  }
  store(determinants, results[0]);
  return success();
}

void interpreter::registerMatMulKernels(MLIRContext *context) {
  attachKernel<IE::DetOp, evalDet>(context);
  attachKernel<IE::EinsumOp, evalEinsum>(context);
  attachKernel<IE::MatMulOp, evalMatMul>(context);
  attachKernel<IE::MatMulIntegerOp, evalMatMulInteger>(context);
  attachKernel<IE::MatMulNBitsOp, evalMatMulNBits>(context);
  attachKernel<IE::GemmOp, evalGemm>(context);
}
