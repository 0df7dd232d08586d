//===- Selection.cpp - Evaluation of selection ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter kernels of the IE operator family: selection. The results'
// shapes follow from the values, hence composite kernels.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Selection.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/Sequence.h"

#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static Tensor makeInts(MLIRContext *context, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> values) {
  Tensor tensor(RankedTensorType::get(shape, IntegerType::get(context, 64)));
  llvm::copy(values, tensor.mutableValues<int64_t>().begin());
  return tensor;
}

static LogicalResult evalNonZero(IE::NonZeroOp op, ArrayRef<Datum> operands,
                                 RegionRunner,
                                 SmallVectorImpl<Datum> &results) {
  const Tensor &input = operands[0].getTensor();
  SmallVector<SmallVector<int64_t>> positions;
  forEachIndex(input.getShape(), [&](int64_t linear, ArrayRef<int64_t> index) {
    if (input.getDouble(linear) != 0) {
      positions.emplace_back(index);
    }
  });
  int64_t rank = input.getRank();
  auto count = static_cast<int64_t>(positions.size());
  SmallVector<int64_t> rows(rank * count);
  for (auto [column, position] : llvm::enumerate(positions)) {
    for (int64_t row = 0; row < rank; ++row) {
      rows[row * count + column] = position[row];
    }
  }
  results.push_back(makeInts(op.getContext(), {rank, count}, rows));
  return success();
}

/// A total order, in which NaN is the largest number and equals itself.
template <typename T> static int compareElements(T a, T b) {
  bool aIsNaN = a != a, bIsNaN = b != b;
  if (aIsNaN || bIsNaN) {
    return aIsNaN - bIsNaN;
  }
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// The order of bytes.
static int compareElements(String a, String b) {
  return StringRef(a).compare(StringRef(b));
}

static LogicalResult evalUnique(IE::UniqueOp op, ArrayRef<Datum> operands,
                                RegionRunner, SmallVectorImpl<Datum> &results) {
  const Tensor &input = operands[0].getTensor();
  // Slices along the axis as runs: (outer, length, inner).
  int64_t outer = 1, length = input.getNumElements(), inner = 1, axis = 0;
  SmallVector<int64_t> shape = {length};
  if (std::optional<uint64_t> given = op.getAxis()) {
    axis = static_cast<int64_t>(*given);
    axis += axis < 0 ? input.getRank() : 0;
    shape.assign(input.getShape().begin(), input.getShape().end());
    length = shape[axis];
    outer = ShapedType::getNumElements(ArrayRef(shape).take_front(axis));
    inner = ShapedType::getNumElements(ArrayRef(shape).drop_front(axis + 1));
  }
  auto evaluate = [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> values = input.values<T>();
    auto compare = [&](int64_t a, int64_t b) {
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < inner; ++i) {
          int order = compareElements(values[(o * length + a) * inner + i],
                                      values[(o * length + b) * inner + i]);
          if (order != 0) {
            return order;
          }
        }
      }
      return 0;
    };
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, length));
    llvm::sort(order, [&](int64_t a, int64_t b) {
      int result = compare(a, b);
      return result < 0 || (result == 0 && a < b);
    });
    // Equal slices are neighbours now, the first one in front.
    SmallVector<int64_t> first, counts, group(length);
    for (auto [i, position] : llvm::enumerate(order)) {
      if (i == 0 || compare(order[i - 1], position) != 0) {
        first.push_back(position);
        counts.push_back(0);
      }
      ++counts.back();
      group[position] = static_cast<int64_t>(first.size()) - 1;
    }
    auto count = static_cast<int64_t>(first.size());
    auto ranks = llvm::to_vector(llvm::seq<int64_t>(0, count));
    if (op.getSorted() == 0) {
      llvm::sort(ranks,
                 [&](int64_t a, int64_t b) { return first[a] < first[b]; });
    }
    SmallVector<int64_t> number(count), indices, inverse, sizes;
    for (auto [i, rank] : llvm::enumerate(ranks)) {
      number[rank] = static_cast<int64_t>(i);
      indices.push_back(first[rank]);
      sizes.push_back(counts[rank]);
    }
    for (int64_t position : group) {
      inverse.push_back(number[position]);
    }
    shape[axis] = count;
    Tensor distinct(input.getType().clone(shape));
    MutableArrayRef<T> out = distinct.mutableValues<T>();
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t k = 0; k < count; ++k) {
        for (int64_t i = 0; i < inner; ++i) {
          out[(o * count + k) * inner + i] =
              values[(o * length + indices[k]) * inner + i];
        }
      }
    }
    MLIRContext *context = op.getContext();
    results.push_back(distinct);
    results.push_back(makeInts(context, count, indices));
    results.push_back(makeInts(context, length, inverse));
    results.push_back(makeInts(context, count, sizes));
  };
  if (input.hasStrings()) {
    evaluate(String());
  } else {
    dispatch(input.getElementType(), evaluate);
  }
  return success();
}

