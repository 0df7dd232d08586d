//===- ResizeUtils.cpp - Arithmetic of Resize -----------------------------===//
//
// Implements the coordinate transformations and filters of ONNX's Resize.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

double IE::getScaledSize(int64_t size, double scale) {
  return std::floor(static_cast<float>(static_cast<double>(size) * scale));
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
static double unscale(double x, const ResizedDim &dim, bool isNearest) {
  double result = x / dim.scale;
  return isNearest ? static_cast<float>(result) : result;
}

/// The position in the input of output position `x`, possibly between elements.
static double transform(ResizeOp op, const ResizedDim &dim, double x) {
  StringRef mode = op.getCoordinateTransformationMode();
  bool isNearest = op.getMode() == "nearest";
  double size = static_cast<double>(dim.inputSize);
  double width = dim.scale * size;
  if (mode == "align_corners") {
    return width == 1 ? 0 : x * (size - 1) / (width - 1);
  }
  if (mode == "asymmetric") {
    return unscale(x, dim, isNearest);
  }
  if (mode == "tf_crop_and_resize") {
    double extent = (dim.roiEnd - dim.roiStart) * (size - 1);
    double inside = width == 1 ? extent / 2 : x * extent / (width - 1);
    return dim.roiStart * (size - 1) + inside;
  }
  if (mode == "tf_half_pixel_for_nn") { // until version 12 of the operator
    return unscale(x + 0.5, dim, isNearest);
  }
  double center = unscale(x + 0.5, dim, isNearest) - 0.5;
  if (mode == "pytorch_half_pixel" && width == 1) {
    return -0.5;
  }
  if (mode == "half_pixel_symmetric") {
    // The crop of a size that is no integer is centred.
    double adjustment = static_cast<double>(dim.outputSize) / width;
    return size / 2 * (1 - adjustment) + center;
  }
  return center;
}

static double evaluateCubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) {
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  }
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Weights of the elements around a position that is `ratio` beyond an element,
/// in (0, 1]; the first is that of element `first` from that one.
static SmallVector<double> computeFilter(ResizeOp op, double ratio,
                                         double scale, int64_t &first) {
  StringRef mode = op.getMode();
  if (mode == "nearest") {
    StringRef nearest = op.getNearestMode();
    bool upper = nearest == "floor"                ? ratio == 1
                 : nearest == "ceil"               ? true
                 : nearest == "round_prefer_floor" ? ratio > 0.5
                                                   : ratio >= 0.5;
    first = upper ? 1 : 0;
    return {1};
  }
  bool isCubic = mode == "cubic";
  double a = op.getCubicCoeffA().convertToDouble();
  double radius = isCubic ? 2 : 1;
  double shrink = op.getAntialias() ? std::min(scale, 1.0) : 1.0;
  first = static_cast<int64_t>(std::floor(-radius / shrink)) + 1;
  int64_t count = 2 - 2 * first;
  SmallVector<double> weights;
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    double distance = (static_cast<double>(first + i) - ratio) * shrink;
    double weight = isCubic ? evaluateCubic(distance, a)
                            : std::max(0.0, 1 - std::abs(distance));
    weights.push_back(weight);
    sum += weight;
  }
  for (double &weight : weights) {
    weight /= sum;
  }
  return weights;
}

SmallVector<ResizeTaps> IE::computeResizeTaps(ResizeOp op,
                                              const ResizedDim &dim) {
  StringRef mode = op.getCoordinateTransformationMode();
  SmallVector<ResizeTaps> result;
  for (int64_t x = 0; x < dim.outputSize; ++x) {
    ResizeTaps &taps = result.emplace_back();
    double position = transform(op, dim, static_cast<double>(x));
    if (mode == "tf_crop_and_resize" &&
        (position < 0 || position > static_cast<double>(dim.inputSize - 1))) {
      continue;
    }
    // The element before; of an element itself that is the one before it.
    double before = std::ceil(position) - 1;
    int64_t first;
    SmallVector<double> weights =
        computeFilter(op, position - before, dim.scale, first);
    double sum = 0;
    for (auto [i, weight] : llvm::enumerate(weights)) {
      int64_t at = static_cast<int64_t>(before) + first + i;
      if (op.getExcludeOutside() && (at < 0 || at >= dim.inputSize)) {
        weight = 0;
      }
      sum += weight;
      taps.positions.push_back(std::clamp<int64_t>(at, 0, dim.inputSize - 1));
    }
    for (double weight : weights) {
      taps.weights.push_back(op.getExcludeOutside() ? weight / sum : weight);
    }
  }
  return result;
}
