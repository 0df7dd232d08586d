//===- Resampling.cpp - Interpreter kernels: resampling -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// `value` as an element, cut to the range of the integers that fixed-point
/// arithmetic makes.
template <typename C> static C fitElement(IE::ResizeOp op, double value) {
  if (!op.isFixedPoint()) {
    return static_cast<C>(value);
  }
  bool isUnsigned = getElementTypeOrSelf(op.getInput()).isUnsignedInteger();
  double low = isUnsigned ? 0 : -128;
  return static_cast<C>(std::fmax(low, std::fmin(value, low + 255)));
}

/// One dimension of `values`, which have `shape`, resized.
template <typename C>
static std::vector<C> resizeDim(IE::ResizeOp op, const IE::ResizedDim &dim,
                                const std::vector<C> &values,
                                ArrayRef<int64_t> shape) {
  int64_t inner = ShapedType::getNumElements(shape.drop_front(dim.dim + 1));
  int64_t outer = ShapedType::getNumElements(shape.take_front(dim.dim));
  SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(op, dim);
  double one = std::is_integral_v<C> ? IE::kFixedPointOne : 1;
  if (IE::getRepetition(taps, dim.inputSize, one) == 1) {
    return values; // of which infinite ones would not be a sum with others
  }
  std::vector<C> result(outer * dim.outputSize * inner);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t x = 0; x < dim.outputSize; ++x) {
      const IE::ResizeTaps &tap = taps[x];
      for (int64_t i = 0; i < inner; ++i) {
        C &out = result[(o * dim.outputSize + x) * inner + i];
        auto at = [&](int64_t position) {
          return values[(o * dim.inputSize + position) * inner + i];
        };
        if (tap.positions.empty()) {
          out = fitElement<C>(op, op.getExtrapolationValue().convertToDouble());
        } else if (tap.positions.size() == 1) {
          out = at(tap.positions.front());
        } else if constexpr (std::is_integral_v<C>) {
          // As many bits as compiled code has.
          uint32_t sum = IE::kFixedPointOne / 2;
          for (auto [position, weight] :
               llvm::zip_equal(tap.positions, tap.weights)) {
            sum += static_cast<uint32_t>(static_cast<int32_t>(weight)) *
                   static_cast<uint32_t>(at(position));
          }
          int32_t rounded = static_cast<int32_t>(sum) >> IE::kFixedPointBits;
          out = fitElement<C>(op, rounded);
        } else {
          double sum = 0;
          for (auto [position, weight] :
               llvm::zip_equal(tap.positions, tap.weights)) {
            sum += weight * static_cast<double>(at(position));
          }
          out = static_cast<C>(sum);
        }
      }
    }
  }
  return result;
}

static LogicalResult evalResize(IE::ResizeOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  // Optional operands are absent from the list, not null.
  const Tensor *next = operands.data() + 1;
  std::vector<double> roi, scales;
  std::vector<int64_t> sizes;
  if (op.getRoi()) {
    roi = load<double>(*next++);
  }
  if (op.getScales()) {
    scales = load<double>(*next++);
  }
  if (op.getSizes()) {
    sizes = load<int64_t>(*next);
  }
  SmallVector<int64_t> shape(operands[0].getShape());
  FailureOr<SmallVector<IE::ResizedDim>> dims =
      IE::resolveResize(op.getLoc(), op, shape, {roi, scales, sizes});
  if (failed(dims)) {
    return failure();
  }
  dispatchCompute(results[0].getElementType(), [&](auto tag) {
    using C = decltype(tag);
    std::vector<C> values = load<C>(operands[0]);
    if (op.isFixedPoint()) {
      std::reverse(dims->begin(), dims->end());
    }
    for (const IE::ResizedDim &dim : *dims) {
      values = resizeDim(op, dim, values, shape);
      shape[dim.dim] = dim.outputSize;
    }
    store(values, results[0]);
  });
  return success();
}