namespace {
struct Box {
  float top, left, bottom, right;

  float getArea() const { return (bottom - top) * (right - left); }
};
} // namespace

static Box getBox(ArrayRef<float> values, bool isCentered) {
  if (isCentered) {
    float x = values[0], y = values[1];
    float halfWidth = values[2] / 2, halfHeight = values[3] / 2;
    return {y - halfHeight, x - halfWidth, y + halfHeight, x + halfWidth};
  }
  return {std::min(values[0], values[2]), std::min(values[1], values[3]),
          std::max(values[0], values[2]), std::max(values[1], values[3])};
}

static bool overlaps(const Box &a, const Box &b, float threshold) {
  float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) {
    return false;
  }
  float intersection = height * width;
  float both = a.getArea() + b.getArea() - intersection;
  return a.getArea() > 0 && b.getArea() > 0 && both > 0 &&
         intersection / both > threshold;
}

static LogicalResult evalNonMaxSuppression(IE::NonMaxSuppressionOp op,
                                           ArrayRef<Datum> operands,
                                           RegionRunner,
                                           SmallVectorImpl<Datum> &results) {
  const Tensor &boxes = operands[0].getTensor();
  const Tensor &scores = operands[1].getTensor();
  unsigned next = 2;
  auto take = [&](Value operand, double otherwise) {
    return operand ? operands[next++].getTensor().getDouble(0) : otherwise;
  };
  auto limit = static_cast<int64_t>(take(op.getMaxOutputBoxesPerClass(), 0));
  auto threshold = static_cast<float>(take(op.getIouThreshold(), 0));
  auto lowest = static_cast<float>(
      take(op.getScoreThreshold(), -std::numeric_limits<double>::infinity()));
  int64_t batches = scores.getDim(0), classes = scores.getDim(1);
  int64_t count = scores.getDim(2);
  ArrayRef<float> corners = boxes.values<float>(), all = scores.values<float>();
  SmallVector<int64_t> rows;
  for (int64_t batch = 0; batch < batches; ++batch) {
    for (int64_t number = 0; number < classes; ++number) {
      ArrayRef<float> own =
          all.slice((batch * classes + number) * count, count);
      SmallVector<int64_t> order;
      for (int64_t i = 0; i < count; ++i) {
        if (own[i] > lowest) {
          order.push_back(i);
        }
      }
      llvm::sort(order, [&](int64_t a, int64_t b) {
        return own[a] > own[b] || (own[a] == own[b] && a < b);
      });
      SmallVector<Box> chosen;
      for (int64_t i : order) {
        if (static_cast<int64_t>(chosen.size()) >= limit) {
          break;
        }
        Box box = getBox(corners.slice((batch * count + i) * 4, 4),
                         op.getCenterPointBox() != 0);
        if (llvm::none_of(chosen, [&](const Box &other) {
              return overlaps(box, other, threshold);
            })) {
          chosen.push_back(box);
          rows.append({batch, number, i});
        }
      }
    }
  }
  results.push_back(makeInts(op.getContext(),
                             {static_cast<int64_t>(rows.size()) / 3, 3}, rows));
  return success();
}

void interpreter::registerSelectionKernels(MLIRContext *context) {
  attachCompositeKernel<IE::NonZeroOp, evalNonZero>(context);
  attachCompositeKernel<IE::UniqueOp, evalUnique>(context);
  attachCompositeKernel<IE::NonMaxSuppressionOp, evalNonMaxSuppression>(
      context);
}
