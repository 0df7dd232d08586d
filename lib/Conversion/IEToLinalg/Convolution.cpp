//===- Convolution.cpp - Lower the Convolution family to linalg -----------===//
//
// Software kernels for the IE operator family Convolution. Padding is
// materialised, everything else is in the indexing maps of one linalg.generic:
// loops (n, [group,] channel, spatial output…, input channel, kernel…). A
// transposed convolution is a convolution of the input spread out by the
// strides, with the kernel mirrored.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// True when all operands have static shapes.
static bool areStatic(ValueRange operands) {
  return llvm::all_of(operands, [](Value operand) {
    return !operand || getTensorType(operand).hasStaticShape();
  });
}

namespace {

/// What tells a convolution from its transpose, once the input is padded.
struct Convolution {
  Value input, weights, bias;
  int64_t groups;
  ArrayRef<int64_t> strides, dilations;
  /// Weights are (C, M / group, …) instead of (M, C / group, …), and the
  /// kernel is mirrored.
  bool isTransposed;
};

} // namespace

/// The convolution over an input that needs no padding, as `type`.
static Value buildConvolution(OpBuilder &builder, Location loc,
                              const Convolution &conv, RankedTensorType type) {
  RankedTensorType weightsType = getTensorType(conv.weights);
  ArrayRef<int64_t> spatial = type.getShape().drop_front(2);
  ArrayRef<int64_t> kernel = weightsType.getShape().drop_front(2);
  bool isGrouped = conv.groups != 1;
  int64_t outChannels = type.getDimSize(1) / conv.groups;
  int64_t inChannels = getTensorType(conv.input).getDimSize(1) / conv.groups;

  // Only inputs may be indexed by a sum, so the output gets a dimension of its
  // own for the groups.
  SmallVector<int64_t> channels, weightsShape;
  if (isGrouped) {
    channels.push_back(conv.groups);
    weightsShape.push_back(conv.groups);
  }
  channels.push_back(outChannels);
  weightsShape.push_back(conv.isTransposed ? inChannels : outChannels);
  weightsShape.push_back(conv.isTransposed ? outChannels : inChannels);
  llvm::append_range(weightsShape, kernel);
  SmallVector<int64_t> resultShape = {type.getDimSize(0)};
  llvm::append_range(resultShape, channels);
  llvm::append_range(resultShape, spatial);

  // Dimensions in loop order.
  unsigned next = 0;
  auto newDim = [&]() { return builder.getAffineDimExpr(next++); };
  AffineExpr n = newDim();
  AffineExpr group = isGrouped ? newDim() : builder.getAffineConstantExpr(0);
  AffineExpr outChannel = newDim();
  SmallVector<AffineExpr> outputs, positions;
  for (size_t i = 0; i < spatial.size(); ++i) {
    outputs.push_back(newDim());
  }
  AffineExpr inChannel = newDim();
  for (size_t i = 0; i < kernel.size(); ++i) {
    positions.push_back(newDim());
  }

  SmallVector<AffineExpr> inputExprs = {n, group * inChannels + inChannel};
  for (size_t i = 0; i < spatial.size(); ++i) {
    AffineExpr k =
        conv.isTransposed ? kernel[i] - 1 - positions[i] : positions[i];
    inputExprs.push_back(outputs[i] * conv.strides[i] + k * conv.dilations[i]);
  }
  SmallVector<AffineExpr> weightExprs, outputExprs = {n};
  if (isGrouped) {
    weightExprs.push_back(group);
    outputExprs.push_back(group);
  }
  weightExprs.push_back(conv.isTransposed ? inChannel : outChannel);
  weightExprs.push_back(conv.isTransposed ? outChannel : inChannel);
  llvm::append_range(weightExprs, positions);
  outputExprs.push_back(outChannel);
  llvm::append_range(outputExprs, outputs);

  Type elementType = type.getElementType();
  Type accumulatorType = getAccumulatorType(elementType);
  auto sumType = RankedTensorType::get(resultShape, accumulatorType);
  Value init;
  if (conv.bias) {
    SmallVector<int64_t> biasShape(channels);
    biasShape.append(spatial.size(), 1);
    Value bias = buildReshape(builder, loc, conv.bias,
                              RankedTensorType::get(biasShape, elementType));
    init = buildElementwise(
        builder, loc, sumType, bias,
        [](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          return widenHalf(b, nestedLoc, elements[0]);
        });
  } else {
    init = buildFilled(builder, loc, sumType,
                       buildScalar(builder, loc, accumulatorType, 0));
  }
  Value weights =
      buildReshape(builder, loc, conv.weights, weightsType.clone(weightsShape));
  MLIRContext *context = builder.getContext();
  Value sums = buildAccumulation(
      builder, loc, {conv.input, weights}, init,
      {AffineMap::get(next, 0, inputExprs, context),
       AffineMap::get(next, 0, weightExprs, context),
       AffineMap::get(next, 0, outputExprs, context)},
      /*isUnsigned=*/false,
      [](const ScalarEmitter &e, Value sum, ValueRange elements) {
        return e.add(sum, e.mul(elements[0], elements[1]));
      });
  sums = buildReshape(builder, loc, sums,
                      RankedTensorType::get(type.getShape(), accumulatorType));
  return buildConverted(builder, loc, sums, elementType, /*isUnsigned=*/false);
}

