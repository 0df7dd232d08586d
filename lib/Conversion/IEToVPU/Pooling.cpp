//===- Pooling.cpp - Lower pooling to the engine --------------------------===//
//
// Pooling whose windows are all whole: a window that hangs over the padding
// only exists for maxima, where more padding changes nothing.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

/// An (N, C, W) or (N, C, H, W) value of the engine's element types.
RankedTensorType getImageType(VPU::ArchAttr arch, Value value) {
  RankedTensorType type = getEngineType(arch, value);
  return type && (type.getRank() == 3 || type.getRank() == 4)
             ? type
             : RankedTensorType();
}

/// Builds what turns the engine's result into ONNX's, given the image's type.
using Correction = Value (*)(OpBuilder &, Location, Value, RankedTensorType,
                             const Window2D &);

template <typename EngineOp>
void replaceWithPool(PatternRewriter &rewriter, Operation *op, Value source,
                     VPU::ArchAttr arch, const Window2D &window,
                     const Padding &padding, Correction correct = nullptr) {
  Location loc = op->getLoc();
  BlockedLayout layout = chooseLayout(arch, source, /*reducesChannels=*/false);
  Value input = buildBlocked(rewriter, loc, source, layout, padding);
  auto imageType = cast<RankedTensorType>(source.getType());
  auto logical = imageType.clone(
      ArrayRef<int64_t>{imageType.getDimSize(0), imageType.getDimSize(1),
                        window.output[0], window.output[1]});
  Value init = buildBlockedEmpty(rewriter, loc, logical, layout);
  // Bytes stand for themselves.
  bool isBytes = imageType.getElementType().isInteger(8);
  MLIRContext *context = rewriter.getContext();
  VPU::PPEAttr ppe = VPU::PPEAttr::get(context);
  VPU::QuantAttr quant;
  if (isBytes) {
    ppe = ppe.getQuantizing(0);
    quant = VPU::QuantAttr::get(context, rewriter.getF32FloatAttr(1), 0);
  }
  Value result = EngineOp::create(rewriter, loc, input, init, window.kernel,
                                  window.strides, window.dilations, ppe, quant)
                     ->getResult(0);
  if (correct) {
    result = correct(rewriter, loc, result, imageType, window);
  }
  Value unblocked =
      buildUnblocked(rewriter, loc, {result, layout}, imageType.getDimSize(1));
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  Value image = buildReshape(rewriter, loc, unblocked, shape);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  rewriter.replaceOp(
      op, isBytes ? buildModelBytes(rewriter, loc, image, element) : image);
}

template <typename Op> std::optional<Window2D> getWindow(Op op) {
  FailureOr<IE::Window> window = op.getWindow();
  return succeeded(window) ? Window2D::get(*window) : std::nullopt;
}

struct MaxPoolToVPU final : VPUPattern<IE::MaxPoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    bool isBytes = isEngineBytes(arch, op.getInput());
    if (!isBytes && !getImageType(arch, op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "needs static images of an element type of the engine");
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
    auto shape = cast<RankedTensorType>(image.getType()).getShape();
    std::array<int64_t, 2> overhang = window->getOverhang(shape.drop_front(2));
    Padding padding{window->pads,
                    isBytes ? 0 : -std::numeric_limits<float>::infinity()};
    padding.sizes[2] += overhang[0];
    padding.sizes[3] += overhang[1];
    replaceWithPool<VPU::NCEMaxPoolOp>(rewriter, op, image, arch, *window,
                                       padding);
    return success();
  }
};

struct AveragePoolToVPU final : VPUPattern<IE::AveragePoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::AveragePoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!getImageType(arch, op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "needs static images of an element type of the engine");
    }
    std::optional<Window2D> window = getWindow(op);
    if (!window) {
      return rewriter.notifyMatchFailure(op, "has negative padding");
    }
    bool padded =
        llvm::any_of(window->pads, [](int64_t pad) { return pad != 0; });
    auto inputType = cast<RankedTensorType>(op.getInput().getType());
    if (window->getOverhang(
            inputType.getRank() == 4
                ? inputType.getShape().drop_front(2)
                : ArrayRef<int64_t>{1, inputType.getDimSize(2)}) !=
        std::array<int64_t, 2>{0, 0}) {
      return rewriter.notifyMatchFailure(
          op, "windows beyond the padding have other divisors");
    }
    bool corrects = padded && !op.getCountIncludePad();
    auto outputType = cast<RankedTensorType>(op.getOutput().getType());
    if (corrects && outputType.getNumElements() > kMaxCorrection) {
      return rewriter.notifyMatchFailure(
          op, "windows over the padding have other divisors, and a table of "
              "them would be large");
    }
    Value image = buildImage(rewriter, op.getLoc(), op.getInput());
    replaceWithPool<VPU::NCEAveragePoolOp>(
        rewriter, op, image, arch, *window, Padding{window->pads},
        corrects ? &AveragePoolToVPU::correct : nullptr);
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
                       RankedTensorType image, const Window2D &window) {
    auto type = cast<RankedTensorType>(pooled.getType());
    ArrayRef<int64_t> shape = type.getShape();
    double taps = static_cast<double>(window.kernel[0] * window.kernel[1]);
    std::vector<float> table;
    table.reserve(type.getNumElements());
    for (int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
      for (int64_t r = 0; r < shape[2]; ++r) {
        int64_t rows = countInside(window, 0, r, image.getDimSize(2));
        for (int64_t c = 0; c < shape[3]; ++c) {
          int64_t inside =
              rows * countInside(window, 1, c, image.getDimSize(3));
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
};

struct GlobalAveragePoolToVPU final : VPUPattern<IE::GlobalAveragePoolOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::GlobalAveragePoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getEngineType(arch, op.getInput(), 4);
    if (!type || !getBlockedSource(op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    Window2D window{{type.getDimSize(2), type.getDimSize(3)},
                    {1, 1},
                    {1, 1},
                    {1, 1},
                    {0, 0, 0, 0}};
    replaceWithPool<VPU::NCEAveragePoolOp>(rewriter, op, op.getInput(), arch,
                                           window, Padding());
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
    if (!zeroPoint || !quant || !isEngineBytes(arch, source.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "does not round the average of dequantized bytes");
    }
    BlockedImage blocked = getBlockedBytes(source.getInput());
    if (!blocked) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    Location loc = op.getLoc();
    Value image = buildBytes(rewriter, loc, source.getInput());
    auto type = cast<RankedTensorType>(image.getType());
    Value init = buildBlockedEmpty(
        rewriter, loc,
        type.clone({type.getDimSize(0), type.getDimSize(1), 1, 1}),
        blocked.layout);
    Value result =
        VPU::NCEAveragePoolOp::create(
            rewriter, loc, blocked.value, init, type.getShape().drop_front(2),
            ArrayRef<int64_t>{1, 1}, ArrayRef<int64_t>{1, 1},
            VPU::PPEAttr::get(getContext()).getQuantizing(*zeroPoint), quant)
            ->getResult(0);
    Value pooled = buildUnblocked(rewriter, loc, {result, blocked.layout},
                                  type.getDimSize(1));
    rewriter.replaceOp(op, buildModelBytes(rewriter, loc, pooled,
                                           getElementTypeOrSelf(op.getType())));
    return success();
  }
};

} // namespace

void nacre::populatePoolingToVPUPatterns(VPU::ArchAttr arch,
                                         RewritePatternSet &patterns) {
  patterns.add<MaxPoolToVPU, AveragePoolToVPU, GlobalAveragePoolToVPU,
               QuantizedAverageToVPU>(arch, patterns.getContext());
}
