//===- Convolution.cpp - Lower the Convolution family to linalg -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#include "nacre/Support/TensorTypes.h"

using namespace mlir;
using namespace nacre;

namespace {

/// What tells a convolution from its transpose, once the input is padded.
struct Convolution {
  Value input, weights, bias;
  int64_t groups;
  ArrayRef<int64_t> strides, dilations;
  /// Weights are (C, M / group, …) instead of (M, C / group, …), and the
  /// kernel is mirrored.
  bool isTransposed;
  /// Transposed weights that are mirrored already.
  bool isMirrored = false;
};

} // namespace

/// Weights with their kernel mirrored.
static Value buildMirrored(OpBuilder &builder, Location loc, Value weights) {
  Sizes sizes = getSizes(builder, loc, weights);
  return buildFromIndices(
      builder, loc, getTensorType(weights),
      [&](OpBuilder &b, Location nested, ValueRange indices) {
        SmallVector<Value> source(indices);
        for (size_t i = 2; i < source.size(); ++i) {
          Value last = getValueOrCreateConstantIndexOp(
              b, nested, subtractSizes(b, nested, sizes[i], b.getIndexAttr(1)));
          source[i] = arith::SubIOp::create(b, nested, last, source[i]);
        }
        return buildExtract(b, nested, weights, source);
      },
      sizes);
}

/// The convolution over an input that needs no padding, as `type` of `sizes`.
static Value buildConvolution(OpBuilder &builder, Location loc,
                              Convolution conv, RankedTensorType type,
                              ArrayRef<OpFoldResult> sizes) {
  IE::SizeBuilder arithmetic(builder, loc);
  Sizes weightsSizes = getSizes(builder, loc, conv.weights);
  Sizes inputSizes = getSizes(builder, loc, conv.input);
  ArrayRef<OpFoldResult> spatial = sizes.drop_front(2);
  SmallVector<int64_t> kernel = getShape(ArrayRef(weightsSizes).drop_front(2));
  bool isGrouped = conv.groups != 1;
  OpFoldResult groups = builder.getIndexAttr(conv.groups);
  OpFoldResult outChannels =
      conv.isTransposed ? weightsSizes[1]
                        : arithmetic.divideDown(weightsSizes[0], groups);
  OpFoldResult inChannels = conv.isTransposed
                                ? arithmetic.divideDown(weightsSizes[0], groups)
                                : weightsSizes[1];
  assertSameSize(builder, loc, inputSizes[1],
                 arithmetic.multiply({inChannels, groups}),
                 "weights for another number of channels");
  std::optional<int64_t> numIn = getConstantIntValue(inChannels);
  if (conv.isTransposed && llvm::any_of(kernel, ShapedType::isDynamic)) {
    conv.weights = buildMirrored(builder, loc, conv.weights);
    conv.isMirrored = true;
  }

  // Only inputs may be indexed by a sum, so the output gets a dimension of its
  // own for the groups.
  Sizes channels, weightsShape;
  if (isGrouped) {
    channels.push_back(groups);
    weightsShape.push_back(groups);
  }
  channels.push_back(outChannels);
  weightsShape.push_back(conv.isTransposed ? inChannels : outChannels);
  weightsShape.push_back(conv.isTransposed ? outChannels : inChannels);
  weightsShape.append(weightsSizes.begin() + 2, weightsSizes.end());
  Sizes resultSizes = {sizes[0]};
  llvm::append_range(resultSizes, channels);
  llvm::append_range(resultSizes, spatial);
  // The product of a loop and a dynamic size is not affine: the
  // input gets that dimension, too.
  bool splitsInput = isGrouped && !numIn;
  if (splitsInput) {
    Sizes split = {inputSizes[0], groups, inChannels};
    split.append(inputSizes.begin() + 2, inputSizes.end());
    conv.input = buildReshape(
        builder, loc, conv.input,
        RankedTensorType::get(getShape(split),
                              getTensorType(conv.input).getElementType()),
        split);
  }

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

  SmallVector<AffineExpr> inputExprs = {n};
  if (splitsInput) {
    inputExprs.append({group, inChannel});
  } else {
    inputExprs.push_back(isGrouped ? group * *numIn + inChannel : inChannel);
  }
  for (size_t i = 0; i < spatial.size(); ++i) {
    bool mirrors = conv.isTransposed && !conv.isMirrored;
    AffineExpr k = mirrors ? kernel[i] - 1 - positions[i] : positions[i];
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
  auto sumType = RankedTensorType::get(getShape(resultSizes), accumulatorType);
  Value init;
  if (conv.bias) {
    Sizes biasSizes(channels);
    biasSizes.append(spatial.size(), builder.getIndexAttr(1));
    Value bias = buildReshape(
        builder, loc, conv.bias,
        RankedTensorType::get(getShape(biasSizes), elementType), biasSizes);
    init = buildElementwise(
        builder, loc, sumType, resultSizes, bias,
        [](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          return widenHalf(b, nestedLoc, elements[0]);
        });
  } else {
    init =
        buildFilled(builder, loc, sumType,
                    buildScalar(builder, loc, accumulatorType, 0), resultSizes);
  }
  Value weights = buildReshape(
      builder, loc, conv.weights,
      RankedTensorType::get(getShape(weightsShape),
                            getTensorType(conv.weights).getElementType()),
      weightsShape);
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
  sums = buildReshape(builder, loc, sums, type.clone(accumulatorType), sizes);
  return buildConverted(builder, loc, sums, elementType, /*isUnsigned=*/false);
}

/// The input with the zeroes around it that the windows reach.
static Value buildPadded(IE::SizeBuilder &sizes, Value input,
                         const IE::SizedWindow &window) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  Sizes shape = getSizes(builder, loc, input);
  Sizes offsets(shape.size(), sizes.number(0));
  Sizes strides(shape.size(), sizes.number(1));
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    shape[i + 2] = sizes.add(sizes.add(shape[i + 2], window.padsBegin[i]),
                             window.padsEnd[i]);
    offsets[i + 2] = window.padsBegin[i];
  }
  Value zero =
      buildScalar(builder, loc, getTensorType(input).getElementType(), 0);
  return buildEmbedded(builder, loc, input, shape, offsets, strides, zero);
}

