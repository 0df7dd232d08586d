//===- DecomposeSignal.cpp - Spectra from matrix products -----------------===//
//
// Patterns of ie-decompose: a Fourier transform becomes the product with the
// matrix of its sines and cosines, which folds where its length is constant.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Signal.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// Elementwise arithmetic on tensors.
class TensorBuilder {
public:
  TensorBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  Value add(Value a, Value b) const { return build<IE::AddOp>(a, b); }
  Value sub(Value a, Value b) const { return build<IE::SubOp>(a, b); }
  Value mul(Value a, Value b) const { return build<IE::MulOp>(a, b); }
  Value div(Value a, Value b) const { return build<IE::DivOp>(a, b); }
  Value less(Value a, Value b) const { return build<IE::LessOp>(a, b); }
  Value equal(Value a, Value b) const { return build<IE::EqualOp>(a, b); }

  Value mod(Value a, Value b) const {
    return IE::ModOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) const { return buildVariadic<IE::MaxOp>(a, b); }
  Value min(Value a, Value b) const { return buildVariadic<IE::MinOp>(a, b); }

  Value select(Value condition, Value a, Value b) const {
    return IE::WhereOp::create(builder, loc, condition, a, b);
  }

  template <typename OpT> Value apply(Value x) const {
    return OpT::create(builder, loc, x);
  }

  Value number(double value) const {
    return IE::buildScalar(builder, loc, builder.getF64Type(), value);
  }

  /// `function` of each index of `shape`, as i64.
  Value tabulate(ArrayRef<int64_t> shape,
                 llvm::function_ref<int64_t(int64_t)> function) const {
    int64_t count = ShapedType::getNumElements(shape);
    SmallVector<int64_t> values =
        llvm::map_to_vector(llvm::seq<int64_t>(0, count), function);
    return IE::reshapeTo(builder, loc, IE::buildInts(builder, loc, values),
                         shape);
  }

  Value cast(Value value, Type elementType) const {
    return IE::castTo(builder, loc, value, elementType);
  }
  Value toDouble(Value value) const {
    return cast(value, builder.getF64Type());
  }
  Value toInt(Value value) const { return cast(value, builder.getI64Type()); }

  Value reshape(Value value, ArrayRef<int64_t> shape) const {
    return IE::reshapeTo(builder, loc, value, shape);
  }

  Value concat(ValueRange values, int64_t axis) const {
    return IE::ConcatOp::create(builder, loc, values,
                                builder.getI64IntegerAttr(axis));
  }

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

private:
  template <typename OpT> Value build(Value a, Value b) const {
    return OpT::create(builder, loc, a, b);
  }
  template <typename OpT> Value buildVariadic(Value a, Value b) const {
    return OpT::create(builder, loc, ValueRange{a, b});
  }

  OpBuilder &builder;
  Location loc;
};

/// A transform of `length`, a scalar, of which `rows` inputs are used, as far
/// as they are within the length, and `bins` outputs.
struct Transform {
  Value length;
  int64_t rows, bins;
  bool isInverse;
};

} // namespace

/// The matrix of a transform of signals with `parts` numbers per element: a row
/// for each number, and two columns for each bin.
static Value buildMatrix(const TensorBuilder &b, const Transform &transform,
                         int64_t parts) {
  int64_t rows = transform.rows, bins = transform.bins;
  Value products = b.tabulate(
      {rows, bins}, [&](int64_t i) { return (i / bins) * (i % bins); });
  Value length = b.toInt(b.reshape(transform.length, {}));
  // Whole turns are taken off while the products are exact.
  Value part = b.toDouble(b.mod(products, length));
  Value angle =
      b.div(b.mul(part, b.number(2 * llvm::numbers::pi)), b.toDouble(length));
  Value isWithin =
      b.less(b.tabulate({rows, 1}, [](int64_t i) { return i; }), length);
  Value factor = b.number(1);
  if (transform.isInverse) {
    factor = b.div(factor, b.toDouble(length));
  }
  factor = b.select(isWithin, factor, b.number(0));
  Value cosine = b.mul(b.apply<IE::CosOp>(angle), factor);
  Value sine = b.mul(b.apply<IE::SinOp>(angle), factor);
  Value negative = b.apply<IE::NegOp>(sine);
  if (!transform.isInverse) {
    std::swap(sine, negative);
  }
  auto pair = [&](Value real, Value imaginary) {
    SmallVector<int64_t> shape = {rows, bins, 1};
    Value joined = b.concat(
        ValueRange{b.reshape(real, shape), b.reshape(imaginary, shape)}, 2);
    return b.reshape(joined, {rows, 1, 2 * bins});
  };
  Value matrix = pair(cosine, sine);
  if (parts == 2) {
    matrix = b.concat(ValueRange{matrix, pair(negative, cosine)}, 1);
  }
  return b.reshape(matrix, {parts * rows, 2 * bins});
}

