//===- ResizeUtils.cpp - Arithmetic of Resize -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the coordinate transformations and filters of ONNX's Resize.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

double IE::getScaledSize(int64_t size, double scale) {
  double product = static_cast<double>(size) * scale;
  // Of whole scales single precision would round large sizes only.
  return scale == std::floor(scale) ? product
                                    : std::floor(static_cast<float>(product));
}

FailureOr<SmallVector<ResizedDim>>
IE::resolveResize(std::optional<Location> location, ResizeOp::Adaptor op,
                  ArrayRef<int64_t> inputShape, const ResizeValues &values) {
  int64_t rank = inputShape.size();
  SmallVector<int64_t> dims(op.getAxes());
  if (dims.empty()) {
    dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  FailureOr<SmallVector<int64_t>> normalized =
      normalizeAxes(location, dims, rank);
  if (failed(normalized)) {
    return failure();
  }
  size_t count = normalized->size();
  bool hasScales = !values.scales.empty(), hasSizes = !values.sizes.empty();
  if (hasScales == hasSizes) {
    return emitOptionalError(location, "expected either scales or sizes");
  }
  size_t found = hasScales ? values.scales.size() : values.sizes.size();
  if (found != count) {
    return emitOptionalError(location, "expected ", count,
                             hasScales ? " scales" : " sizes", ", found ",
                             found);
  }
  SmallVector<ResizedDim> result;
  for (auto [i, dim] : llvm::enumerate(*normalized)) {
    ResizedDim resized{dim, inputShape[dim], 0, 1};
    if (hasScales) {
      resized.scale = values.scales[i];
      resized.outputSize =
          static_cast<int64_t>(getScaledSize(resized.inputSize, resized.scale));
    } else {
      resized.outputSize = values.sizes[i];
      // Nothing is asked of a dimension without elements but to stay so.
      bool isEmpty = resized.inputSize == 0 && resized.outputSize == 0;
      resized.scale = isEmpty ? 1
                              : static_cast<double>(resized.outputSize) /
                                    static_cast<double>(resized.inputSize);
    }
    constexpr int64_t kLargest = int64_t(1) << 31;
    if (!(resized.scale > 0) || !std::isfinite(resized.scale) ||
        resized.outputSize > kLargest) {
      return emitOptionalError(location, "expected positive ",
                               hasScales ? "scales" : "sizes",
                               " of a plausible result for dimension ", dim);
    }
    if (values.roi.size() == 2 * count) {
      resized.roiStart = values.roi[i];
      resized.roiEnd = values.roi[i + count];
    }
    result.push_back(resized);
  }
  StringRef policy = op.getKeepAspectRatioPolicy();
  if (policy != "stretch" && hasSizes) {
    double scale = result.front().scale;
    for (const ResizedDim &resized : result) {
      scale = policy == "not_larger" ? std::min(scale, resized.scale)
                                     : std::max(scale, resized.scale);
    }
    for (ResizedDim &resized : result) {
      resized.scale = scale;
      resized.outputSize = static_cast<int64_t>(
          std::floor(scale * static_cast<double>(resized.inputSize) + 0.5));
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// `x` at the scale of the input. Scales are single precision: of 1.7 it makes
/// more than that, and 17 would lie before the tenth element in double
/// precision. That matters where one element is taken, and none is beside it.
/// Whole scales are exact: by these each element is repeated equally often,
/// also where single precision has no position that is between two elements.
template <typename F> static F unscale(F x, F scale, bool isNearest) {
  F result = x / scale;
  bool isRounded = isNearest && scale != std::floor(scale);
  return isRounded ? static_cast<float>(result) : result;
}

/// The position in the input of output position `x`, possibly between elements.
/// ResizeOp::isFixedPoint asks for the arithmetic of single precision.
template <typename F>
static F transform(ResizeOp op, const ResizedDim &dim, int64_t index) {
  StringRef mode = op.getCoordinateTransformationMode();
  bool isNearest = op.getMode() == "nearest";
  auto x = static_cast<F>(index), size = static_cast<F>(dim.inputSize);
  auto scale = static_cast<F>(dim.scale), half = static_cast<F>(0.5);
  auto roiStart = static_cast<F>(dim.roiStart);
  auto roiEnd = static_cast<F>(dim.roiEnd);
  F width = scale * size;
  if (mode == "align_corners") {
    return width == 1 ? 0 : x * (size - 1) / (width - 1);
  }
  if (mode == "asymmetric") {
    return unscale(x, scale, isNearest);
  }
  if (mode == "tf_crop_and_resize") {
    F extent = (roiEnd - roiStart) * (size - 1);
    F inside = width == 1 ? extent / 2 : x * extent / (width - 1);
    return roiStart * (size - 1) + inside;
  }
  if (mode == "tf_half_pixel_for_nn") { // until version 12 of the operator
    return unscale(x + half, scale, isNearest);
  }
  F center = unscale(x + half, scale, isNearest) - half;
  if (mode == "pytorch_half_pixel" && width == 1) {
    return -half;
  }
  if (mode == "half_pixel_symmetric") {
    // The crop of a size that is no integer is centred.
    F adjustment = static_cast<F>(dim.outputSize) / width;
    return size / 2 * (1 - adjustment) + center;
  }
  return center;
}

template <typename F> static F evaluateCubic(F x, F a) {
  if (x <= 1) {
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  }
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/// Weights of the elements around `position`, before they are scaled to a sum
/// of 1; the first is that of element `first`.
template <typename F>
static SmallVector<F> computeFilter(ResizeOp op, F position, F scale,
                                    int64_t &first) {
  StringRef mode = op.getMode();
  // The element before; of an element itself that is the one before it.
  F before = std::ceil(position) - 1;
  first = static_cast<int64_t>(before);
  if (mode == "nearest") {
    F ratio = position - before;
    StringRef nearest = op.getNearestMode();
    bool upper = nearest == "floor"                ? ratio == 1
                 : nearest == "ceil"               ? true
                 : nearest == "round_prefer_floor" ? ratio > F(0.5)
                                                   : ratio >= F(0.5);
    first += upper ? 1 : 0;
    return {1};
  }
  bool isCubic = mode == "cubic";
  F a = op.getCubicCoeffA().convertToFloat();
  F radius = isCubic ? 2 : 1;
  // How many elements the filter is as wide as one is without antialias.
  F width = op.getAntialias() ? std::max(1 / scale, F(1)) : F(1);
  F shrink = 1 / width;
  auto offset = static_cast<int64_t>(std::floor(-radius * width)) + 1;
  int64_t count = 2 - 2 * offset;
  first += offset;
  SmallVector<F> weights;
  F center = position + F(0.5);
  for (int64_t i = 0; i < count; ++i) {
    F distance =
        std::abs((static_cast<F>(first + i) - center + F(0.5)) * shrink);
    weights.push_back(isCubic ? evaluateCubic(distance, a)
                              : std::max(F(0), 1 - distance));
  }
  return weights;
}

/// Moves weights of elements before the first and after the last to these, so
/// that they are rounded once.
static void foldWeights(MutableArrayRef<float> weights, int64_t first,
                        int64_t size) {
  auto count = static_cast<int64_t>(weights.size());
  int64_t low = std::clamp<int64_t>(-first, 0, count - 1);
  int64_t high = std::clamp<int64_t>(size - 1 - first, 0, count - 1);
  for (int64_t i = 0; i < count; ++i) {
    int64_t target = std::clamp(i, low, high);
    if (i != target) {
      weights[target] += weights[i];
      weights[i] = 0;
    }
  }
}

static double toFixedPoint(float weight) {
  constexpr double kLimit = std::numeric_limits<int32_t>::max();
  // Not a number is the least one.
  return std::fmin(
      std::fmax(std::round(weight * static_cast<double>(kFixedPointOne)),
                -kLimit),
      kLimit);
}

template <typename F>
static ResizeTaps computeTaps(ResizeOp op, const ResizedDim &dim, F position) {
  ResizeTaps taps;
  int64_t first;
  SmallVector<F> weights =
      computeFilter(op, position, static_cast<F>(dim.scale), first);
  F sum = 0;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    int64_t at = first + static_cast<int64_t>(i);
    if (op.getExcludeOutside() && (at < 0 || at >= dim.inputSize)) {
      weight = 0;
    }
    sum += weight;
    taps.positions.push_back(std::clamp<int64_t>(at, 0, dim.inputSize - 1));
  }
  if constexpr (std::is_same_v<F, float>) {
    foldWeights(weights, first, dim.inputSize);
    F inverse = sum == 0 ? 1 : 1 / sum;
    for (F weight : weights) {
      taps.weights.push_back(toFixedPoint(weight * inverse));
    }
  } else {
    for (F weight : weights) {
      taps.weights.push_back(weight / sum);
    }
  }
  return taps;
}

template <typename F>
static SmallVector<ResizeTaps> computeAllTaps(ResizeOp op,
                                              const ResizedDim &dim) {
  bool isCropped = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
  SmallVector<ResizeTaps> result;
  for (int64_t x = 0; x < dim.outputSize; ++x) {
    F position = transform<F>(op, dim, x);
    bool isOutside =
        position < 0 || position > static_cast<F>(dim.inputSize - 1);
    result.push_back(isCropped && isOutside ? ResizeTaps()
                                            : computeTaps(op, dim, position));
  }
  return result;
}

SmallVector<ResizeTaps> IE::computeResizeTaps(ResizeOp op,
                                              const ResizedDim &dim) {
  return op.isFixedPoint() ? computeAllTaps<float>(op, dim)
                           : computeAllTaps<double>(op, dim);
}

/// True when a position takes the element at `position` as it is. Taps without
/// weight, which may be those before the first element, do not count.
static bool isOnly(const ResizeTaps &tap, int64_t position, double one) {
  double sum = 0;
  for (auto [other, weight] : llvm::zip_equal(tap.positions, tap.weights)) {
    if (other != position && weight != 0) {
      return false;
    }
    sum += weight;
  }
  return !tap.positions.empty() && sum == one;
}

int64_t IE::getRepetition(ArrayRef<ResizeTaps> taps, int64_t inputSize,
                          double one) {
  auto size = static_cast<int64_t>(taps.size());
  if (inputSize == 0 || size == 0 || size % inputSize != 0) {
    return size == inputSize ? 1 : 0;
  }
  int64_t times = size / inputSize;
  bool isRepeated = llvm::all_of(llvm::enumerate(taps), [&](auto item) {
    return isOnly(item.value(), static_cast<int64_t>(item.index()) / times,
                  one);
  });
  return isRepeated ? times : 0;
}