namespace {

struct ConvToLinalg final : OpConversionPattern<IE::ConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    TracingSizeBuilder tracing(rewriter, op.getLoc());
    IE::SizedWindow window = op.getWindow(tracing);
    Sizes sizes = getResultSize(rewriter, op);
    Location loc = op.getLoc();
    Convolution conv = {buildPadded(tracing, adaptor.getInput(), window),
                        adaptor.getWeights(),
                        adaptor.getBias(),
                        static_cast<int64_t>(op.getGroup()),
                        window.strides,
                        window.dilations,
                        /*isTransposed=*/false};
    rewriter.replaceOp(op, buildConvolution(rewriter, loc, conv, type, sizes));
    return success();
  }
};

struct ConvIntegerToLinalg final : OpConversionPattern<IE::ConvIntegerOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvIntegerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    TracingSizeBuilder tracing(rewriter, op.getLoc());
    IE::SizedWindow window = op.getWindow(tracing);
    Sizes sizes = getResultSize(rewriter, op);
    Location loc = op.getLoc();
    Value input = buildDifference(
        rewriter, loc, adaptor.getInput(), adaptor.getXZeroPoint(),
        Sizes(type.getRank(), rewriter.getIndexAttr(1)),
        isUnsignedElement(op.getInput()));
    Sizes weightsZero(type.getRank(), rewriter.getIndexAttr(1));
    if (Value zeroPoint = adaptor.getWZeroPoint()) {
      weightsZero[0] =
          multiplySizes(rewriter, loc, getSizes(rewriter, loc, zeroPoint));
    }
    Value weights = buildDifference(rewriter, loc, adaptor.getWeights(),
                                    adaptor.getWZeroPoint(), weightsZero,
                                    isUnsignedElement(op.getWeights()));
    Convolution conv = {buildPadded(tracing, input, window),
                        weights,
                        /*bias=*/Value(),
                        static_cast<int64_t>(op.getGroup()),
                        window.strides,
                        window.dilations,
                        /*isTransposed=*/false};
    rewriter.replaceOp(op, buildConvolution(rewriter, loc, conv, type, sizes));
    return success();
  }
};