/// The transform along the last dimension but one, the last being the parts of
/// numbers.
static Value transformRows(const TensorBuilder &b, Value signal,
                           const Transform &transform) {
  RankedTensorType type = getTensorType(signal);
  SmallVector<int64_t> shape(type.getShape());
  int64_t parts = shape.back();
  int64_t outer = ShapedType::getNumElements(ArrayRef(shape).drop_back(2));
  Value matrix =
      b.cast(buildMatrix(b, transform, parts), type.getElementType());
  Value flat = b.reshape(signal, {outer, transform.rows * parts});
  Value product =
      IE::MatMulOp::create(b.getBuilder(), b.getLoc(), flat, matrix);
  shape[shape.size() - 2] = transform.bins;
  shape.back() = 2;
  return b.reshape(product, shape);
}

/// `value` with the dimensions `axis` and `rank` - 2 exchanged.
static Value exchange(const TensorBuilder &b, Value value, int64_t axis) {
  int64_t rank = getTensorType(value).getRank();
  if (axis == rank - 2) {
    return value;
  }
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[axis], permutation[rank - 2]);
  return IE::TransposeOp::create(
             b.getBuilder(), b.getLoc(), value,
             b.getBuilder().getDenseI64ArrayAttr(permutation))
      ->getResult(0);
}

static bool hasElements(Value value) {
  RankedTensorType type = getTensorType(value);
  return type.hasStaticShape() && type.getNumElements() != 0;
}

namespace {

struct DecomposeDFT final : OpRewritePattern<IE::DFTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DFTOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasElements(op.getInput()) || !hasElements(op.getOutput())) {
      return rewriter.notifyMatchFailure(op, "needs static shapes of elements");
    }
    RankedTensorType type = getTensorType(op.getInput());
    int64_t axis = type.getRank() - 2;
    if (op.getAxis()) {
      std::optional<SmallVector<int64_t>> constant =
          IE::getConstantInts(op.getAxis());
      if (!constant) {
        return rewriter.notifyMatchFailure(op, "needs a constant axis");
      }
      axis = constant->front() + (constant->front() < 0 ? type.getRank() : 0);
    }
    TensorBuilder b(rewriter, op.getLoc());
    int64_t rows = type.getDimSize(axis);
    Value length = op.getDftLength();
    if (!length) {
      length = IE::buildScalar(rewriter, op.getLoc(), rewriter.getI64Type(),
                               static_cast<double>(rows));
    }
    Transform transform = {length, rows,
                           getTensorType(op.getOutput()).getDimSize(axis),
                           op.getInverse() != 0};
    Value signal = exchange(b, op.getInput(), axis);
    Value result = transformRows(b, signal, transform);
    rewriter.replaceOp(op, exchange(b, result, axis));
    return success();
  }
};

