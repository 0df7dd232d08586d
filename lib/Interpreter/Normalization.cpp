//===- Normalization.cpp - Interpreter kernels: Normalization family ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Normalization.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cmath>
#include <numeric>

#include "nacre/Dialect/IE/IR/Normalization.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Elements after dimension 1: one channel of one instance.
static int64_t getPlane(const Tensor &tensor) {
  int64_t plane = 1;
  for (int64_t dim : tensor.getShape().drop_front(2)) {
    plane *= dim;
  }
  return plane;
}

static LogicalResult evalBatchNormalization(IE::BatchNormalizationOp op,
                                            ArrayRef<Tensor> operands,
                                            MutableArrayRef<Tensor> results) {
  int64_t channels = results[0].getDim(1), plane = getPlane(results[0]);
  double epsilon = op.getEpsilon().convertToDouble();
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (size_t i = 0; i < in.size(); ++i) {
      int64_t c = i / plane % channels;
      double scale = operands[1].getDouble(c) /
                     std::sqrt(operands[4].getDouble(c) + epsilon);
      out[i] = static_cast<T>(
          (static_cast<double>(in[i]) - operands[3].getDouble(c)) * scale +
          operands[2].getDouble(c));
    }
  });
  return success();
}

static LogicalResult
evalInstanceNormalization(IE::InstanceNormalizationOp op,
                          ArrayRef<Tensor> operands,
                          MutableArrayRef<Tensor> results) {
  int64_t channels = results[0].getDim(1), plane = getPlane(results[0]);
  double epsilon = op.getEpsilon().convertToDouble();
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (size_t first = 0; first < in.size(); first += plane) {
      double mean = 0, variance = 0;
      for (T x : in.slice(first, plane)) {
        mean += static_cast<double>(x) / plane;
      }
      for (T x : in.slice(first, plane)) {
        double centred = static_cast<double>(x) - mean;
        variance += centred * centred / plane;
      }
      int64_t c = first / plane % channels;
      double scale = operands[1].getDouble(c) / std::sqrt(variance + epsilon);
      for (int64_t i = 0; i < plane; ++i) {
        out[first + i] =
            static_cast<T>((static_cast<double>(in[first + i]) - mean) * scale +
                           operands[2].getDouble(c));
      }
    }
  });
  return success();
}

namespace {
/// The mean of some elements and the inverse of their deviation from it.
struct Statistics {
  template <typename T> Statistics(ArrayRef<T> elements, double epsilon) {
    auto count = static_cast<double>(elements.size());
    double sum = 0, squares = 0;
    for (T x : elements) {
      sum += static_cast<double>(x);
    }
    mean = sum / count;
    for (T x : elements) {
      double centred = static_cast<double>(x) - mean;
      squares += centred * centred;
    }
    inverse = 1 / std::sqrt(squares / count + epsilon);
  }

  double mean, inverse;
};
} // namespace

/// The number of the element that is read at an index.
static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(),
                            int64_t(0));
}

static LogicalResult evalLayerNormalization(IE::LayerNormalizationOp op,
                                            ArrayRef<Tensor> operands,
                                            MutableArrayRef<Tensor> results) {
  if (results[0].getShape() != operands[0].getShape()) {
    return op.emitOpError("expected scale and bias that broadcast to the "
                          "input's shape, found results of ")
           << results[0].getType() << " for " << operands[0].getType();
  }
  double epsilon = op.getEpsilon().convertToDouble();
  int64_t count = results[1].getNumElements(), length = 1;
  for (int64_t dim : operands[0].getShape().drop_front(op.getFirstDim())) {
    length *= dim;
  }
  std::vector<Statistics> statistics;
  dispatch(operands[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    for (int64_t i = 0; i < count; ++i) {
      statistics.emplace_back(in.slice(i * length, length), epsilon);
    }
    auto getStrides = [&](size_t i) {
      return computeBroadcastStrides(operands[i].getShape(),
                                     results[0].getShape());
    };
    SmallVector<int64_t> scale = getStrides(1);
    SmallVector<int64_t> bias;
    if (operands.size() > 2) {
      bias = getStrides(2);
    }
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    forEachIndex(results[0].getShape(), [&](int64_t i, ArrayRef<int64_t> at) {
      const Statistics &own = statistics[i / length];
      double value = (static_cast<double>(in[i]) - own.mean) * own.inverse *
                     operands[1].getDouble(linearize(at, scale));
      if (!bias.empty()) {
        value += operands[2].getDouble(linearize(at, bias));
      }
      out[i] = static_cast<T>(value);
    });
  });
  dispatch(results[1].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    for (auto [i, own] : llvm::enumerate(statistics)) {
      results[1].mutableValues<T>()[i] = static_cast<T>(own.mean);
      results[2].mutableValues<T>()[i] = static_cast<T>(own.inverse);
    }
  });
  return success();
}

