//===- Pooling.cpp - Lower pooling to the engine --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that hangs over the padding is one of maxima, where more padding
// changes nothing, or of averages with divisors of their own, for which padding
// does not count. Volumes are pooled image by image, then along their depth.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"
#include "Volume.h"

#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/Nacre/IR/LoweringInterface.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace nacre;

/// Post-processing and meaning of what a pool takes and gives.
static std::pair<VPU::PPEAttr, VPU::QuantAttr>
getPoolAttributes(Builder &builder, Value image) {
  MLIRContext *context = builder.getContext();
  VPU::PPEAttr ppe = VPU::PPEAttr::get(context);
  if (!getElementTypeOrSelf(image.getType()).isInteger(8)) {
    return {ppe, VPU::QuantAttr()};
  }
  // Bytes stand for themselves.
  return {ppe.getQuantizing(0),
          VPU::QuantAttr::get(context, builder.getF32FloatAttr(1), 0)};
}

/// What windows over depth make of blocked images, (N * D, CB, H, W, c): to the
/// engine, an image without channels of as many rows as a volume is deep, and
/// of all that an image holds as columns.
template <typename EngineOp>
static Value buildDepthPool(OpBuilder &builder, Location loc, Value images,
                            int64_t volumes, const Depth &depth,
                            float padValue) {
  auto type = cast<RankedTensorType>(images.getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t columns = shape[1] * shape[2] * shape[3];
  auto build = [&](int64_t rows) {
    return buildEmpty(builder, loc, {volumes, 1, rows, columns, shape[4]},
                      type.getElementType());
  };
  int64_t size = shape[0] / volumes;
  Value input =
      buildReshape(builder, loc, images, {volumes, 1, size, columns, shape[4]});
  // ceil_mode can ask for more than the padding.
  int64_t padsEnd =
      std::max(depth.padsEnd, depth.getReach() - depth.padsBegin - size);
  if (depth.padsBegin != 0 || padsEnd != 0) {
    std::array<int64_t, 4> pads = {depth.padsBegin, 0, padsEnd, 0};
    input = VPU::CopyOp::create(
                builder, loc, input, build(depth.padsBegin + size + padsEnd),
                VPU::DimsOrder::NCHWc, VPU::DimsOrder::NCHWc, pads, padValue)
                ->getResult(0);
  }
  auto [ppe, quant] = getPoolAttributes(builder, images);
  Value pooled =
      EngineOp::create(builder, loc, input, build(depth.output),
                       ArrayRef<int64_t>{depth.kernel, 1},
                       ArrayRef<int64_t>{depth.stride, 1},
                       ArrayRef<int64_t>{depth.dilation, 1}, ppe, quant)
          ->getResult(0);
  return buildReshape(
      builder, loc, pooled,
      {volumes * depth.output, shape[1], shape[2], shape[3], shape[4]});
}

/// `buildShares`, where it is given, builds the operand of that name from the
/// sizes of the image and what the engine is to read.
template <typename EngineOp>
static void replaceWithPool(
    PatternRewriter &rewriter, Operation *op, Value source, VPU::ArchAttr arch,
    const Depth &depth, const Window2D &window, float padValue,
    llvm::function_ref<Value(ArrayRef<OpFoldResult>, const WindowInput &)>
        buildShares = nullptr) {
  Location loc = op->getLoc();
  BlockedLayout layout = chooseLayout(arch, source, /*reducesChannels=*/false);
  WindowInput input = buildWindowInput(rewriter, loc, source, layout, window,
                                       {/*sizes=*/{}, padValue});
  MixedSizes image = getImageSizes(rewriter, loc, source), logical = image;
  logical[2] = input.output[0];
  logical[3] = input.output[1];
  Value init = buildBlockedEmpty(rewriter, loc, logical, layout,
                                 getElementTypeOrSelf(input.value.getType()));
  auto [ppe, quant] = getPoolAttributes(rewriter, input.value);
  EngineOp pool;
  if constexpr (std::is_same_v<EngineOp, VPU::NCEAveragePoolOp>) {
    Value shares = buildShares ? buildShares(image, input) : Value();
    pool =
        EngineOp::create(rewriter, loc, input.value, init, window.kernel,
                         window.strides, window.dilations, ppe, quant, shares);
  } else {
    pool = EngineOp::create(rewriter, loc, input.value, init, window.kernel,
                            window.strides, window.dilations, ppe, quant);
  }
  Value result = pool->getResult(0);
  if (!depth.isSingle()) {
    int64_t volumes =
        cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(0);
    result = buildDepthPool<EngineOp>(rewriter, loc, result, volumes, depth,
                                      padValue);
  }
  replaceByImage(rewriter, op, {result, layout},
                 *getConstantIntValue(image[1]));
}

namespace {

/// Windows over rows and columns, and those over depth of what they give.
struct PoolWindows {
  Depth depth;
  Window2D flat;
};

} // namespace

template <typename Op> static std::optional<PoolWindows> getWindows(Op op) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return std::nullopt;
  }
  Depth depth = Depth::take(*window);
  std::optional<Window2D> flat =
      Window2D::get(*window, op.getAutoPad(), op.getCeilMode() != 0);
  return flat && !depth.hasNegativePadding()
             ? std::optional(PoolWindows{depth, *flat})
             : std::nullopt;
}