struct DecomposeSTFT final : OpRewritePattern<IE::STFTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::STFTOp op,
                                PatternRewriter &rewriter) const override {
    Value window = op.getWindow();
    if (!hasElements(op.getSignal()) || !hasElements(op.getOutput()) ||
        (window && !hasElements(window))) {
      return rewriter.notifyMatchFailure(op, "needs static shapes of elements");
    }
    Location loc = op.getLoc();
    TensorBuilder b(rewriter, loc);
    RankedTensorType output = getTensorType(op.getOutput());
    int64_t frames = output.getDimSize(1), bins = output.getDimSize(2);
    // A length that a run decides on is bounded by the number of bins.
    int64_t rows = op.getOnesided() != 0 ? 2 * bins - 1 : bins;
    Value length = op.getFrameLength();
    if (window) {
      rows = getTensorType(window).getDimSize(0);
      length = IE::buildScalar(rewriter, loc, rewriter.getI64Type(),
                               static_cast<double>(rows));
    } else if (std::optional<SmallVector<int64_t>> constant =
                   IE::getConstantInts(length)) {
      rows = constant->front();
    }
    Value step = b.toInt(b.reshape(op.getFrameStep(), {}));
    Value starts =
        b.mul(b.tabulate({frames, 1}, [](int64_t i) { return i; }), step);
    Value positions =
        b.add(starts, b.tabulate({1, rows}, [](int64_t i) { return i; }));
    // What is beyond a frame counts nothing, but must not be read.
    Value last = IE::buildScalar(
        rewriter, loc, rewriter.getI64Type(),
        static_cast<double>(getTensorType(op.getSignal()).getDimSize(1) - 1));
    Value signal = IE::GatherOp::create(rewriter, loc, op.getSignal(),
                                        b.min(positions, last),
                                        rewriter.getI64IntegerAttr(1))
                       ->getResult(0);
    if (window) {
      signal = b.mul(signal, b.reshape(window, {rows, 1}));
    }
    rewriter.replaceOp(
        op,
        transformRows(b, signal, {length, rows, bins, /*isInverse=*/false}));
    return success();
  }
};

struct DecomposeMelWeightMatrix final
    : OpRewritePattern<IE::MelWeightMatrixOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MelWeightMatrixOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasElements(op.getOutput())) {
      return rewriter.notifyMatchFailure(op, "needs a static shape");
    }
    RankedTensorType type = getTensorType(op.getOutput());
    TensorBuilder b(rewriter, op.getLoc());
    Value center = getSpectrogramBins(b, op, type.getDimSize(1));
    auto slice = [&](int64_t first) -> Value {
      auto vector = [&](int64_t value) {
        return IE::buildInts(rewriter, op.getLoc(), value);
      };
      int64_t bins = type.getDimSize(1);
      return IE::SliceOp::create(
          rewriter, op.getLoc(), getTensorType(center).clone({bins}), center,
          vector(first), vector(first + bins), vector(0), vector(1));
    };
    Value low = slice(0), middle = slice(1), high = slice(2);
    Value row = b.toDouble(
        b.tabulate({type.getDimSize(0), 1}, [](int64_t i) { return i; }));
    auto widthOf = [&](Value from, Value to) {
      return b.max(b.sub(to, from), b.number(1));
    };
    Value rising = b.div(b.sub(row, low), widthOf(low, middle));
    Value falling = b.div(b.sub(high, row), widthOf(middle, high));
    Value weights = b.max(b.min(rising, falling), b.number(0));
    // Also where the filter is one element wide.
    weights = b.select(b.equal(row, middle), b.number(1), weights);
    rewriter.replaceOp(op, b.cast(weights, type.getElementType()));
    return success();
  }

private:
  /// The elements of the spectrum at `numBins` + 2 frequencies that are equally
  /// far apart on the mel scale, where f is 2595 log10(1 + f / 700).
  static Value getSpectrogramBins(const TensorBuilder &b,
                                  IE::MelWeightMatrixOp op, int64_t numBins) {
    const double perLogarithm = 2595 / llvm::numbers::ln10;
    auto scalar = [&](Value value) { return b.toDouble(b.reshape(value, {})); };
    auto toMel = [&](Value hertz) {
      Value ratio = b.div(scalar(hertz), b.number(700));
      Value logarithm = b.apply<IE::LogOp>(b.add(ratio, b.number(1)));
      return b.mul(logarithm, b.number(perLogarithm));
    };
    Value low = toMel(op.getLowerEdgeHertz());
    Value range = b.sub(toMel(op.getUpperEdgeHertz()), low);
    auto count = static_cast<double>(numBins + 2);
    Value number =
        b.toDouble(b.tabulate({numBins + 2}, [](int64_t i) { return i; }));
    Value mel = b.add(b.mul(number, b.div(range, b.number(count))), low);
    Value power = b.apply<IE::ExpOp>(b.div(mel, b.number(perLogarithm)));
    Value hertz = b.mul(b.sub(power, b.number(1)), b.number(700));
    Value length = b.add(scalar(op.getDftLength()), b.number(1));
    return b.apply<IE::FloorOp>(
        b.div(b.mul(length, hertz), scalar(op.getSampleRate())));
  }
};

} // namespace

void IE::populateDecomposeSignalPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeDFT, DecomposeMelWeightMatrix, DecomposeSTFT>(
      patterns.getContext());
}
