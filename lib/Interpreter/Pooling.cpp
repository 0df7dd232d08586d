//===- Pooling.cpp - Interpreter kernels: Pooling family ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Pooling.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Calls `visit(output, input)` with linear spatial positions for every element
/// of the window of every output; `input` is nothing in the padding.
static void forEachWindowElement(
    const IE::Window &window, ArrayRef<int64_t> spatial,
    llvm::function_ref<void(int64_t)> begin,
    llvm::function_ref<void(int64_t, std::optional<int64_t>, bool)> visit) {
  SmallVector<int64_t> strides = computeStrides(spatial);
  forEachIndex(window.output, [&](int64_t output, ArrayRef<int64_t> position) {
    begin(output);
    forEachIndex(window.kernel, [&](int64_t, ArrayRef<int64_t> k) {
      int64_t input = 0;
      bool inside = true, inPads = true;
      for (size_t i = 0; i < k.size(); ++i) {
        int64_t at = position[i] * window.strides[i] +
                     k[i] * window.dilations[i] - window.padsBegin[i];
        inside &= at >= 0 && at < spatial[i];
        inPads &= at < spatial[i] + window.padsEnd[i];
        input += at * strides[i];
      }
      visit(output, inside ? std::optional<int64_t>(input) : std::nullopt,
            inPads);
    });
  });
}

/// Calls `visit(input offset, output offset)` for every (batch, channel) plane.
static void forEachPlane(const Tensor &input, const Tensor &output,
                         llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t planes = input.getDim(0) * input.getDim(1);
  for (int64_t plane = 0; plane < planes; ++plane) {
    visit(plane * (input.getNumElements() / planes),
          plane * (output.getNumElements() / planes));
  }
}

/// Shared by both forms of MaxPool; `indices` may be null. A NaN wins.
template <typename OpT>
static LogicalResult evalMaxPool(OpT op, const Tensor &input, Tensor &output,
                                 Tensor *indices, bool columnMajor) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return failure();
  }
  ArrayRef<int64_t> spatial = input.getShape().drop_front(2);
  auto toColumnMajor = [&](int64_t position) {
    SmallVector<int64_t> index(spatial.size());
    for (int64_t i = static_cast<int64_t>(spatial.size()) - 1; i >= 0; --i) {
      index[i] = position % spatial[i];
      position /= spatial[i];
    }
    int64_t result = 0;
    for (int64_t i = static_cast<int64_t>(spatial.size()) - 1; i >= 0; --i) {
      result = result * spatial[i] + index[i];
    }
    return result;
  };
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = input.values<T>();
    MutableArrayRef<T> out = output.mutableValues<T>();
    forEachPlane(input, output, [&](int64_t inBase, int64_t outBase) {
      std::optional<int64_t> best;
      forEachWindowElement(
          *window, spatial,
          [&](int64_t o) {
            best.reset();
            if constexpr (std::is_integral_v<T>) {
              out[outBase + o] = std::numeric_limits<T>::lowest();
            } else {
              out[outBase + o] =
                  static_cast<T>(-std::numeric_limits<float>::infinity());
            }
          },
          [&](int64_t o, std::optional<int64_t> position, bool) {
            if (!position) {
              return;
            }
            T value = in[inBase + *position];
            T current = out[outBase + o];
            if (!best || value > current || value != value) {
              best = position;
              out[outBase + o] = value;
              if (indices) {
                indices->mutableValues<int64_t>()[outBase + o] =
                    inBase +
                    (columnMajor ? toColumnMajor(*position) : *position);
              }
            }
          });
    });
  });
  return success();
}

static LogicalResult evalMaxPoolValues(IE::MaxPoolOp op,
                                       ArrayRef<Tensor> operands,
                                       MutableArrayRef<Tensor> results) {
  return evalMaxPool(op, operands[0], results[0], nullptr, false);
}

