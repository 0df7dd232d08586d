//===- DataMovementSizes.cpp - Sizes of what is moved ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of the results of the IE operator family: reordering and copying of
// elements. Type inference is in DataMovement.cpp.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

static int64_t normalize(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

//===----------------------------------------------------------------------===//
// Transpose, Concat, Split
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::buildSizes(SizeBuilder &sizes,
                                      ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back();
  for (int64_t axis : getPermutation()) {
    result.push_back(sizes.getSize(getData(), axis));
  }
  return success();
}

LogicalResult ConcatOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  // The other dimensions are those of any operand.
  Sizes &result = results.emplace_back(sizes.getSizes(getInputs().front()));
  auto type = cast<RankedTensorType>(getType());
  int64_t axis = normalize(getAxis(), type.getRank());
  result = refineSizes(sizes.getBuilder(), type, result);
  for (Value input : getInputs()) {
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i != axis) {
        sizes.requireEqual(result[i], sizes.getSize(input, i),
                           "tensors to join differ in another dimension");
      }
    }
  }
  result[axis] = sizes.number(0);
  for (Value input : getInputs()) {
    result[axis] = sizes.add(result[axis], sizes.getSize(input, axis));
  }
  return success();
}

LogicalResult SplitOp::buildSizes(SizeBuilder &sizes,
                                  ReifiedRankedShapedTypeDims &results) {
  Sizes input = sizes.getSizes(getInput());
  int64_t axis = normalize(getAxis(), input.size());
  OpFoldResult whole = input[axis], zero = sizes.number(0), sum = zero;
  int64_t count = getNumResults();
  OpFoldResult part;
  if (!getSplit()) {
    part = sizes.divideUp(whole, sizes.number(count));
  }
  for (int64_t i = 0; i < count; ++i) {
    OpFoldResult &size = input[axis];
    if (getSplit()) {
      size = sizes.getElement(getSplit(), i);
      sizes.requireAtMost(zero, size, "a part of negative size");
    } else {
      // The last one is what is left.
      size = i + 1 == count ? sizes.subtract(whole, sum) : part;
    }
    sum = sizes.add(sum, size);
    results.push_back(input);
  }
  if (getSplit()) {
    sizes.requireEqual(sum, whole, "parts that do not make up what is split");
  } else {
    sizes.requireAtMost(zero, results.back()[axis],
                        "a dimension that does not split into the parts");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slice, Pad
//===----------------------------------------------------------------------===//

/// Where a slice of a dimension of `size` starts and how many elements it has,
/// by ONNX's rules. The whole of it, forwards, is recognised.
static std::pair<OpFoldResult, OpFoldResult>
buildSection(SizeBuilder &sizes, OpFoldResult size, OpFoldResult start,
             OpFoldResult end, OpFoldResult step) {
  constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
  OpFoldResult zero = sizes.number(0), one = sizes.number(1);
  OpFoldResult minusOne = sizes.number(-1);
  if (getConstantIntValue(step) == 1 && getConstantIntValue(start) == 0 &&
      (getConstantIntValue(end).value_or(0) >= kLargest ||
       isEqualConstantIntOrValue(end, size))) {
    return {zero, size};
  }
  auto ifBackward = [&](OpFoldResult yes, OpFoldResult no) {
    return sizes.ifLess(step, zero, yes, no);
  };
  // Forwards both are clamped to [0, n]; backwards the start to [0, n - 1] and
  // the end to [-1, n - 1].
  OpFoldResult high = ifBackward(sizes.subtract(size, one), size);
  auto resolve = [&](OpFoldResult bound, OpFoldResult low) {
    OpFoldResult position =
        sizes.ifLess(bound, zero, sizes.add(bound, size), bound);
    return sizes.max(sizes.min(position, high), low);
  };
  OpFoldResult from = resolve(start, zero);
  OpFoldResult to = resolve(end, ifBackward(minusOne, zero));
  OpFoldResult distance =
      ifBackward(sizes.subtract(from, to), sizes.subtract(to, from));
  OpFoldResult stride = ifBackward(sizes.subtract(zero, step), step);
  OpFoldResult count =
      sizes.divideUp(sizes.max(distance, zero), sizes.max(stride, one));
  // Backwards, of no elements the last one would be taken.
  return {from, ifBackward(sizes.min(count, size), count)};
}

Sections SliceOp::getSections(SizeBuilder &sizes) {
  Sections sections;
  sections.sizes = sizes.getSizes(getData());
  int64_t rank = sections.sizes.size();
  sections.offsets.assign(rank, sizes.number(0));
  sections.strides.assign(rank, sizes.number(1));
  Sizes entries;
  if (getAxes()) {
    entries = sizes.getEntries(getAxes(), rank);
  } else {
    OpFoldResult count = sizes.getSize(getStarts(), 0);
    for (int64_t i = 0; i < rank; ++i) {
      entries.push_back(sizes.ifLess(sizes.number(i), count, sizes.number(i),
                                     sizes.number(-1)));
    }
  }
  for (int64_t i = 0; i < rank; ++i) {
    if (getConstantIntValue(entries[i]) == -1) {
      continue;
    }
    OpFoldResult start =
        sizes.getListed(getStarts(), entries[i], sizes.number(0));
    OpFoldResult end =
        sizes.getListed(getEnds(), entries[i], sections.sizes[i]);
    OpFoldResult &step = sections.strides[i];
    if (getSteps()) {
      step = sizes.getListed(getSteps(), entries[i], step);
    }
    std::tie(sections.offsets[i], sections.sizes[i]) =
        buildSection(sizes, sections.sizes[i], start, end, step);
  }
  return sections;
}

LogicalResult SliceOp::buildSizes(SizeBuilder &sizes,
                                  ReifiedRankedShapedTypeDims &results) {
  results.push_back(getSections(sizes).sizes);
  return success();
}

PadAmounts PadOp::getAmounts(SizeBuilder &sizes) {
  int64_t rank = getRank(getData());
  PadAmounts amounts;
  OpFoldResult zero = sizes.number(0), count = sizes.number(rank);
  Sizes entries;
  if (getAxes()) {
    entries = sizes.getEntries(getAxes(), rank);
    count = sizes.divideDown(sizes.getSize(getPads(), 0), sizes.number(2));
  } else {
    for (int64_t i = 0; i < rank; ++i) {
      entries.push_back(sizes.number(i));
    }
    sizes.requireEqual(sizes.getSize(getPads(), 0), sizes.number(2 * rank),
                       "another number of pads than twice the rank");
  }
  OpFoldResult none = sizes.number(-1);
  for (OpFoldResult entry : entries) {
    amounts.low.push_back(sizes.getListed(getPads(), entry, zero));
    OpFoldResult other =
        sizes.ifEqual(entry, none, none, sizes.add(entry, count));
    amounts.high.push_back(sizes.getListed(getPads(), other, zero));
  }
  return amounts;
}

LogicalResult PadOp::buildSizes(SizeBuilder &sizes,
                                ReifiedRankedShapedTypeDims &results) {
  PadAmounts amounts = getAmounts(sizes);
  Sizes &result = results.emplace_back(sizes.getSizes(getData()));
  for (auto [size, low, high] :
       llvm::zip_equal(result, amounts.low, amounts.high)) {
    OpFoldResult sum = sizes.add(sizes.add(size, low), high);
    bool mayCut = getConstantIntValue(low).value_or(-1) < 0 ||
                  getConstantIntValue(high).value_or(-1) < 0;
    if (mayCut) {
      sizes.requireAtMost(sizes.number(0), sum,
                          "pads that take away more than there is");
      sum = sizes.max(sum, sizes.number(0));
    }
    size = sum;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  // The shape has no more elements than the result has dimensions, and is
  // aligned with their end.
  OpFoldResult missing =
      sizes.subtract(sizes.number(rank), sizes.getSize(getShape(), 0));
  OpFoldResult one = sizes.number(1), none = sizes.number(-1);
  Sizes wanted;
  for (int64_t i = 0; i < rank; ++i) {
    OpFoldResult position = sizes.subtract(sizes.number(i), missing);
    position = sizes.ifLess(position, sizes.number(0), none, position);
    wanted.push_back(sizes.getListed(getShape(), position, one));
  }
  results.push_back(
      sizes.broadcastShapes({sizes.getSizes(getInput()), wanted}));
  return success();
}

LogicalResult TileOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  auto type = cast<RankedTensorType>(getType());
  sizes.requireEqual(sizes.getSize(getRepeats(), 0),
                     sizes.number(type.getRank()),
                     "another number of repeats than the rank");
  for (auto [i, size] : llvm::enumerate(result)) {
    OpFoldResult repeat =
        sizes.getElement(getRepeats(), static_cast<int64_t>(i));
    sizes.requireAtMost(sizes.number(0), repeat, "a negative repeat");
    size = sizes.multiply({size, repeat});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

/// size / factor, which must leave no remainder.
static OpFoldResult divideExactly(SizeBuilder &sizes, OpFoldResult size,
                                  int64_t factor) {
  OpFoldResult part = sizes.divideDown(size, sizes.number(factor));
  sizes.requireEqual(sizes.multiply({part, sizes.number(factor)}), size,
                     "a dimension that is no multiple of the blocks");
  return part;
}

LogicalResult DepthToSpaceOp::buildSizes(SizeBuilder &sizes,
                                         ReifiedRankedShapedTypeDims &results) {
  Sizes in = sizes.getSizes(getInput());
  auto block = static_cast<int64_t>(getBlocksize());
  results.push_back({in[0], divideExactly(sizes, in[1], block * block),
                     sizes.multiply({in[2], sizes.number(block)}),
                     sizes.multiply({in[3], sizes.number(block)})});
  return success();
}

LogicalResult SpaceToDepthOp::buildSizes(SizeBuilder &sizes,
                                         ReifiedRankedShapedTypeDims &results) {
  Sizes in = sizes.getSizes(getInput());
  auto block = static_cast<int64_t>(getBlocksize());
  results.push_back(
      {in[0], sizes.multiply({in[1], sizes.number(block * block)}),
       divideExactly(sizes, in[2], block), divideExactly(sizes, in[3], block)});
  return success();
}