/// True where the strategy of a pool leaves it to a software kernel, as it is
/// or where its operand does not come from the engine.
template <typename Op> static bool isForSoftware(Op op) {
  VPU::Algorithm algorithm = VPU::getAlgorithm(op);
  bool isAsOperand = algorithm == VPU::Algorithm::asOperand ||
                     algorithm == VPU::Algorithm::slices;
  return isLeftToSoftware(op) ||
         (isAsOperand && !getBlockedImage(op.getInput()));
}

/// True where a scratchpad does not hold what windows over depth meet of
/// images as large as `result`: buildDepthPool() makes a row of each, and rows
/// are not cut.
static bool exceedsScratchpad(VPU::ArchAttr arch, Value result,
                              const Depth &depth) {
  if (!arch.hasScratchpad() || depth.isSingle()) {
    return false;
  }
  auto type = cast<RankedTensorType>(result.getType());
  int64_t images = (depth.kernel - 1) * depth.dilation + 2; // with the result
  int64_t elements = images * type.getDimSize(3) * type.getDimSize(4);
  return elements * type.getElementTypeBitWidth() / 8 > arch.getCmxBytes();
}

namespace {

struct MaxPoolToVPU final : VPUPattern<IE::MaxPoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    bool isBytes = isImageOfBytes(arch, op.getInput());
    if (!isBytes && !getImageType(arch, op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and on an NPU of known size");
    }
    std::optional<PoolWindows> windows = getWindows(op);
    if (!windows) {
      return rewriter.notifyMatchFailure(op, "has negative padding");
    }
    if (isForSoftware(op)) {
      return rewriter.notifyMatchFailure(
          op, "its strategy leaves it to a software kernel");
    }
    if (exceedsScratchpad(arch, op.getOutput(), windows->depth)) {
      return rewriter.notifyMatchFailure(op, "images exceed the scratchpad");
    }
    replaceWithPool<VPU::NCEMaxPoolOp>(
        rewriter, op, op.getInput(), arch, windows->depth, windows->flat,
        isBytes ? 0 : -std::numeric_limits<float>::infinity());
    return success();
  }
};

