//===- Pooling.cpp - Lower pooling to the engine --------------------------===//
//
// Pooling whose windows are all whole: a window that hangs over the padding
// only exists for maxima, where more padding changes nothing.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

/// Builds what turns the engine's result into ONNX's, given the image.
using Correction = Value (*)(OpBuilder &, Location, Value pooled, Value image,
                             const Window2D &, const WindowInput &);

/// Replaces `op` by the engine's result, `pooled`, in ONNX's layout.
void finish(PatternRewriter &rewriter, Operation *op, Value pooled,
            BlockedLayout layout, int64_t channels) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value image = buildUnblocked(rewriter, loc, {pooled, layout}, channels);
  bool isBytes = getElementTypeOrSelf(image.getType()).isInteger(8);
  image = buildFromImage(rewriter, loc, image,
                         type.clone(getElementTypeOrSelf(image.getType())));
  rewriter.replaceOp(
      op, isBytes ? buildModelBytes(rewriter, loc, image, type.getElementType())
                  : image);
}

template <typename EngineOp>
void replaceWithPool(PatternRewriter &rewriter, Operation *op, Value source,
                     VPU::ArchAttr arch, const Window2D &window, float padValue,
                     Correction correct = nullptr) {
  Location loc = op->getLoc();
  BlockedLayout layout = chooseLayout(arch, source, /*reducesChannels=*/false);
  WindowInput input =
      buildWindowInput(rewriter, loc, source, layout, window, padValue);
  auto imageType = cast<RankedTensorType>(source.getType());
  MixedSizes logical = getMixedSizes(rewriter, loc, source);
  logical[2] = input.output[0];
  logical[3] = input.output[1];
  Value init = buildBlockedEmpty(rewriter, loc, logical, layout,
                                 imageType.getElementType());
  // Bytes stand for themselves.
  bool isBytes = imageType.getElementType().isInteger(8);
  MLIRContext *context = rewriter.getContext();
  VPU::PPEAttr ppe = VPU::PPEAttr::get(context);
  VPU::QuantAttr quant;
  if (isBytes) {
    ppe = ppe.getQuantizing(0);
    quant = VPU::QuantAttr::get(context, rewriter.getF32FloatAttr(1), 0);
  }
  Value result =
      EngineOp::create(rewriter, loc, input.value, init, window.kernel,
                       window.strides, window.dilations, ppe, quant)
          ->getResult(0);
  if (correct) {
    result = correct(rewriter, loc, result, source, window, input);
  }
  finish(rewriter, op, result, layout, imageType.getDimSize(1));
}

template <typename Op> std::optional<Window2D> getWindow(Op op) {
  FailureOr<IE::Window> window = op.getWindow();
  return succeeded(window)
             ? Window2D::get(*window, op.getAutoPad(), op.getCeilMode() != 0)
             : std::nullopt;
}

struct MaxPoolToVPU final : VPUPattern<IE::MaxPoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    bool isBytes = isEngineBytes(arch, op.getInput(), /*dim=*/1);
    if (!isBytes && !getImageType(arch, op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and on an NPU of known size");
    }
    std::optional<Window2D> window = getWindow(op);
    if (!window) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions without negative padding");
    }
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc,
                             isBytes ? buildBytes(rewriter, loc, op.getInput())
                                     : Value(op.getInput()));
    replaceWithPool<VPU::NCEMaxPoolOp>(
        rewriter, op, image, arch, *window,
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
    std::optional<Window2D> window = getWindow(op);
    if (!window) {
      return rewriter.notifyMatchFailure(op, "has negative padding");
    }
    bool padded =
        llvm::any_of(window->pads, [](int64_t pad) { return pad != 0; });
    SmallVector<int64_t> spatial(type.getShape().drop_front(2));
    if (spatial.size() == 1) {
      spatial.insert(spatial.begin(), 1);
    }
    if (window->getOverhang(spatial) != std::array<int64_t, 2>{0, 0}) {
      return rewriter.notifyMatchFailure(
          op, "windows beyond the padding have other divisors");
    }
    bool corrects = padded && !op.getCountIncludePad();
    auto outputType = cast<RankedTensorType>(op.getOutput().getType());
    bool isStatic = type.hasStaticShape() && outputType.hasStaticShape();
    if (corrects && isStatic && outputType.getNumElements() > kMaxCorrection) {
      return rewriter.notifyMatchFailure(
          op, "windows over the padding have other divisors, and a table of "
              "them would be large");
    }
    Value image = buildImage(rewriter, op.getLoc(), op.getInput());
    Correction correct = isStatic ? &AveragePoolToVPU::correct
                                  : &AveragePoolToVPU::correctAtRunTime;
    replaceWithPool<VPU::NCEAveragePoolOp>(rewriter, op, image, arch, *window,
                                           /*padValue=*/0,
                                           corrects ? correct : nullptr);
    return success();
  }

