//===- Resize.cpp - Lower Resize to linalg --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernels of IE.Resize: one for each dimension that changes, which
// looks positions and weights up in tables.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "Loops.h"
#include "ResizeTables.h"
#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>

using namespace mlir;
using namespace nacre;

/// `value` with so many copies of each element along each dimension.
static Value buildRepeated(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<int64_t> times) {
  Sizes wide, result;
  SmallVector<AffineExpr> from;
  SmallVector<ReassociationIndices> groups;
  for (auto [size, count] :
       llvm::zip_equal(getSizes(builder, loc, value), times)) {
    auto place = static_cast<int64_t>(wide.size());
    from.push_back(builder.getAffineDimExpr(place));
    groups.push_back({place});
    wide.push_back(size);
    if (count > 1) {
      groups.back().push_back(place + 1);
      wide.push_back(builder.getIndexAttr(count));
    }
    result.push_back(
        multiplySizes(builder, loc, {size, builder.getIndexAttr(count)}));
  }
  auto rank = static_cast<int64_t>(wide.size());
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, from, builder.getContext()),
      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType wideType = type.clone(getShape(wide));
  RankedTensorType resultType = type.clone(getShape(result));
  // Memory of unknown size is one place with the result's only if it starts as
  // such.
  Value start =
      resultType.hasStaticShape()
          ? buildEmpty(builder, loc, wideType)
          : tensor::ExpandShapeOp::create(
                builder, loc, wideType,
                buildEmpty(builder, loc, resultType, result), groups, wide)
                .getResult();
  Value copies =
      linalg::GenericOp::create(
          builder, loc, TypeRange(wideType), value, start, maps, iterators,
          [](OpBuilder &b, Location at, ValueRange elements) {
            linalg::YieldOp::create(b, at, elements[0]);
          })
          .getResult(0);
  return tensor::CollapseShapeOp::create(builder, loc, resultType, copies,
                                         groups);
}

/// `value` with one dimension resized to `size`.
static Value buildResizedDim(OpBuilder &builder, Location loc, Value value,
                             int64_t dim, OpFoldResult size,
                             const ResizeTables &tables, double outside,
                             bool isUnsigned) {
  Sizes sizes = getSizes(builder, loc, value);
  sizes[dim] = size;
  Type element = getElementTypeOrSelf(value);
  Type sumType = getElementTypeOrSelf(tables.weights);
  bool isFixedPoint = sumType.isInteger();
  return buildFromIndices(
      builder, loc, RankedTensorType::get(getShape(sizes), element),
      [&](OpBuilder &b, Location at, ValueRange indices) -> Value {
        auto loadTap = [&](OpBuilder &b, Value tap) {
          Value position = arith::IndexCastOp::create(
              b, at, b.getIndexType(),
              buildExtract(b, at, tables.positions, {tap, indices[dim]}));
          SmallVector<Value> from(indices);
          from[dim] = position;
          return buildExtract(b, at, value, from);
        };
        auto loadWeight = [&](OpBuilder &b, Value tap) {
          return buildExtract(b, at, tables.weights, {tap, indices[dim]});
        };
        if (!tables.isWeighted) {
          Value only = buildIndex(b, at, 0);
          Value x = loadTap(b, only);
          if (!tables.fill) {
            return x;
          }
          Value zero = buildScalar(b, at, b.getF32Type(), 0);
          Value isOutside = arith::CmpFOp::create(
              b, at, arith::CmpFPredicate::OEQ, loadWeight(b, only), zero);
          return arith::SelectOp::create(
                     b, at, isOutside, buildScalar(b, at, element, outside), x)
              .getResult();
        }
        Value sum = sumTaps(b, at, tables.numTaps, sumType,
                            [&](OpBuilder &nested, Value tap) -> Value {
                              ScalarEmitter e(nested, at, isUnsigned);
                              Value x = loadTap(nested, tap);
                              x = isFixedPoint ? e.convert(x, sumType, false)
                                               : widenHalf(nested, at, x);
                              return e.mul(x, loadWeight(nested, tap));
                            });
        ScalarEmitter e(b, at, /*isUnsigned=*/false);
        if (isFixedPoint) {
          sum = e.create<arith::ShRSIOp>(
              e.add(sum, e.constant(sum, IE::kFixedPointOne / 2)),
              e.constant(sum, IE::kFixedPointBits));
        }
        if (tables.fill) {
          sum = e.add(sum, buildExtract(b, at, tables.fill, {indices[dim]}));
        }
        if (!isFixedPoint) {
          return narrowHalf(b, at, sum, element);
        }
        double low = isUnsigned ? 0 : -128;
        Value limited =
            e.max(e.constant(sum, low), e.min(sum, e.constant(sum, low + 255)));
        return arith::TruncIOp::create(b, at, element, limited);
      },
      sizes);
}