namespace {

/// An element of the image, by its position in one dimension, and its weight.
/// The position is negative for what is zero.
struct Tap {
  int64_t position;
  double weight;
};

/// Where GridSample reads in one dimension of `size` elements. Coordinates are
/// computed in the grid's precision, as rounding them depends on it.
template <typename C> class GridSampler {
public:
  GridSampler(IE::GridSampleOp op, int64_t size)
      : mode(op.getMode()), padding(op.getPaddingMode()),
        alignCorners(op.getAlignCorners() != 0), size(size),
        low(alignCorners ? C(0) : C(-0.5)), high(C(size - 1) - low) {}

  SmallVector<Tap, 4> getTaps(C coordinate) const {
    C x = alignCorners ? (coordinate + 1) / 2 * C(size - 1)
                       : ((coordinate + 1) * C(size) - 1) / 2;
    if (mode == "nearest") {
      return {{getPosition(pad(std::nearbyint(x))), 1}};
    }
    x = pad(x);
    C first = std::floor(x), t = x - first;
    if (mode == "linear") {
      return {{getPosition(first), 1 - t}, {getPosition(first + 1), t}};
    }
    return {{getPosition(first - 1), weighFar(t + 1)},
            {getPosition(first), weighNear(t)},
            {getPosition(first + 1), weighNear(1 - t)},
            {getPosition(first + 2), weighFar(2 - t)}};
  }

private:
  // The constant of cubic convolution that the operator prescribes.
  static constexpr C kCubic = C(-0.75);

  /// The weights of elements less than one, and less than two, away.
  static C weighNear(C t) {
    return ((kCubic + 2) * t - (kCubic + 3)) * t * t + 1;
  }
  static C weighFar(C t) {
    return ((kCubic * t - 5 * kCubic) * t + 8 * kCubic) * t - 4 * kCubic;
  }

  C clamp(C x) const {
    // Also a position for NaN.
    return std::fmax(std::fmin(x, C(size - 1)), C(0));
  }

  /// A coordinate outside of the image as one inside.
  C pad(C x) const {
    if (padding == "zeros" || (x >= low && x <= high)) {
      return x;
    }
    return padding == "border" ? clamp(x) : reflect(x);
  }

  C reflect(C x) const {
    C period = 2 * (high - low);
    if (period == 0) {
      return low;
    }
    C distance = std::fabs(x - low);
    C rest = distance - period * std::floor(distance / period);
    return low + std::fmin(rest, period - rest);
  }

  int64_t getPosition(C x) const {
    if (padding == "zeros" && !(x >= 0 && x <= C(size - 1))) {
      return -1;
    }
    return static_cast<int64_t>(
        clamp(padding == "reflection" ? reflect(x) : x));
  }

  StringRef mode, padding;
  bool alignCorners;
  int64_t size;
  C low, high;
};

} // namespace

/// The taps of each coordinate of the grid: those of the last dimension, the
/// last but one and so on take turns.
template <typename C>
static std::vector<SmallVector<Tap, 4>>
computeGridTaps(IE::GridSampleOp op, const Tensor &input, const Tensor &grid) {
  SmallVector<GridSampler<C>> samplers;
  for (int64_t dim = input.getRank() - 1; dim >= 2; --dim) {
    samplers.emplace_back(op, input.getDim(dim));
  }
  std::vector<SmallVector<Tap, 4>> taps;
  for (auto [i, coordinate] : llvm::enumerate(load<double>(grid))) {
    taps.push_back(
        samplers[i % samplers.size()].getTaps(static_cast<C>(coordinate)));
  }
  return taps;
}

namespace {

/// The weighted elements of an image at the taps of one point, whose first tap
/// is that of the last dimension.
template <typename C> struct PointSum {
  ArrayRef<SmallVector<Tap, 4>> taps;
  ArrayRef<int64_t> sizes;
  ArrayRef<C> image;

  /// Over dimensions from `dim` on, of which `offset` elements are before.
  C get(size_t dim, int64_t offset, double weight) const {
    if (dim == sizes.size()) {
      if constexpr (std::is_same_v<C, double>) {
        return weight * image[offset];
      } else {
        return image[offset]; // nearest
      }
    }
    C sum = 0;
    for (const Tap &tap : taps[sizes.size() - 1 - dim]) {
      if (tap.position >= 0) {
        sum += get(dim + 1, offset * sizes[dim] + tap.position,
                   weight * tap.weight);
      }
    }
    return sum;
  }
};

} // namespace

static LogicalResult evalGridSample(IE::GridSampleOp op,
                                    ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  const Tensor &input = operands[0], &grid = operands[1];
  ArrayRef<int64_t> sizes = input.getShape().drop_front(2);
  int64_t channels = input.getDim(1), dims = sizes.size();
  int64_t plane = ShapedType::getNumElements(sizes);
  int64_t points =
      ShapedType::getNumElements(grid.getShape().drop_front().drop_back());
  std::vector<SmallVector<Tap, 4>> taps =
      grid.getElementType().isF64() ? computeGridTaps<double>(op, input, grid)
                                    : computeGridTaps<float>(op, input, grid);
  dispatchCompute(results[0].getElementType(), [&](auto tag) {
    using C = decltype(tag);
    std::vector<C> values = load<C>(input), result(results[0].getNumElements());
    for (auto [i, out] : llvm::enumerate(result)) {
      int64_t image = i / points, point = i % points;
      int64_t at = dims * (image / channels * points + point);
      out = PointSum<C>{ArrayRef(taps).slice(at, dims), sizes,
                        ArrayRef(values).slice(image * plane, plane)}
                .get(0, 0, 1);
    }
    store(result, results[0]);
  });
  return success();
}

