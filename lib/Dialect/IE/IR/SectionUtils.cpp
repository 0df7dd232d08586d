//===- SectionUtils.cpp - Bounds of slices and pads -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves ONNX's bounds to one plain entry per dimension.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace nacre;

/// The axes that the entries of a bounds operand speak about: `axes`
/// normalised, or the first `count` dimensions.
static FailureOr<SmallVector<int64_t>>
resolveAxes(std::optional<Location> location, int64_t rank, int64_t count,
            std::optional<ArrayRef<int64_t>> axes) {
  if (axes) {
    if (static_cast<int64_t>(axes->size()) != count) {
      (void)emitOptionalError(location, "expected one axis per bound, found ",
                              axes->size(), " axes and ", count, " bounds");
      return failure();
    }
    return IE::normalizeAxes(location, *axes, rank);
  }
  if (count > rank) {
    (void)emitOptionalError(location, "expected at most ", rank,
                            " bounds, found ", count);
    return failure();
  }
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

FailureOr<IE::SliceSpec>
IE::resolveSlice(std::optional<Location> location, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> starts, ArrayRef<int64_t> ends,
                 std::optional<ArrayRef<int64_t>> axes,
                 std::optional<ArrayRef<int64_t>> steps) {
  if (starts.size() != ends.size() ||
      (steps && steps->size() != starts.size())) {
    (void)emitOptionalError(location,
                            "expected as many ends and steps as "
                            "starts, found ",
                            starts.size(), " starts and ", ends.size(),
                            " ends");
    return failure();
  }
  FailureOr<SmallVector<int64_t>> resolved =
      resolveAxes(location, shape.size(), starts.size(), axes);
  if (failed(resolved)) {
    return failure();
  }
  SliceSpec spec;
  spec.offsets.assign(shape.size(), 0);
  spec.sizes.assign(shape.begin(), shape.end());
  spec.strides.assign(shape.size(), 1);
  for (auto [i, axis] : llvm::enumerate(*resolved)) {
    int64_t dim = shape[axis];
    int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) {
      (void)emitOptionalError(location, "expected steps other than 0");
      return failure();
    }
    spec.strides[axis] = step;
    if (ShapedType::isDynamic(dim)) {
      spec.sizes[axis] = ShapedType::kDynamic;
      continue;
    }
    // Stepping backwards, the first position is an element and the end may lie
    // before it.
    int64_t high = step > 0 ? dim : dim - 1;
    auto clamp = [&](int64_t position, int64_t low) {
      return std::min(std::max(position < 0 ? position + dim : position, low),
                      high);
    };
    int64_t start = clamp(starts[i], 0);
    int64_t end = clamp(ends[i], step > 0 ? 0 : -1);
    int64_t extent = step > 0 ? end - start : start - end;
    if (extent <= 0) {
      spec.offsets[axis] = 0;
      spec.sizes[axis] = 0;
      continue;
    }
    // The magnitude as unsigned: -INT64_MIN does not fit a signed integer.
    uint64_t magnitude = step > 0 ? uint64_t(step) : uint64_t(0) - step;
    spec.offsets[axis] = start;
    spec.sizes[axis] = 1 + (uint64_t(extent) - 1) / magnitude;
    if (spec.sizes[axis] == 1) {
      // Nothing is stepped over; a huge step would overflow address arithmetic.
      spec.strides[axis] = 1;
    }
  }
  return spec;
}

FailureOr<IE::PadSpec> IE::resolvePad(std::optional<Location> location,
                                      int64_t rank, ArrayRef<int64_t> pads,
                                      std::optional<ArrayRef<int64_t>> axes) {
  int64_t count = axes ? axes->size() : rank;
  if (static_cast<int64_t>(pads.size()) != 2 * count) {
    (void)emitOptionalError(location, "expected ", 2 * count, " pads, found ",
                            pads.size());
    return failure();
  }
  FailureOr<SmallVector<int64_t>> resolved =
      resolveAxes(location, rank, count, axes);
  if (failed(resolved)) {
    return failure();
  }
  PadSpec spec;
  spec.low.assign(rank, 0);
  spec.high.assign(rank, 0);
  for (auto [i, axis] : llvm::enumerate(*resolved)) {
    spec.low[axis] = pads[i];
    spec.high[axis] = pads[count + i];
  }
  return spec;
}