private:
  /// Elements of a table of corrections: more would rather be computed.
  static constexpr int64_t kMaxCorrection = int64_t(1) << 18;

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

  /// The engine divides by all taps of a window; what only the taps inside the
  /// image count for is that times a constant.
  static Value correct(OpBuilder &builder, Location loc, Value pooled,
                       Value image, const Window2D &window,
                       const WindowInput &) {
    auto type = cast<RankedTensorType>(pooled.getType());
    auto imageType = cast<RankedTensorType>(image.getType());
    ArrayRef<int64_t> shape = type.getShape();
    double taps = static_cast<double>(window.kernel[0] * window.kernel[1]);
    std::vector<float> table;
    table.reserve(type.getNumElements());
    for (int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
      for (int64_t r = 0; r < shape[2]; ++r) {
        int64_t rows = countInside(window, 0, r, imageType.getDimSize(2));
        for (int64_t c = 0; c < shape[3]; ++c) {
          int64_t inside =
              rows * countInside(window, 1, c, imageType.getDimSize(3));
          // A window beside the image has no elements to average.
          double factor = inside == 0 ? std::nan("") : taps / inside;
          table.insert(table.end(), shape[4], static_cast<float>(factor));
        }
      }
    }
    Value factors = buildConstant(builder, loc, shape, table);
    Value init = buildEmpty(builder, loc, shape, type.getElementType());
    return VPU::NCEEltwiseOp::create(builder, loc, pooled, factors, init,
                                     VPU::EltwiseKind::MUL,
                                     VPU::PPEAttr::get(builder.getContext()))
        ->getResult(0);
  }

  /// The same where a run decides which taps that are: in software.
  static Value correctAtRunTime(OpBuilder &builder, Location loc, Value pooled,
                                Value image, const Window2D &window,
                                const WindowInput &input) {
    auto type = cast<RankedTensorType>(pooled.getType());
    MixedSizes sizes = getMixedSizes(builder, loc, image);
    SmallVector<Value> begins, extents;
    for (unsigned i : {0, 1}) {
      begins.push_back(
          getValueOrCreateConstantIndexOp(builder, loc, input.padsBegin[i]));
      extents.push_back(
          getValueOrCreateConstantIndexOp(builder, loc, sizes[2 + i]));
    }
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    auto generic = linalg::GenericOp::create(
        builder, loc, type, ValueRange{pooled},
        ValueRange{buildEmptyLike(builder, loc, pooled)},
        ArrayRef<AffineMap>{identity, identity},
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &b, Location nested, ValueRange elements) {
          Value inside;
          for (unsigned i : {0, 1}) {
            Value count = buildCountInside(
                b, nested, window, i, linalg::IndexOp::create(b, nested, 2 + i),
                begins[i], extents[i]);
            inside = inside ? arith::MulIOp::create(b, nested, inside, count)
                            : count;
          }
          Type element = type.getElementType();
          Value integer =
              arith::IndexCastOp::create(b, nested, b.getI64Type(), inside);
          Value divisor = arith::SIToFPOp::create(b, nested, element, integer);
          double taps =
              static_cast<double>(window.kernel[0] * window.kernel[1]);
          Value all = arith::ConstantOp::create(b, nested,
                                                b.getFloatAttr(element, taps));
          // A window beside the image makes 0 * infinity, which is no number.
          Value factor = arith::DivFOp::create(b, nested, all, divisor);
          Value result = arith::MulFOp::create(b, nested, elements[0], factor);
          linalg::YieldOp::create(b, nested, result);
        });
    return generic.getResult(0);
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

/// The average of all pixels, in the image's layout.
Value buildGlobalAverage(OpBuilder &builder, Location loc,
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

struct GlobalAveragePoolToVPU final : VPUPattern<IE::GlobalAveragePoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::GlobalAveragePoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageType(arch, op.getInput());
    BlockedImage source = type && type.getRank() < 5
                              ? getBlockedSource(op.getInput())
                              : BlockedImage();
    if (!source) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    Value result =
        buildGlobalAverage(rewriter, op.getLoc(), source, type.getDimSize(1),
                           VPU::PPEAttr::get(getContext()));
    finish(rewriter, op, result, source.layout, type.getDimSize(1));
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
    if (!zeroPoint || !quant ||
        !isEngineBytes(arch, source.getInput(), /*dim=*/1)) {
      return rewriter.notifyMatchFailure(
          op, "does not round the average of dequantized bytes");
    }
    BlockedImage blocked = getBlockedBytes(source.getInput());
    if (!blocked) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    int64_t channels = cast<RankedTensorType>(op.getType()).getDimSize(1);
    Value result = buildGlobalAverage(
        rewriter, op.getLoc(), blocked, channels,
        VPU::PPEAttr::get(getContext()).getQuantizing(*zeroPoint), quant);
    finish(rewriter, op, result, blocked.layout, channels);
    return success();
  }
};

} // namespace

void nacre::populatePoolingToVPUPatterns(VPU::ArchAttr arch,
                                         RewritePatternSet &patterns) {
  patterns.add<MaxPoolToVPU, AveragePoolToVPU, GlobalAveragePoolToVPU,
               QuantizedAverageToVPU>(arch, patterns.getContext());
}