namespace {

/// The two elements in one dimension that a point of RoiAlign lies between.
struct Neighbours {
  int64_t low, high;
  double weightLow, weightHigh;
};

} // namespace

/// Nothing for a point more than one element outside of the `size` elements.
static std::optional<Neighbours> getNeighbours(double x, int64_t size) {
  if (!(x >= -1 && x <= static_cast<double>(size))) {
    return std::nullopt;
  }
  x = std::clamp(x, 0.0, static_cast<double>(size - 1));
  auto low = static_cast<int64_t>(x);
  double beyond = x - static_cast<double>(low);
  return Neighbours{low, std::min(low + 1, size - 1), 1 - beyond, beyond};
}

/// The points of one bin of a region, in one dimension.
static SmallVector<std::optional<Neighbours>>
getRoiPoints(IE::RoiAlignOp op, double start, double end, int64_t bin,
             int64_t numBins, int64_t size) {
  bool isAligned = op.getCoordinateTransformationMode() == "half_pixel";
  double scale = op.getSpatialScale().convertToDouble();
  start = start * scale - (isAligned ? 0.5 : 0);
  double length = end * scale - (isAligned ? 0.5 : 0) - start;
  length = isAligned ? length : std::max(length, 1.0);
  double width = length / static_cast<double>(numBins);
  int64_t count = op.getSamplingRatio();
  if (count == 0) {
    count = static_cast<int64_t>(
        std::fmax(0, std::fmin(std::ceil(width), IE::kMaxRoiPoints)));
  }
  SmallVector<std::optional<Neighbours>> points;
  for (int64_t i = 0; i < count; ++i) {
    double offset =
        (static_cast<double>(i) + 0.5) * width / static_cast<double>(count);
    points.push_back(
        getNeighbours(start + static_cast<double>(bin) * width + offset, size));
  }
  return points;
}

static LogicalResult evalRoiAlign(IE::RoiAlignOp op, ArrayRef<Tensor> operands,
                                  MutableArrayRef<Tensor> results) {
  const Tensor &input = operands[0];
  std::vector<double> values = load<double>(input);
  std::vector<double> rois = load<double>(operands[1]);
  std::vector<double> out(results[0].getNumElements());
  int64_t height = input.getDim(2), width = input.getDim(3);
  bool isMax = op.getMode() == "max";
  LogicalResult result = success();
  forEachIndex(results[0].getShape(), [&](int64_t linear,
                                          ArrayRef<int64_t> index) {
    int64_t image = operands[2].getInt(index[0]);
    if (image < 0 || image >= input.getDim(0)) {
      result = op.emitError("expected batch indices below ")
               << input.getDim(0) << ", found " << image;
      return;
    }
    const double *roi = &rois[4 * index[0]];
    auto rows = getRoiPoints(op, roi[1], roi[3], index[2], op.getOutputHeight(),
                             height);
    auto columns =
        getRoiPoints(op, roi[0], roi[2], index[3], op.getOutputWidth(), width);
    int64_t plane = (image * input.getDim(1) + index[1]) * height * width;
    double sum = 0, largest = -std::numeric_limits<double>::infinity();
    for (const auto &y : rows) {
      for (const auto &x : columns) {
        if (!x || !y) {
          largest = std::max(largest, 0.0);
          continue;
        }
        for (auto [row, rowWeight] : {std::pair(y->low, y->weightLow),
                                      std::pair(y->high, y->weightHigh)}) {
          for (auto [column, weight] : {std::pair(x->low, x->weightLow),
                                        std::pair(x->high, x->weightHigh)}) {
            double part =
                rowWeight * weight * values[plane + row * width + column];
            sum += part;
            largest = maximum(largest, part);
          }
        }
      }
    }
    size_t count = rows.size() * columns.size();
    if (count == 0) {
      out[linear] = 0;
    } else {
      out[linear] = isMax ? largest : sum / static_cast<double>(count);
    }
  });
  store(out, results[0]);
  return result;
}

void interpreter::registerResamplingKernels(MLIRContext *context) {
  attachKernel<IE::GridSampleOp, evalGridSample>(context);
  attachKernel<IE::ResizeOp, evalResize>(context);
  attachKernel<IE::RoiAlignOp, evalRoiAlign>(context);
}