struct AveragePoolToVPU final : VPUPattern<IE::AveragePoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::AveragePoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageType(arch, op.getInput());
    if (!type) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and on an NPU of known size");
    }
    std::optional<PoolWindows> windows = getWindows(op);
    if (!windows) {
      return rewriter.notifyMatchFailure(op, "has negative padding");
    }
    if (isForSoftware(op)) {
      return rewriter.notifyMatchFailure(
          op, "its strategy leaves it to a software kernel");
    }
    const Depth &depth = windows->depth;
    const Window2D &window = windows->flat;
    if (exceedsScratchpad(arch, op.getOutput(), depth)) {
      return rewriter.notifyMatchFailure(op, "images exceed the scratchpad");
    }
    bool padded =
        llvm::any_of(window.pads, [](int64_t pad) { return pad != 0; });
    SmallVector<int64_t> spatial(type.getShape().drop_front(2));
    bool hangsOverDepth = false;
    if (spatial.size() == 3) {
      int64_t images = depth.padsBegin + spatial.front() + depth.padsEnd;
      hangsOverDepth = depth.getReach() > images;
      spatial.erase(spatial.begin());
    }
    if (spatial.size() == 1) {
      spatial.insert(spatial.begin(), 1);
    }
    // Shares of windows that hang over an image leave out what is beyond it,
    // and with that the padding.
    bool countsPadding = padded && op.getCountIncludePad();
    bool hangsOver =
        window.getOverhang(spatial) != std::array<int64_t, 2>{0, 0};
    if (hangsOverDepth || (hangsOver && countsPadding)) {
      return rewriter.notifyMatchFailure(
          op, "windows beyond the padding have other divisors");
    }
    bool padsDepth = depth.padsBegin != 0 || depth.padsEnd != 0;
    if (padsDepth && !op.getCountIncludePad()) {
      return rewriter.notifyMatchFailure(
          op, "windows over the padding of depth have other divisors");
    }
    Type element = type.getElementType().isF64() ? type.getElementType()
                                                 : Type(rewriter.getF32Type());
    auto buildShares = [&](ArrayRef<OpFoldResult> image,
                           const WindowInput &input) {
      return isTable(image, input)
                 ? buildTable(rewriter, op.getLoc(), element, image, window,
                              input)
                 : buildSharesAtRunTime(rewriter, op.getLoc(), element, image,
                                        window, input);
    };
    llvm::function_ref<Value(ArrayRef<OpFoldResult>, const WindowInput &)>
        ofPadding = nullptr;
    if (hangsOver || (padded && !countsPadding)) {
      ofPadding = buildShares;
    }
    replaceWithPool<VPU::NCEAveragePoolOp>(rewriter, op, op.getInput(), arch,
                                           depth, window, /*padValue=*/0,
                                           ofPadding);
    return success();
  }

