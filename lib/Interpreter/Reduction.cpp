//===- Reduction.cpp - Interpreter kernels: Reduction family ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Reduction.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include <cmath>

#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Reduces `input` along `axes`: acc starts at `init`, takes in each element
/// with `combine`, and `finish(acc, count)` gives the result. In double, or in
/// 64-bit integers of the elements' sign for integers, so that large ones stay
/// exact, unless the combined values are no integers.
template <bool inDouble = false, typename Combine, typename Finish>
static void reduceAlong(const Tensor &input, ArrayRef<int64_t> axes,
                        Tensor &output, double init, Combine combine,
                        Finish finish) {
  SmallVector<int64_t> kept = IE::reduceShape(input.getShape(), axes, true);
  SmallVector<int64_t> strides = computeBroadcastStrides(kept, kept);
  int64_t outputs = output.getNumElements();
  int64_t count = outputs == 0 ? 0 : input.getNumElements() / outputs;
  auto forEachElement = [&](auto visit) {
    forEachIndex(input.getShape(),
                 [&](int64_t linear, ArrayRef<int64_t> index) {
                   int64_t target = 0;
                   for (size_t i = 0; i < index.size(); ++i) {
                     target += kept[i] == 1 ? 0 : index[i] * strides[i];
                   }
                   visit(linear, target);
                 });
  };
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    using Integer = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    using Acc =
        std::conditional_t<std::is_integral_v<T> && !inDouble, Integer, double>;
    ArrayRef<T> in = input.values<T>();
    MutableArrayRef<T> out = output.mutableValues<T>();
    Acc start;
    if constexpr (std::is_integral_v<Acc>) {
      // An infinite neutral element is the integer range's end.
      if (std::isinf(init)) {
        start = static_cast<Acc>(init < 0 ? std::numeric_limits<T>::lowest()
                                          : std::numeric_limits<T>::max());
      } else {
        start = static_cast<Acc>(init);
      }
    } else {
      start = init;
    }
    SmallVector<Acc, 0> sums(outputs, start);
    forEachElement([&](int64_t from, int64_t to) {
      sums[to] =
          static_cast<Acc>(combine(sums[to], static_cast<Acc>(in[from])));
    });
    for (int64_t i = 0; i < outputs; ++i) {
      out[i] = static_cast<T>(finish(sums[i], count));
    }
  });
}