static LogicalResult evalLRN(IE::LRNOp op, ArrayRef<Tensor> operands,
                             MutableArrayRef<Tensor> results) {
  int64_t channels = results[0].getDim(1), plane = getPlane(results[0]);
  int64_t size = op.getSize();
  int64_t before = (size - 1) / 2, after = size / 2;
  double factor = op.getAlpha().convertToDouble() / size;
  double beta = op.getBeta().convertToDouble();
  double bias = op.getBias().convertToDouble();
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (int64_t i = 0, e = in.size(); i < e; ++i) {
      int64_t c = i / plane % channels;
      double sum = 0;
      for (int64_t other = std::max<int64_t>(c - before, 0);
           other <= std::min(c + after, channels - 1); ++other) {
        double x = static_cast<double>(in[i + (other - c) * plane]);
        sum += x * x;
      }
      out[i] = static_cast<T>(static_cast<double>(in[i]) /
                              std::pow(bias + factor * sum, beta));
    }
  });
  return success();
}

/// Calls `visit(row in, row out)` with the elements along `axis` as doubles,
/// for every position of the other dimensions.
static void
forEachRowAlong(const Tensor &input, Tensor &output, int64_t axis,
                llvm::function_ref<void(MutableArrayRef<double>)> visit) {
  int64_t rank = input.getRank();
  if (axis < 0) {
    axis += rank;
  }
  int64_t length = rank == 0 ? 1 : input.getDim(axis);
  int64_t inner = 1;
  for (int64_t i = axis + 1; i < rank; ++i) {
    inner *= input.getDim(i);
  }
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = input.values<T>();
    MutableArrayRef<T> out = output.mutableValues<T>();
    SmallVector<double> row(length);
    for (int64_t start = 0, e = in.size(); start < e; ++start) {
      if (start / inner % length != 0) {
        continue;
      }
      for (int64_t i = 0; i < length; ++i) {
        row[i] = static_cast<double>(in[start + i * inner]);
      }
      visit(row);
      for (int64_t i = 0; i < length; ++i) {
        out[start + i * inner] = static_cast<T>(row[i]);
      }
    }
  });
}

static LogicalResult evalSoftmax(IE::SoftmaxOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  forEachRowAlong(operands[0], results[0], op.getAxis(),
                  [](MutableArrayRef<double> row) {
                    double max = *llvm::max_element(row), sum = 0;
                    for (double &x : row) {
                      x = std::exp(x - max);
                      sum += x;
                    }
                    for (double &x : row) {
                      x /= sum;
                    }
                  });
  return success();
}

static LogicalResult evalLogSoftmax(IE::LogSoftmaxOp op,
                                    ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  forEachRowAlong(operands[0], results[0], op.getAxis(),
                  [](MutableArrayRef<double> row) {
                    double max = *llvm::max_element(row), sum = 0;
                    for (double x : row) {
                      sum += std::exp(x - max);
                    }
                    for (double &x : row) {
                      x = x - max - std::log(sum);
                    }
                  });
  return success();
}

static LogicalResult evalHardmax(IE::HardmaxOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  forEachRowAlong(operands[0], results[0], op.getAxis(),
                  [](MutableArrayRef<double> row) {
                    auto *best = llvm::max_element(row);
                    int64_t position = std::distance(row.begin(), best);
                    llvm::fill(row, 0);
                    row[position] = 1;
                  });
  return success();
}

void interpreter::registerNormalizationKernels(MLIRContext *context) {
  attachKernel<IE::BatchNormalizationOp, evalBatchNormalization>(context);
  attachKernel<IE::InstanceNormalizationOp, evalInstanceNormalization>(context);
  attachKernel<IE::LayerNormalizationOp, evalLayerNormalization>(context);
  attachKernel<IE::LRNOp, evalLRN>(context);
  attachKernel<IE::SoftmaxOp, evalSoftmax>(context);
  attachKernel<IE::LogSoftmaxOp, evalLogSoftmax>(context);
  attachKernel<IE::HardmaxOp, evalHardmax>(context);
}