private:
  /// How many of a window's taps lie inside the image.
  static int64_t countInside(const Window2D &window, int dim, int64_t output,
                             int64_t extent) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.kernel[dim]; ++k) {
      int64_t at = output * window.strides[dim] + k * window.dilations[dim] -
                   window.pads[dim];
      count += at >= 0 && at < extent;
    }
    return count;
  }

  /// True for shares that are constants: of known sizes, and no more of them
  /// than a library should hold.
  static bool isTable(ArrayRef<OpFoldResult> image, const WindowInput &input) {
    constexpr int64_t kLargest = int64_t(1) << 16;
    OpFoldResult sizes[] = {image[2], image[3], input.output[0],
                            input.output[1]};
    bool areKnown = llvm::all_of(sizes, [](OpFoldResult size) {
      return getConstantIntValue(size).has_value();
    });
    return areKnown && *getConstantIntValue(input.output[0]) *
                               *getConstantIntValue(input.output[1]) <=
                           kLargest;
  }

  /// countInside() of each window along `dim`.
  static SmallVector<int64_t> countInside(ArrayRef<OpFoldResult> image,
                                          const Window2D &window,
                                          const WindowInput &input, int dim) {
    return llvm::map_to_vector(
        llvm::seq(*getConstantIntValue(input.output[dim])),
        [&](int64_t output) {
          return countInside(window, dim, output,
                             *getConstantIntValue(image[2 + dim]));
        });
  }

  /// One divided by the number of a window's taps that lie inside the image. A
  /// window beside it has a share of infinity, which is NaN times its sum, 0.
  static Value buildTable(OpBuilder &builder, Location loc, Type element,
                          ArrayRef<OpFoldResult> image, const Window2D &window,
                          const WindowInput &input) {
    SmallVector<int64_t> rows = countInside(image, window, input, 0);
    SmallVector<int64_t> columns = countInside(image, window, input, 1);
    std::vector<double> table;
    table.reserve(rows.size() * columns.size());
    for (int64_t inRows : rows) {
      for (int64_t inColumns : columns) {
        table.push_back(1.0 / static_cast<double>(inRows * inColumns));
      }
    }
    int64_t shape[] = {static_cast<int64_t>(rows.size()),
                       static_cast<int64_t>(columns.size())};
    return withFloatType(element, [&](auto zero) {
      return buildConstant(
          builder, loc, shape,
          std::vector<decltype(zero)>(table.begin(), table.end()));
    });
  }

  /// The same, computed by software.
  static Value buildSharesAtRunTime(OpBuilder &builder, Location loc,
                                    Type element, ArrayRef<OpFoldResult> image,
                                    const Window2D &window,
                                    const WindowInput &input) {
    AffineMap maps[] = {AffineMap::get(2, 0, builder.getAffineDimExpr(0)),
                        AffineMap::get(2, 0, builder.getAffineDimExpr(1)),
                        builder.getMultiDimIdentityMap(2)};
    Value counts[] = {
        buildCounts(builder, loc, element, image, window, input, 0),
        buildCounts(builder, loc, element, image, window, input, 1)};
    Value empty = tensor::EmptyOp::create(builder, loc, input.output, element);
    return linalg::GenericOp::create(
               builder, loc, empty.getType(), counts, empty, maps,
               SmallVector<utils::IteratorType>(2,
                                                utils::IteratorType::parallel),
               [&](OpBuilder &b, Location nested, ValueRange elements) {
                 Value one = arith::ConstantOp::create(
                     b, nested, b.getFloatAttr(element, 1));
                 Value count =
                     arith::MulFOp::create(b, nested, elements[0], elements[1]);
                 Value share = arith::DivFOp::create(b, nested, one, count);
                 linalg::YieldOp::create(b, nested, share);
               })
        .getResult(0);
  }

  /// How many rows, or columns, of each window lie inside the image.
  static Value buildCounts(OpBuilder &builder, Location loc, Type element,
                           ArrayRef<OpFoldResult> image, const Window2D &window,
                           const WindowInput &input, unsigned dim) {
    Value begin =
        getValueOrCreateConstantIndexOp(builder, loc, input.padsBegin[dim]);
    Value extent =
        getValueOrCreateConstantIndexOp(builder, loc, image[2 + dim]);
    Value empty = tensor::EmptyOp::create(
        builder, loc, ArrayRef<OpFoldResult>(input.output[dim]), element);
    return linalg::GenericOp::create(
               builder, loc, empty.getType(), ValueRange{}, empty,
               builder.getMultiDimIdentityMap(1), utils::IteratorType::parallel,
               [&](OpBuilder &b, Location nested, ValueRange) {
                 Value count = buildCountInside(
                     b, nested, window, dim,
                     linalg::IndexOp::create(b, nested, 0), begin, extent);
                 Value integer = arith::IndexCastOp::create(
                     b, nested, b.getI64Type(), count);
                 linalg::YieldOp::create(
                     b, nested,
                     arith::SIToFPOp::create(b, nested, element, integer)
                         .getResult());
               })
        .getResult(0);
  }

  /// countInside() of window `output` of an image of `extent`.
  static Value buildCountInside(OpBuilder &builder, Location loc,
                                const Window2D &window, unsigned dim,
                                Value output, Value begin, Value extent) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    int64_t dilation = window.dilations[dim];
    Value first = arith::SubIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, output,
                              constant(window.strides[dim])),
        begin);
    // The taps before a position: those in the padding, then all but those
    // behind the image.
    auto countBefore = [&](Value end) -> Value {
      Value distance = arith::MaxSIOp::create(
          builder, loc, arith::SubIOp::create(builder, loc, end, first),
          constant(0));
      Value taps = arith::DivUIOp::create(
          builder, loc,
          arith::AddIOp::create(builder, loc, distance, constant(dilation - 1)),
          constant(dilation));
      return arith::MinSIOp::create(builder, loc, taps,
                                    constant(window.kernel[dim]));
    };
    return arith::SubIOp::create(builder, loc, countBefore(extent),
                                 countBefore(constant(0)));
  }
};

} // namespace