/// Constants among the operands, and the output's shape, may say it all.
static std::optional<SmallVector<IE::ResizedDim>>
resolveStatically(IE::ResizeOp op) {
  auto getFloats = [](Value value) {
    return IE::getConstantFloats(value).value_or(SmallVector<double>());
  };
  std::optional<SmallVector<int64_t>> sizes =
      IE::getConstantInts(op.getSizes());
  SmallVector<double> scales = getFloats(op.getScales());
  SmallVector<double> roi = getFloats(op.getRoi());
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto output = cast<RankedTensorType>(op.getOutput().getType());
  if (!input.hasStaticShape() || !output.hasStaticShape()) {
    return std::nullopt;
  }
  if (op.getSizes() && !sizes && op.getKeepAspectRatioPolicy() == "stretch") {
    // The result has the sizes that were asked for.
    sizes.emplace();
    SmallVector<int64_t> axes(op.getAxes());
    if (axes.empty()) {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, output.getRank()));
    }
    for (int64_t axis : axes) {
      sizes->push_back(
          output.getDimSize(axis < 0 ? axis + output.getRank() : axis));
    }
  }
  bool needsRoi = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
  if ((scales.empty() && (!sizes || sizes->empty())) ||
      (needsRoi && roi.empty())) {
    return std::nullopt;
  }
  FailureOr<SmallVector<IE::ResizedDim>> dims =
      IE::resolveResize(op.getLoc(), op, input.getShape(),
                        {roi, scales, sizes.value_or(SmallVector<int64_t>())});
  return succeeded(dims) ? std::optional(*dims) : SmallVector<IE::ResizedDim>();
}

namespace {

struct ResizeToLinalg final : OpConversionPattern<IE::ResizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ResizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getInput();
    double outside = op.getExtrapolationValue().convertToDouble();
    std::optional<SmallVector<IE::ResizedDim>> dims = resolveStatically(op);
    if (!dims) {
      FailureOr<Value> resized = resizeAtRunTime(op, adaptor, rewriter);
      if (failed(resized)) {
        return failure();
      }
      rewriter.replaceOp(
          op, buildCast(rewriter, op.getLoc(), *resized,
                        getRankedType(*getTypeConverter(), op.getOutput())));
      return success();
    }
    if (dims->empty()) {
      return rewriter.notifyMatchFailure(op, "its values do not fit its shape");
    }
    if (op.isFixedPoint()) {
      std::reverse(dims->begin(), dims->end());
    }
    Type weightType = getWeightType(op, value);
    double one = op.isFixedPoint() ? IE::kFixedPointOne : 1;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> times(type.getRank(), 1);
    for (const IE::ResizedDim &dim : *dims) {
      SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(op, dim);
      times[dim.dim] = IE::getRepetition(taps, dim.inputSize, one);
      if (times[dim.dim] == 0) {
        times[dim.dim] = 1;
        ResizeTables tables = buildConstantTables(rewriter, op.getLoc(), taps,
                                                  outside, weightType);
        value = buildResizedDim(rewriter, op.getLoc(), value, dim.dim,
                                rewriter.getIndexAttr(dim.outputSize), tables,
                                outside, isUnsignedElement(op.getInput()));
      }
    }
    // Last, and all dimensions at once: what is read is as small as can be.
    if (llvm::any_of(times, [](int64_t count) { return count > 1; })) {
      value = buildRepeated(rewriter, op.getLoc(), value, times);
    }
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  /// The type of the weights of elements of `value`, and of their sum.
  static Type getWeightType(IE::ResizeOp op, Value value) {
    Builder builder(op.getContext());
    Type element = getElementTypeOrSelf(value);
    return op.isFixedPoint() ? builder.getI32Type()
           : element.isF64() ? Type(builder.getF64Type())
                             : builder.getF32Type();
  }

