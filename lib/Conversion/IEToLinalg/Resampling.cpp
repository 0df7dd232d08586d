//===- Resampling.cpp - Lower resampling to linalg ------------------------===//
//
// Software kernels for the IE operator family: resampling. One kernel for each
// dimension that changes, which looks positions and weights up in tables.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nacre;

/// True when the dimension stays as it is.
static bool isIdentity(ArrayRef<IE::ResizeTaps> taps, int64_t inputSize) {
  if (static_cast<int64_t>(taps.size()) != inputSize) {
    return false;
  }
  for (auto [x, tap] : llvm::enumerate(taps)) {
    for (auto [position, weight] :
         llvm::zip_equal(tap.positions, tap.weights)) {
      if (weight != (position == static_cast<int64_t>(x) ? 1 : 0)) {
        return false;
      }
    }
    if (tap.positions.empty()) {
      return false;
    }
  }
  return true;
}

/// `value` with one dimension resized.
static Value buildResizedDim(OpBuilder &builder, Location loc, Value value,
                             int64_t dim, ArrayRef<IE::ResizeTaps> taps,
                             double outside) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t size = taps.size();
  shape[dim] = size;
  int64_t count = 1;
  for (const IE::ResizeTaps &tap : taps) {
    count = std::max<int64_t>(count, tap.positions.size());
  }
  // Tap by tap, so that a table is read in order.
  std::vector<int64_t> positions(count * size, 0);
  std::vector<float> weights(count * size, 0.0f), fill(size, 0.0f);
  bool weighted = count > 1, fills = false;
  for (auto [x, tap] : llvm::enumerate(taps)) {
    fills |= tap.positions.empty();
    fill[x] = tap.positions.empty() ? static_cast<float>(outside) : 0.0f;
    for (size_t i = 0; i < tap.positions.size(); ++i) {
      positions[i * size + x] = tap.positions[i];
      weights[i * size + x] = static_cast<float>(tap.weights[i]);
    }
  }
  auto buildTable = [&](auto values, Type element, ArrayRef<int64_t> dims) {
    auto tableType = RankedTensorType::get(dims, element);
    return arith::ConstantOp::create(
               builder, loc,
               DenseElementsAttr::get(tableType, ArrayRef(values)))
        ->getResult(0);
  };
  Value positionTable =
      buildTable(positions, builder.getI64Type(), {count, size});
  Value weightTable = buildTable(weights, builder.getF32Type(), {count, size});
  Value fillTable = buildTable(fill, builder.getF32Type(), {size});
  Type element = type.getElementType();
  return buildFromIndices(
      builder, loc, RankedTensorType::get(shape, element),
      [&](OpBuilder &b, Location at, ValueRange indices) {
        auto loadTap = [&](int64_t i) {
          Value tap = buildIndex(b, at, i);
          Value position = arith::IndexCastOp::create(
              b, at, b.getIndexType(),
              buildExtract(b, at, positionTable, {tap, indices[dim]}));
          SmallVector<Value> from(indices);
          from[dim] = position;
          return buildExtract(b, at, value, from);
        };
        auto loadWeight = [&](int64_t i) {
          return buildExtract(b, at, weightTable,
                              {buildIndex(b, at, i), indices[dim]});
        };
        if (!weighted) {
          Value x = loadTap(0);
          if (!fills) {
            return x;
          }
          Value zero = buildScalar(b, at, b.getF32Type(), 0);
          Value isOutside = arith::CmpFOp::create(
              b, at, arith::CmpFPredicate::OEQ, loadWeight(0), zero);
          return arith::SelectOp::create(
                     b, at, isOutside, buildScalar(b, at, element, outside), x)
              .getResult();
        }
        Value sum;
        auto add = [&](Value term) {
          sum = sum ? Value(arith::AddFOp::create(b, at, sum, term)) : term;
        };
        auto widen = [&](Value weight, Type wide) {
          return wide.isF64()
                     ? Value(arith::ExtFOp::create(b, at, wide, weight))
                     : weight;
        };
        for (int64_t i = 0; i < count; ++i) {
          Value x = widenHalf(b, at, loadTap(i));
          add(arith::MulFOp::create(b, at, x,
                                    widen(loadWeight(i), x.getType())));
        }
        if (fills) {
          add(widen(buildExtract(b, at, fillTable, {indices[dim]}),
                    sum.getType()));
        }
        return narrowHalf(b, at, sum, element);
      });
}

namespace {

struct ResizeToLinalg final : OpConversionPattern<IE::ResizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ResizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!input || !input.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    auto getFloats = [](Value value) {
      return IE::getConstantFloats(value).value_or(SmallVector<double>());
    };
    std::optional<SmallVector<int64_t>> sizes =
        IE::getConstantInts(op.getSizes());
    SmallVector<double> scales = getFloats(op.getScales());
    SmallVector<double> roi = getFloats(op.getRoi());
    auto output = cast<RankedTensorType>(op.getOutput().getType());
    if (op.getSizes() && !sizes && output.hasStaticShape() &&
        op.getKeepAspectRatioPolicy() == "stretch") {
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
    bool needsRoi =
        op.getCoordinateTransformationMode() == "tf_crop_and_resize";
    if ((scales.empty() && (!sizes || sizes->empty())) ||
        (needsRoi && roi.empty())) {
      return op.emitError("unsupported Resize: its scales, sizes or region of "
                          "interest are only known at run time; make them "
                          "initializers, or use --backend=interpreter");
    }
    FailureOr<SmallVector<IE::ResizedDim>> dims = IE::resolveResize(
        op.getLoc(), op, input.getShape(),
        {roi, scales, sizes.value_or(SmallVector<int64_t>())});
    if (failed(dims)) {
      return failure();
    }
    Value value = adaptor.getInput();
    double outside = op.getExtrapolationValue().convertToDouble();
    for (const IE::ResizedDim &dim : *dims) {
      SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(op, dim);
      if (!isIdentity(taps, dim.inputSize)) {
        value = buildResizedDim(rewriter, op.getLoc(), value, dim.dim, taps,
                                outside);
      }
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

} // namespace

void nacre::populateResamplingToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<ResizeToLinalg>(converter, patterns.getContext());
}