/// The average of all pixels, in the image's layout.
static Value buildGlobalAverage(OpBuilder &builder, Location loc,
                                const BlockedImage &image, int64_t channels,
                                VPU::PPEAttr ppe, VPU::QuantAttr quant = {}) {
  auto type = cast<RankedTensorType>(image.value.getType());
  OpFoldResult one = builder.getIndexAttr(1);
  OpFoldResult images = getMixedSizes(builder, loc, image.value).front();
  Value init = buildBlockedEmpty(
      builder, loc, {images, builder.getIndexAttr(channels), one, one},
      image.layout, type.getElementType());
  // The whole image is the window.
  SmallVector<int64_t> kernel;
  ArrayRef<int64_t> spatial = type.getShape().slice(2, 2);
  if (!ShapedType::isDynamicShape(spatial)) {
    kernel.assign(spatial.begin(), spatial.end());
  }
  return VPU::NCEAveragePoolOp::create(builder, loc, image.value, init, kernel,
                                       ArrayRef<int64_t>{1, 1},
                                       ArrayRef<int64_t>{1, 1}, ppe, quant)
      ->getResult(0);
}

namespace {

struct GlobalAveragePoolToVPU final : VPUPattern<IE::GlobalAveragePoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::GlobalAveragePoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageType(arch, op.getInput());
    BlockedImage source =
        type ? getBlockedImage(op.getInput()) : BlockedImage();
    if (!source) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    Value result =
        buildGlobalAverage(rewriter, op.getLoc(), source, type.getDimSize(1),
                           VPU::PPEAttr::get(getContext()));
    if (type.getRank() == 5) {
      Depth depth;
      depth.kernel = type.getDimSize(2);
      depth.output = 1;
      result = buildDepthPool<VPU::NCEAveragePoolOp>(
          rewriter, op.getLoc(), result, type.getDimSize(0), depth,
          /*padValue=*/0);
    }
    replaceByImage(rewriter, op, {result, source.layout}, type.getDimSize(1));
    return success();
  }
};

/// The quantized average of a dequantized image.
struct QuantizedAverageToVPU final : VPUPattern<IE::QuantizeLinearOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> zeroPoint = getRoundingZeroPoint(op);
    auto pool = op.getInput().getDefiningOp<IE::GlobalAveragePoolOp>();
    auto source = pool ? pool.getInput().getDefiningOp<IE::DequantizeLinearOp>()
                       : nullptr;
    VPU::QuantAttr quant = source ? getQuant(source) : VPU::QuantAttr();
    if (!zeroPoint || !quant || !isImageOfBytes(arch, source.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "does not round the average of dequantized bytes");
    }
    if (cast<RankedTensorType>(op.getType()).getRank() == 5) {
      return rewriter.notifyMatchFailure(
          op, "averages a volume, and those of its images would be rounded");
    }
    BlockedImage blocked = getBlockedImage(source.getInput());
    if (!blocked) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    int64_t channels = cast<RankedTensorType>(op.getType()).getDimSize(1);
    Value result = buildGlobalAverage(
        rewriter, op.getLoc(), blocked, channels,
        VPU::PPEAttr::get(getContext()).getQuantizing(*zeroPoint), quant);
    replaceByImage(rewriter, op, {result, blocked.layout}, channels);
    return success();
  }
};

} // namespace

void nacre::populatePoolingToVPUPatterns(VPU::ArchAttr arch,
                                         RewritePatternSet &patterns) {
  patterns.add<MaxPoolToVPU, AveragePoolToVPU, GlobalAveragePoolToVPU,
               QuantizedAverageToVPU>(arch, patterns.getContext());
}