  /// Resizes by sizes, scales or a region of interest known only at run time.
  static FailureOr<Value> resizeAtRunTime(IE::ResizeOp op, OpAdaptor adaptor,
                                          ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto input = cast<RankedTensorType>(op.getInput().getType());
    if (failed(IE::normalizeAxes(loc, op.getAxes(), input.getRank()))) {
      return failure();
    }
    bool isCropped =
        op.getCoordinateTransformationMode() == "tf_crop_and_resize";
    if (isCropped && !adaptor.getRoi()) {
      return op.emitError("expected a region of interest for "
                          "tf_crop_and_resize");
    }
    size_t count = op.getAxes().empty() ? input.getRank() : op.getAxes().size();
    Value wanted = op.getSizes() ? op.getSizes() : op.getScales();
    if (failed(verifyCompatibleShape(
            cast<RankedTensorType>(wanted.getType()).getShape(),
            {static_cast<int64_t>(count)}))) {
      return op.emitError("expected scales or sizes of ")
             << count << " dimensions, found " << wanted.getType();
    }
    TracingSizeBuilder sizes(rewriter, loc);
    ScalarEmitter e(rewriter, loc, /*isUnsigned=*/false);
    SmallVector<RuntimeDim> dims;
    for (const IE::SizedResize &dim : op.getResizedDims(sizes)) {
      dims.emplace_back(dim);
    }
    if (isCropped) {
      auto count = static_cast<int64_t>(dims.size());
      assertSameSize(rewriter, loc, getSize(rewriter, loc, adaptor.getRoi(), 0),
                     rewriter.getIndexAttr(2 * count),
                     "a region of interest of another number of dimensions");
      auto load = [&](int64_t i) {
        Value element = buildExtract(rewriter, loc, adaptor.getRoi(),
                                     buildIndex(rewriter, loc, i));
        return e.convert(element, rewriter.getF64Type(), false);
      };
      for (auto [i, dim] : llvm::enumerate(dims)) {
        dim.roiStart = load(static_cast<int64_t>(i));
        dim.roiEnd = load(static_cast<int64_t>(i) + count);
      }
    }
    Value value = adaptor.getInput();
    Type weightType = getWeightType(op, value);
    if (op.isFixedPoint()) {
      std::reverse(dims.begin(), dims.end());
    }
    SmallVector<int64_t> times(input.getRank(), 1);
    for (const RuntimeDim &dim : dims) {
      if (isUnchanged(op, dim, isCropped)) {
        continue;
      }
      if (repeats(op, dim)) {
        times[dim.dim] = *dim.getKnownTimes();
        continue;
      }
      value = buildResizedDim(rewriter, loc, value, dim.dim, dim.outputSize,
                              buildRuntimeTables(rewriter, op, dim, weightType),
                              op.getExtrapolationValue().convertToDouble(),
                              isUnsignedElement(op.getInput()));
    }
    return llvm::any_of(times, [](int64_t count) { return count > 1; })
               ? buildRepeated(rewriter, loc, value, times)
               : value;
  }

  /// True for a dimension of which each element is repeated as often as a known
  /// scale says, whatever its size. What a position reads differs between sizes
  /// by where the dimension ends at most. By large scales that would be long to
  /// look at, and the table is small beside what it is for.
  static bool repeats(IE::ResizeOp op, const RuntimeDim &dim) {
    constexpr int64_t kMostTimes = 1024;
    std::optional<int64_t> times = dim.getKnownTimes();
    if (!times || *times > kMostTimes || op.getMode() != "nearest" ||
        op.getCoordinateTransformationMode() == "align_corners" ||
        op.getCoordinateTransformationMode() == "tf_crop_and_resize") {
      return false;
    }
    // Not where the model declares another size, which ends a run.
    std::optional<int64_t> inputSize = getConstantIntValue(dim.inputSize),
                           outputSize = getConstantIntValue(dim.outputSize);
    if (outputSize && inputSize != *outputSize / *times) {
      return false;
    }
    constexpr std::array<int64_t, 4> kSizes = {1, 2, 3, 16};
    return llvm::all_of(kSizes, [&](int64_t size) {
      SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(
          op, {dim.dim, size, size * *times, *dim.knownScale});
      return IE::getRepetition(taps, size, /*one=*/1) == *times;
    });
  }

  /// True for a dimension that certainly stays as it is.
  static bool isUnchanged(IE::ResizeOp op, const RuntimeDim &dim,
                          bool isCropped) {
    bool isSame = isEqualConstantIntOrValue(dim.inputSize, dim.outputSize);
    // Whatever the scale, one element stays as it is.
    bool isPoint = isSame && getConstantIntValue(dim.inputSize) == 1;
    bool keepsScale =
        dim.knownScale == 1 ||
        (op.getSizes() && op.getKeepAspectRatioPolicy() == "stretch");
    // Not every way to place the elements of a result maps those of the same
    // size to themselves.
    StringRef transform = op.getCoordinateTransformationMode();
    bool maps = transform != "tf_half_pixel_for_nn" && !isCropped;
    return (isPoint && !isCropped) || (isSame && keepsScale && maps);
  }
};

} // namespace

void nacre::populateResizeToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<ResizeToLinalg>(converter, patterns.getContext());
}