/// How each reduction combines elements and finishes.
template <typename OpT>
static LogicalResult evalReduce(OpT op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  std::optional<SmallVector<int64_t>> axes;
  const Tensor &input = operands[0];
  if (operands.size() > 1 && operands[1].getNumElements() > 0) {
    axes.emplace();
    for (int64_t i = 0; i < operands[1].getNumElements(); ++i) {
      int64_t axis = operands[1].getInt(i);
      axes->push_back(axis < 0 ? axis + input.getRank() : axis);
      if (axes->back() < 0 || axes->back() >= input.getRank()) {
        return op.emitError("expected axes within the input's rank ")
               << input.getRank() << ", found " << axis;
      }
    }
  } else {
    axes = op.getReducedAxes();
  }
  Tensor &output = results[0];
  auto sum = [](auto acc, auto x) {
    return applyWrapping(acc, x, std::plus<>());
  };
  auto sumSquares = [sum](auto acc, auto x) {
    return sum(acc, applyWrapping(x, x, std::multiplies<>()));
  };
  auto keep = [](auto acc, int64_t) { return acc; };
  double inf = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<OpT, IE::ReduceSumOp>) {
    reduceAlong(input, *axes, output, 0, sum, keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceMeanOp>) {
    reduceAlong(input, *axes, output, 0, sum,
                [](auto acc, int64_t count) { return acc / count; });
  } else if constexpr (std::is_same_v<OpT, IE::ReduceMaxOp>) {
    reduceAlong(
        input, *axes, output, -inf,
        [](auto acc, auto x) { return x > acc || x != x ? x : acc; }, keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceMinOp>) {
    reduceAlong(
        input, *axes, output, inf,
        [](auto acc, auto x) { return x < acc || x != x ? x : acc; }, keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceProdOp>) {
    reduceAlong(
        input, *axes, output, 1,
        [](auto acc, auto x) {
          return applyWrapping(acc, x, std::multiplies<>());
        },
        keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceL1Op>) {
    reduceAlong(
        input, *axes, output, 0,
        [](auto acc, auto x) {
          return x < 0 ? applyWrapping(acc, x, std::minus<>())
                       : applyWrapping(acc, x, std::plus<>());
        },
        keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceL2Op>) {
    reduceAlong(input, *axes, output, 0, sumSquares, [](auto acc, int64_t) {
      return std::sqrt(static_cast<double>(acc));
    });
  } else if constexpr (std::is_same_v<OpT, IE::ReduceSumSquareOp>) {
    reduceAlong(input, *axes, output, 0, sumSquares, keep);
  } else if constexpr (std::is_same_v<OpT, IE::ReduceLogSumOp>) {
    reduceAlong(input, *axes, output, 0, sum, [](auto acc, int64_t) {
      return std::log(static_cast<double>(acc));
    });
  } else {
    static_assert(std::is_same_v<OpT, IE::ReduceLogSumExpOp>);
    // Stable: log(sum(exp(x))) step by step relative to the larger operand.
    reduceAlong</*inDouble=*/true>(
        input, *axes, output, -inf,
        [](double acc, double x) {
          if (std::isnan(x)) {
            return x;
          }
          double high = std::max(acc, x), low = std::min(acc, x);
          return std::isinf(high) ? high
                                  : high + std::log1p(std::exp(low - high));
        },
        keep);
  }
  return success();
}

template <bool isMax, typename OpT>
static LogicalResult evalArg(OpT op, ArrayRef<Tensor> operands,
                             MutableArrayRef<Tensor> results) {
  const Tensor &input = operands[0];
  // The accessor is unsigned, a negative axis must not be.
  int64_t axis = op.getAxis();
  axis += axis < 0 ? input.getRank() : 0;
  bool last = op.getSelectLastIndex() != 0;
  int64_t inner = 1, length = input.getDim(axis);
  for (int64_t dim : input.getShape().drop_front(axis + 1)) {
    inner *= dim;
  }
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = input.values<T>();
    for (auto [i, out] : llvm::enumerate(results[0].mutableValues<int64_t>())) {
      int64_t base = i / inner * inner * length + i % inner;
      int64_t best = 0;
      for (int64_t k = 1; k < length; ++k) {
        T x = in[base + k * inner], y = in[base + best * inner];
        bool better = isMax ? x > y : x < y;
        if (better || (last && x == y)) {
          best = k;
        }
      }
      out = best;
    }
  });
  return success();
}

/// Combines along an axis, from `neutral` on.
template <typename OpT, typename Combine, int neutral>
static LogicalResult evalScan(OpT op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  const Tensor &input = operands[0];
  int64_t axis = operands[1].getInt(0);
  axis += axis < 0 ? input.getRank() : 0;
  if (axis < 0 || axis >= input.getRank()) {
    return op.emitError("expected an axis within the input's rank");
  }
  int64_t inner = 1, length = input.getDim(axis);
  for (int64_t dim : input.getShape().drop_front(axis + 1)) {
    inner *= dim;
  }
  bool exclusive = op.getExclusive() != 0, reverse = op.getReverse() != 0;
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    using Acc = std::conditional_t<std::is_integral_v<T>, T, double>;
    ArrayRef<T> in = input.values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (int64_t start = 0, e = in.size(); start < e; ++start) {
      if (start / inner % length != 0) {
        continue;
      }
      Acc soFar = neutral;
      for (int64_t k = 0; k < length; ++k) {
        int64_t at = start + (reverse ? length - 1 - k : k) * inner;
        if (exclusive) {
          out[at] = static_cast<T>(soFar);
        }
        soFar = applyWrapping(soFar, static_cast<Acc>(in[at]), Combine());
        if (!exclusive) {
          out[at] = static_cast<T>(soFar);
        }
      }
    }
  });
  return success();
}

void interpreter::registerReductionKernels(MLIRContext *context) {
  attachKernel<IE::ReduceSumOp, evalReduce<IE::ReduceSumOp>>(context);
  attachKernel<IE::ReduceMeanOp, evalReduce<IE::ReduceMeanOp>>(context);
  attachKernel<IE::ReduceMaxOp, evalReduce<IE::ReduceMaxOp>>(context);
  attachKernel<IE::ReduceMinOp, evalReduce<IE::ReduceMinOp>>(context);
  attachKernel<IE::ReduceProdOp, evalReduce<IE::ReduceProdOp>>(context);
  attachKernel<IE::ReduceL1Op, evalReduce<IE::ReduceL1Op>>(context);
  attachKernel<IE::ReduceL2Op, evalReduce<IE::ReduceL2Op>>(context);
  attachKernel<IE::ReduceLogSumOp, evalReduce<IE::ReduceLogSumOp>>(context);
  attachKernel<IE::ReduceLogSumExpOp, evalReduce<IE::ReduceLogSumExpOp>>(
      context);
  attachKernel<IE::ReduceSumSquareOp, evalReduce<IE::ReduceSumSquareOp>>(
      context);
  attachKernel<IE::ArgMaxOp, evalArg<true, IE::ArgMaxOp>>(context);
  attachKernel<IE::ArgMinOp, evalArg<false, IE::ArgMinOp>>(context);
  attachKernel<IE::CumSumOp, evalScan<IE::CumSumOp, std::plus<>, 0>>(context);
  attachKernel<IE::CumProdOp, evalScan<IE::CumProdOp, std::multiplies<>, 1>>(
      context);
}