RankedTensorType IE::getPartType(Type whole, int64_t axis) {
  return RankedTensorType::Builder(cast<RankedTensorType>(whole)).dropDim(axis);
}

FailureOr<SmallVector<int64_t>>
IE::splitEvenly(std::optional<Location> location, int64_t dim, int64_t count) {
  if (ShapedType::isDynamic(dim)) {
    return SmallVector<int64_t>(count, ShapedType::kDynamic);
  }
  int64_t part = IE::ceilDiv(dim, count);
  int64_t last = dim - part * (count - 1);
  if (last < 0) {
    (void)emitOptionalError(location, "expected a dimension that splits into ",
                            count, " parts, found ", dim);
    return failure();
  }
  SmallVector<int64_t> sizes(count, part);
  sizes.back() = last;
  return sizes;
}

std::optional<int64_t> IE::getRangeSize(double start, double limit,
                                        double delta) {
  double size = std::ceil((limit - start) / delta);
  // Also rejects the NaN and infinity of a zero delta.
  if (!(std::abs(size) < static_cast<double>(kMaxElements))) {
    return std::nullopt;
  }
  return std::max<int64_t>(static_cast<int64_t>(size), 0);
}

std::optional<int64_t> IE::getRangeSize(int64_t start, int64_t limit,
                                        int64_t delta) {
  int64_t extent;
  if (delta == 0 || llvm::SubOverflow(limit, start, extent)) {
    return std::nullopt;
  }
  if (extent == 0 || (extent > 0) != (delta > 0)) {
    return 0;
  }
  uint64_t length = extent > 0 ? uint64_t(extent) : uint64_t(0) - extent;
  uint64_t magnitude = delta > 0 ? uint64_t(delta) : uint64_t(0) - delta;
  return static_cast<int64_t>(1 + (length - 1) / magnitude);
}

FailureOr<RankedTensorType> IE::getCheckedType(std::optional<Location> location,
                                               ArrayRef<int64_t> shape,
                                               Type elementType) {
  int64_t elements = 1;
  for (int64_t dim : shape) {
    if (ShapedType::isDynamic(dim)) {
      continue;
    }
    if (dim < 0) {
      (void)emitOptionalError(
          location, "expected dimensions that are not negative, found ", dim);
      return failure();
    }
    // Zero-sized tensors must not hide an absurd dimension.
    if (llvm::MulOverflow(elements, std::max<int64_t>(dim, 1), elements) ||
        elements > kMaxElements) {
      (void)emitOptionalError(location, "expected at most ", kMaxElements,
                              " elements in the result, found a dimension of ",
                              dim);
      return failure();
    }
  }
  return RankedTensorType::get(shape, elementType);
}

FailureOr<int64_t> IE::getVectorLength(std::optional<Location> location,
                                       Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getRank() != 1) {
    (void)emitOptionalError(location, "expected a vector, found ", type);
    return failure();
  }
  return type.getDimSize(0);
}

FailureOr<int64_t> IE::getRankOf(std::optional<Location> location,
                                 Value shape) {
  FailureOr<int64_t> rank = getVectorLength(location, shape);
  if (succeeded(rank) && *rank > kMostDimensions) {
    (void)emitOptionalError(location, "expected a shape of at most ",
                            kMostDimensions, " dimensions, found ",
                            shape.getType());
    return failure();
  }
  return rank;
}

LogicalResult IE::checkScalar(std::optional<Location> location, Value operand) {
  if (!operand) {
    return success();
  }
  auto type = cast<RankedTensorType>(operand.getType());
  bool mayBeOne = llvm::all_of(type.getShape(), [](int64_t dim) {
    return dim == 1 || ShapedType::isDynamic(dim);
  });
  if (!mayBeOne) {
    return emitOptionalError(location, "expected one element, found ", type);
  }
  return success();
}