static LogicalResult evalMaxPoolIndices(IE::MaxPoolWithIndicesOp op,
                                        ArrayRef<Tensor> operands,
                                        MutableArrayRef<Tensor> results) {
  return evalMaxPool(op, operands[0], results[0], &results[1],
                     op.getStorageOrder() != 0);
}

static LogicalResult evalAveragePool(IE::AveragePoolOp op,
                                     ArrayRef<Tensor> operands,
                                     MutableArrayRef<Tensor> results) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return failure();
  }
  ArrayRef<int64_t> spatial = operands[0].getShape().drop_front(2);
  bool countPads = op.getCountIncludePad() != 0;
  int64_t outputs = results[0].getNumElements() /
                    (results[0].getDim(0) * results[0].getDim(1));
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    SmallVector<double, 0> sums(outputs);
    SmallVector<int64_t, 0> counts(outputs);
    forEachPlane(operands[0], results[0], [&](int64_t inBase, int64_t outBase) {
      forEachWindowElement(
          *window, spatial, [&](int64_t o) { sums[o] = counts[o] = 0; },
          [&](int64_t o, std::optional<int64_t> position, bool inPads) {
            if (position) {
              sums[o] += static_cast<double>(in[inBase + *position]);
            }
            counts[o] += position || (countPads && inPads);
          });
      for (int64_t o = 0; o < outputs; ++o) {
        out[outBase + o] = static_cast<T>(sums[o] / counts[o]);
      }
    });
  });
  return success();
}

template <bool isMax, typename OpT>
static LogicalResult evalGlobalPool(OpT op, ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  int64_t planes = std::max<int64_t>(results[0].getNumElements(), 1);
  int64_t plane = operands[0].getNumElements() / planes;
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    for (auto [i, out] : llvm::enumerate(results[0].mutableValues<T>())) {
      double value = isMax ? -std::numeric_limits<double>::infinity() : 0;
      for (T element : in.slice(i * plane, plane)) {
        double x = static_cast<double>(element);
        if (!isMax) {
          value += x;
        } else if (x > value || x != x) {
          value = x;
        }
      }
      out = static_cast<T>(isMax ? value : value / plane);
    }
  });
  return success();
}

static LogicalResult evalMaxUnpool(IE::MaxUnpoolOp op,
                                   ArrayRef<Tensor> operands,
                                   MutableArrayRef<Tensor> results) {
  FailureOr<SmallVector<int64_t>> pooled = op.getPooledShape();
  if (failed(pooled)) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(*pooled);
  SmallVector<int64_t> resultStrides = computeStrides(results[0].getShape());
  int64_t count = ShapedType::getNumElements(*pooled);
  ArrayRef<int64_t> indices = operands[1].values<int64_t>();
  return dispatch(results[0].getElementType(), [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    std::fill(out.begin(), out.end(), T());
    for (auto [element, index] : llvm::zip_equal(in, indices)) {
      int64_t rest = index < 0 ? index + count : index;
      if (rest < 0 || rest >= count) {
        return op.emitOpError("expected indices below ")
               << count << ", found " << index;
      }
      // The same place in a result that may be larger.
      int64_t position = 0;
      for (auto [from, to] : llvm::zip_equal(strides, resultStrides)) {
        position += rest / from * to;
        rest %= from;
      }
      out[position] = element;
    }
    return success();
  });
}

void interpreter::registerPoolingKernels(MLIRContext *context) {
  attachKernel<IE::MaxPoolOp, evalMaxPoolValues>(context);
  attachKernel<IE::MaxPoolWithIndicesOp, evalMaxPoolIndices>(context);
  attachKernel<IE::AveragePoolOp, evalAveragePool>(context);
  attachKernel<IE::MaxUnpoolOp, evalMaxUnpool>(context);
  attachKernel<IE::GlobalAveragePoolOp,
               evalGlobalPool<false, IE::GlobalAveragePoolOp>>(context);
  attachKernel<IE::GlobalMaxPoolOp, evalGlobalPool<true, IE::GlobalMaxPoolOp>>(
      context);
}