/// The input with the zeroes around it that the windows reach.
static Value buildPadded(OpBuilder &builder, Location loc, Value input,
                         const IE::Window &window) {
  RankedTensorType type = getTensorType(input);
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> offsets(shape.size(), 0);
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    shape[i + 2] += window.padsBegin[i] + window.padsEnd[i];
    offsets[i + 2] = window.padsBegin[i];
  }
  Value zero = buildScalar(builder, loc, type.getElementType(), 0);
  return buildEmbedded(builder, loc, input, shape, offsets,
                       SmallVector<int64_t>(shape.size(), 1), zero);
}

namespace {

struct ConvToLinalg final : OpConversionPattern<IE::ConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!type || !areStatic(adaptor.getOperands())) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Location loc = op.getLoc();
    Convolution conv = {buildPadded(rewriter, loc, adaptor.getInput(), *window),
                        adaptor.getWeights(),
                        adaptor.getBias(),
                        static_cast<int64_t>(op.getGroup()),
                        window->strides,
                        window->dilations,
                        /*isTransposed=*/false};
    rewriter.replaceOp(op, buildConvolution(rewriter, loc, conv, type));
    return success();
  }
};

struct ConvIntegerToLinalg final : OpConversionPattern<IE::ConvIntegerOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvIntegerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!type || !areStatic(adaptor.getOperands())) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Location loc = op.getLoc();
    Value input = buildDifference(
        rewriter, loc, adaptor.getInput(), adaptor.getXZeroPoint(),
        /*zeroShape=*/{}, isUnsignedElement(op.getInput()));
    SmallVector<int64_t> weightsZeroShape(type.getRank(), 1);
    if (adaptor.getWZeroPoint()) {
      weightsZeroShape[0] =
          getTensorType(adaptor.getWZeroPoint()).getNumElements();
    }
    Value weights = buildDifference(rewriter, loc, adaptor.getWeights(),
                                    adaptor.getWZeroPoint(), weightsZeroShape,
                                    isUnsignedElement(op.getWeights()));
    Convolution conv = {buildPadded(rewriter, loc, input, *window),
                        weights,
                        /*bias=*/Value(),
                        static_cast<int64_t>(op.getGroup()),
                        window->strides,
                        window->dilations,
                        /*isTransposed=*/false};
    rewriter.replaceOp(op, buildConvolution(rewriter, loc, conv, type));
    return success();
  }
};

struct ConvTransposeToLinalg final : OpConversionPattern<IE::ConvTransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!type || !areStatic(adaptor.getOperands())) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Value spread =
        buildSpreadInput(rewriter, op.getLoc(), adaptor.getInput(), *window);
    SmallVector<int64_t> ones(window->kernel.size(), 1);
    Convolution conv = {spread,
                        adaptor.getWeights(),
                        adaptor.getBias(),
                        static_cast<int64_t>(op.getGroup()),
                        ones,
                        window->dilations,
                        /*isTransposed=*/true};
    rewriter.replaceOp(op, buildConvolution(rewriter, op.getLoc(), conv, type));
    return success();
  }

private:
  /// The input elements `stride` apart among zeros, with as many zeros around
  /// as give the output's size. Elements that only contribute to the cropped
  /// part of the output are left out.
  static Value buildSpreadInput(OpBuilder &builder, Location loc, Value input,
                                const IE::Window &window) {
    RankedTensorType type = getTensorType(input);
    SmallVector<int64_t> shape(type.getShape()), used(type.getShape());
    SmallVector<int64_t> firsts(shape.size(), 0), offsets(shape.size(), 0);
    SmallVector<int64_t> strides(shape.size(), 1), ones(shape.size(), 1);
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      int64_t reach = (window.kernel[i] - 1) * window.dilations[i];
      int64_t stride = window.strides[i];
      int64_t size = window.output[i] + reach;
      // Where element 0 goes, possibly outside.
      int64_t origin = reach - window.padsBegin[i];
      int64_t first = std::max<int64_t>(IE::ceilDiv(-origin, stride), 0);
      int64_t last =
          std::min(IE::ceilDiv(size - origin, stride), type.getDimSize(i + 2));
      firsts[i + 2] = first;
      used[i + 2] = std::max<int64_t>(last - first, 0);
      offsets[i + 2] = origin + first * stride;
      strides[i + 2] = stride;
      shape[i + 2] = size;
    }
    Value zero = buildScalar(builder, loc, type.getElementType(), 0);
    if (llvm::is_contained(used, 0)) {
      return buildFilled(builder, loc, type.clone(shape), zero);
    }
    auto toFoldResults = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(builder.getContext(), values);
    };
    if (ArrayRef<int64_t>(used) != type.getShape()) {
      input = tensor::ExtractSliceOp::create(
          builder, loc, input, toFoldResults(firsts), toFoldResults(used),
          toFoldResults(ones));
    }
    return buildEmbedded(builder, loc, input, shape, offsets, strides, zero);
  }
};

} // namespace

void nacre::populateConvolutionToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<ConvToLinalg, ConvIntegerToLinalg, ConvTransposeToLinalg>(
      converter, patterns.getContext());
}