struct ConvTransposeToLinalg final : OpConversionPattern<IE::ConvTransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConvTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    TracingSizeBuilder tracing(rewriter, op.getLoc());
    IE::SizedWindow window = op.getWindow(tracing);
    Sizes sizes = getResultSize(rewriter, op);
    Value spread = buildSpreadInput(tracing, adaptor.getInput(), window);
    SmallVector<int64_t> ones(window.kernel.size(), 1);
    Convolution conv = {spread,
                        adaptor.getWeights(),
                        adaptor.getBias(),
                        static_cast<int64_t>(op.getGroup()),
                        ones,
                        window.dilations,
                        /*isTransposed=*/true};
    rewriter.replaceOp(
        op, buildConvolution(rewriter, op.getLoc(), conv, type, sizes));
    return success();
  }

private:
  /// The input elements `stride` apart among zeros, with as many zeros around
  /// as give the output's size. Elements that only contribute to the cropped
  /// part of the output are left out.
  static Value buildSpreadInput(IE::SizeBuilder &sizes, Value input,
                                const IE::SizedWindow &window) {
    OpBuilder &builder = sizes.getBuilder();
    Location loc = sizes.getLoc();
    RankedTensorType type = getTensorType(input);
    Sizes shape = getSizes(builder, loc, input), used(shape);
    OpFoldResult zero = sizes.number(0), one = sizes.number(1);
    Sizes firsts(shape.size(), zero), offsets(shape.size(), zero);
    Sizes strides(shape.size(), one), ones(shape.size(), one);
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      OpFoldResult reach = window.getReach(sizes, i);
      OpFoldResult stride = sizes.number(window.strides[i]);
      OpFoldResult size = sizes.add(window.output[i], reach);
      // Where element 0 goes, possibly outside.
      OpFoldResult origin = sizes.subtract(reach, window.padsBegin[i]);
      OpFoldResult cropped = sizes.max(sizes.subtract(zero, origin), zero);
      OpFoldResult first = sizes.divideUp(cropped, stride);
      OpFoldResult last = sizes.min(
          sizes.divideUp(sizes.max(sizes.subtract(size, origin), zero), stride),
          shape[i + 2]);
      firsts[i + 2] = first;
      used[i + 2] = sizes.max(sizes.subtract(last, first), zero);
      offsets[i + 2] = sizes.add(origin, sizes.multiply({first, stride}));
      strides[i + 2] = stride;
      shape[i + 2] = size;
    }
    Value fill = buildScalar(builder, loc, type.getElementType(), 0);
    auto isNone = [](OpFoldResult size) {
      return getConstantIntValue(size) == 0;
    };
    if (llvm::any_of(used, isNone)) {
      return buildFilled(builder, loc, type.clone(getShape(shape)), fill,
                         shape);
    }
    if (getShape(used) != type.getShape() || !type.hasStaticShape()) {
      input = tensor::ExtractSliceOp::create(builder, loc, input, firsts, used,
                                             ones);
    }
    return buildEmbedded(builder, loc, input, shape, offsets, strides, fill);
  }
};

} // namespace

void nacre::populateConvolutionToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<ConvToLinalg, ConvIntegerToLinalg, ConvTransposeToLinalg>(
      converter, patterns.getContext());
}
