//===- DecomposeSignal.cpp - Spectra from matrix products -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: a Fourier transform becomes the product with the
// matrix of its sines and cosines, which folds where its length is constant.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/IR/Signal.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

/// What is known of an op's result without the model's statement, which a run
/// may find wrong.
static RankedTensorType getInferredType(InferTypeOpInterface op) {
  SmallVector<Type> types;
  LogicalResult inferred =
      op.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                          op->getDiscardableAttrDictionary(),
                          op->getPropertiesStorage(), op->getRegions(), types);
  assert(succeeded(inferred) && "verified before");
  (void)inferred;
  return cast<RankedTensorType>(types.front());
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

  Value logicalOr(Value a, Value b) const { return build<IE::OrOp>(a, b); }

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

  /// The numbers below `count`, a scalar of i64: a constant where that is one.
  Value countTo(Value count) const {
    std::optional<SmallVector<int64_t>> known = IE::getConstantInts(count);
    if (known && known->front() >= 0) {
      return IE::buildInts(
          builder, loc, llvm::to_vector(llvm::seq<int64_t>(0, known->front())));
    }
    return IE::RangeOp::create(builder, loc, integer(0), count, integer(1));
  }

  Value integer(int64_t value) const {
    return IE::buildScalar(builder, loc, builder.getI64Type(),
                           static_cast<double>(value));
  }
  Value sizeOf(Value value, int64_t dim) const {
    return IE::sizeOf(builder, loc, value, dim);
  }
  Value unsqueeze(Value value, int64_t axis) const {
    return IE::unsqueeze(builder, loc, value, axis);
  }
  /// Elements [first, last) of dimension `axis`.
  Value slice(Value value, int64_t first, int64_t last, int64_t axis) const {
    auto vector = [&](int64_t number) {
      return IE::buildInts(builder, loc, number);
    };
    return IE::SliceOp::create(builder, loc, value, vector(first), vector(last),
                               vector(axis), vector(1));
  }

  Value cast(Value value, Type elementType) const {
    return IE::castTo(builder, loc, value, elementType);
  }
  Value toDouble(Value value) const {
    return cast(value, builder.getF64Type());
  }
  Value toInt(Value value) const { return cast(value, builder.getI64Type()); }

  /// The only element as a scalar.
  Value scalar(Value value) const {
    return IE::reshapeTo(builder, loc, value, {});
  }

  Value flatten(Value value, int64_t axis) const {
    return IE::FlattenOp::create(builder, loc, value,
                                 builder.getI64IntegerAttr(axis));
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

/// A transform of `length` of which `rows` inputs are used, as far as they are
/// within the length, and `bins` outputs. All are scalars of i64.
struct Transform {
  Value length, rows, bins;
  bool isInverse;
};

} // namespace

/// The matrix of a transform of signals with `parts` numbers per element: a row
/// for each number, and two columns for each bin.
static Value buildMatrix(const TensorBuilder &b, const Transform &transform,
                         int64_t parts) {
  Value row = b.unsqueeze(b.countTo(transform.rows), 1);
  Value products = b.mul(row, b.countTo(transform.bins));
  Value length = transform.length;
  // Whole turns are taken off while the products are exact.
  Value part = b.toDouble(b.mod(products, length));
  Value angle =
      b.div(b.mul(part, b.number(2 * llvm::numbers::pi)), b.toDouble(length));
  Value isWithin = b.less(row, length);
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
  // (rows, 2 bins) from two of (rows, bins).
  auto pair = [&](Value real, Value imaginary) {
    return b.flatten(
        b.concat(ValueRange{b.unsqueeze(real, 2), b.unsqueeze(imaginary, 2)},
                 2),
        1);
  };
  Value matrix = pair(cosine, sine);
  if (parts == 1) {
    return matrix;
  }
  Value other = pair(negative, cosine);
  return b.flatten(
      b.concat(ValueRange{b.unsqueeze(matrix, 1), b.unsqueeze(other, 1)}, 1),
      2);
}

/// The transform along the last dimension but one, the last being the parts of
/// numbers.
static Value transformRows(const TensorBuilder &b, Value signal,
                           const Transform &transform) {
  RankedTensorType type = getTensorType(signal);
  int64_t parts = type.getShape().back(), outer = type.getRank() - 2;
  Value matrix =
      b.cast(buildMatrix(b, transform, parts), type.getElementType());
  Value product = IE::MatMulOp::create(b.getBuilder(), b.getLoc(),
                                       b.flatten(signal, outer), matrix);
  // The number of bins is what is left.
  Value shape = b.concat(
      ValueRange{IE::shapeOf(b.getBuilder(), b.getLoc(), signal, 0, outer),
                 IE::buildInts(b.getBuilder(), b.getLoc(), {-1, 2})},
      0);
  SmallVector<int64_t> sizes(type.getShape().take_front(outer));
  int64_t columns = getTensorType(product).getDimSize(1);
  sizes.append({ShapedType::isDynamic(columns) ? columns : columns / 2, 2});
  return IE::ReshapeOp::create(b.getBuilder(), b.getLoc(),
                               TypeRange(type.clone(sizes)), product, shape)
      ->getResult(0);
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

/// False for a tensor that certainly has none.
static bool mayHaveElements(Value value) {
  return !llvm::is_contained(getTensorType(value).getShape(), 0);
}

/// The signal with a known number of parts: real ones get imaginary zeros where
/// it is known only at run time whether there are any.
static Value fixParts(const TensorBuilder &b, Value signal) {
  RankedTensorType type = getTensorType(signal);
  int64_t last = type.getRank() - 1;
  if (!type.isDynamicDim(last)) {
    return signal;
  }
  OpBuilder &builder = b.getBuilder();
  Location loc = b.getLoc();
  Value missing =
      IE::SubOp::create(builder, loc, IE::buildInts(builder, loc, 2),
                        IE::shapeOf(builder, loc, signal, last, last + 1));
  Value pads =
      b.concat(ValueRange{IE::buildInts(builder, loc,
                                        SmallVector<int64_t>(2 * last + 1, 0)),
                          missing},
               0);
  SmallVector<int64_t> shape(type.getShape());
  shape[last] = 2;
  return IE::PadOp::create(builder, loc, type.clone(shape), signal, pads,
                           Value(), Value(), builder.getStringAttr("constant"))
      ->getResult(0);
}

/// How many of `length` bins a transform gives.
static Value countBins(const TensorBuilder &b, Value length, bool onesided) {
  return onesided ? b.add(b.div(length, b.integer(2)), b.integer(1)) : length;
}

namespace {

struct DecomposeDFT final : OpRewritePattern<IE::DFTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DFTOp op,
                                PatternRewriter &rewriter) const override {
    if (!mayHaveElements(op.getInput()) || !mayHaveElements(op.getOutput())) {
      return rewriter.notifyMatchFailure(op, "needs elements");
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
    Value rows = b.sizeOf(op.getInput(), axis);
    Value length =
        op.getDftLength() ? b.toInt(b.scalar(op.getDftLength())) : rows;
    int64_t known = getInferredType(op).getDimSize(axis);
    Value bins = ShapedType::isDynamic(known)
                     ? countBins(b, length, op.getOnesided() != 0)
                     : b.integer(known);
    Transform transform = {length, rows, bins, op.getInverse() != 0};
    Value signal = exchange(b, fixParts(b, op.getInput()), axis);
    Value result = exchange(b, transformRows(b, signal, transform), axis);
    rewriter.replaceOp(op, IE::refineTo(rewriter, op.getLoc(), result,
                                        op.getOutput().getType()));
    return success();
  }
};

/// A transform along each axis that the result's shape allows, of which a run
/// computes one.
struct SelectDFTAxis final : OpRewritePattern<IE::DFTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DFTOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getAxis() || IE::getConstantInts(op.getAxis())) {
      return rewriter.notifyMatchFailure(op, "knows its axis");
    }
    if (!mayHaveElements(op.getInput()) || !mayHaveElements(op.getOutput())) {
      return rewriter.notifyMatchFailure(op, "needs elements");
    }
    Location loc = op.getLoc();
    int64_t rank = getTensorType(op.getInput()).getRank();
    SmallVector<int64_t> axes, shapes, room(rank, 0);
    for (int64_t axis = 0; axis < rank - 1; ++axis) {
      IE::DFTOp trial = build(rewriter, op, axis);
      ArrayRef<int64_t> shape = getTensorType(trial).getShape();
      llvm::append_range(shapes, shape);
      if (succeeded(verifyCompatibleShape(trial.getType(), op.getType()))) {
        axes.push_back(axis);
        for (auto [most, size] : llvm::zip_equal(room, shape)) {
          bool isKnown =
              !ShapedType::isDynamic(most) && !ShapedType::isDynamic(size);
          most = isKnown ? std::max(most, size) : ShapedType::kDynamic;
        }
      }
      rewriter.eraseOp(trial);
    }
    if (axes.empty()) {
      return rewriter.notifyMatchFailure(op, "has a shape of no axis");
    }
    TensorBuilder b(rewriter, loc);
    // Counted from the end, too.
    Value axis = b.toInt(b.scalar(op.getAxis()));
    axis = b.select(b.less(axis, b.integer(0)), b.add(axis, b.integer(rank)),
                    axis);
    RankedTensorType roomType = getTensorType(op.getOutput());
    if (!ShapedType::isDynamicShape(room)) {
      roomType = roomType.clone(room);
    }
    Value result =
        requireAxis(b, select(rewriter, op, roomType, axis, axes), axis, axes);
    if (op.getType() != roomType) {
      // Results of different sizes lie in the same room.
      Value table =
          IE::reshapeTo(rewriter, loc, IE::buildInts(rewriter, loc, shapes),
                        {rank - 1, rank});
      Value start = IE::buildInts(rewriter, loc, SmallVector<int64_t>(rank, 0));
      result = IE::SliceOp::create(rewriter, loc, op.getType(), result, start,
                                   gather(rewriter, loc, table, axis),
                                   /*axes=*/Value(), /*steps=*/Value());
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// `result`, where `axis` is one of `axes`.
  static Value requireAxis(const TensorBuilder &b, Value result, Value axis,
                           ArrayRef<int64_t> axes) {
    Value fits;
    std::string message = "expected the axis of a DFT to be ";
    llvm::raw_string_ostream stream(message);
    llvm::interleave(
        axes, stream,
        [&](int64_t known) {
          stream << known;
          Value isEqual = b.equal(axis, b.integer(known));
          fits = fits ? b.logicalOr(fits, isEqual) : isEqual;
        },
        " or ");
    stream << ", or the same from the end";
    return IE::RequireOp::create(b.getBuilder(), b.getLoc(), result, fits,
                                 b.getBuilder().getStringAttr(message));
  }

  static Value gather(OpBuilder &builder, Location loc, Value table,
                      Value index) {
    return IE::GatherOp::create(builder, loc, table, index,
                                builder.getI64IntegerAttr(0))
        ->getResult(0);
  }

  static IE::DFTOp build(OpBuilder &builder, IE::DFTOp op, int64_t axis) {
    Value constant = IE::buildScalar(builder, op.getLoc(), builder.getI64Type(),
                                     static_cast<double>(axis));
    return IE::DFTOp::create(builder, op.getLoc(), op.getInput(),
                             op.getDftLength(), constant, op.getInverseAttr(),
                             op.getOnesidedAttr());
  }

  /// The transform along one axis, filled up with zeros where the room for it
  /// is known.
  static Value buildInRoom(OpBuilder &builder, IE::DFTOp op,
                           RankedTensorType room, int64_t axis) {
    Value result = build(builder, op, axis);
    if (!room.hasStaticShape() || result.getType() == room) {
      return IE::refineTo(builder, op.getLoc(), result, room);
    }
    SmallVector<int64_t> pads(2 * room.getRank(), 0);
    for (auto [i, size] : llvm::enumerate(getTensorType(result).getShape())) {
      pads[room.getRank() + i] = room.getDimSize(i) - size;
    }
    Location loc = op.getLoc();
    return IE::PadOp::create(builder, loc, room, result,
                             IE::buildInts(builder, loc, pads),
                             /*constant_value=*/Value(), /*axes=*/Value());
  }

  static Value select(OpBuilder &builder, IE::DFTOp op, RankedTensorType room,
                      Value axis, ArrayRef<int64_t> axes) {
    Location loc = op.getLoc();
    if (axes.size() == 1) {
      return buildInRoom(builder, op, room, axes.front());
    }
    Value first = IE::buildScalar(builder, loc, builder.getI64Type(),
                                  static_cast<double>(axes.front()));
    Value isFirst = IE::EqualOp::create(builder, loc, axis, first);
    auto branch = IE::IfOp::create(builder, loc, TypeRange(room), isFirst);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&branch.getThenBranch());
    Value own = buildInRoom(builder, op, room, axes.front());
    IE::YieldOp::create(builder, loc, ValueRange(own));
    builder.createBlock(&branch.getElseBranch());
    Value other = select(builder, op, room, axis, axes.drop_front());
    IE::YieldOp::create(builder, loc, ValueRange(other));
    return branch->getResult(0);
  }
};

struct DecomposeSTFT final : OpRewritePattern<IE::STFTOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::STFTOp op,
                                PatternRewriter &rewriter) const override {
    Value window = op.getWindow();
    if (!mayHaveElements(op.getSignal()) || !mayHaveElements(op.getOutput()) ||
        (window && !mayHaveElements(window))) {
      return rewriter.notifyMatchFailure(op, "needs elements");
    }
    Location loc = op.getLoc();
    TensorBuilder b(rewriter, loc);
    RankedTensorType output = getTensorType(op.getOutput());
    Value length =
        window ? b.sizeOf(window, 0) : b.toInt(b.scalar(op.getFrameLength()));
    Value rows = length;
    if (std::optional<SmallVector<int64_t>> constant =
            IE::getConstantInts(op.getFrameLength());
        constant && !window) {
      length = rows = b.integer(constant->front());
    }
    int64_t knownBins = output.getDimSize(2);
    Value bins = ShapedType::isDynamic(knownBins)
                     ? countBins(b, length, op.getOnesided() != 0)
                     : b.integer(knownBins);
    if (!IE::getConstantInts(rows) && !ShapedType::isDynamic(knownBins)) {
      // A dynamic length is bounded by the number of bins.
      rows = b.integer(op.getOnesided() != 0 ? 2 * knownBins - 1 : knownBins);
    }
    Value step = b.toInt(b.scalar(op.getFrameStep()));
    Value available = b.sizeOf(op.getSignal(), 1);
    int64_t knownFrames = output.getDimSize(1);
    Value frames = b.integer(knownFrames);
    if (ShapedType::isDynamic(knownFrames)) {
      frames = b.add(b.div(b.sub(available, length), step), b.integer(1));
    }
    Value starts = b.mul(b.unsqueeze(b.countTo(frames), 1), step);
    Value positions = b.add(starts, b.countTo(rows));
    // What is beyond a frame counts nothing, but must not be read.
    Value last = b.sub(available, b.integer(1));
    Value signal = IE::GatherOp::create(
        rewriter, loc, fixParts(b, op.getSignal()), b.min(positions, last),
        rewriter.getI64IntegerAttr(1));
    if (window) {
      signal = b.mul(signal, b.unsqueeze(window, 1));
    }
    Value result =
        transformRows(b, signal, {length, rows, bins, /*isInverse=*/false});
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc, result, output));
    return success();
  }
};

struct DecomposeMelWeightMatrix final
    : OpRewritePattern<IE::MelWeightMatrixOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MelWeightMatrixOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getOutput());
    TensorBuilder b(rewriter, op.getLoc());
    RankedTensorType inferred = getInferredType(op);
    int64_t numBins = inferred.getDimSize(1), numRows = inferred.getDimSize(0);
    Value bins = ShapedType::isDynamic(numBins)
                     ? b.toInt(b.scalar(op.getNumMelBins()))
                     : b.integer(numBins);
    Value rows = ShapedType::isDynamic(numRows)
                     ? countBins(b, b.toInt(b.scalar(op.getDftLength())), true)
                     : b.integer(numRows);
    Value center = getSpectrogramBins(b, op, b.add(bins, b.integer(2)));
    // Without the last two elements, the first and the last, and the first two.
    Value low = b.slice(center, 0, -2, 0), middle = b.slice(center, 1, -1, 0);
    Value high = b.slice(center, 2, std::numeric_limits<int64_t>::max(), 0);
    Value row = b.toDouble(b.unsqueeze(b.countTo(rows), 1));
    auto widthOf = [&](Value from, Value to) {
      return b.max(b.sub(to, from), b.number(1));
    };
    Value rising = b.div(b.sub(row, low), widthOf(low, middle));
    Value falling = b.div(b.sub(high, row), widthOf(middle, high));
    Value weights = b.max(b.min(rising, falling), b.number(0));
    // Also where the filter is one element wide.
    weights = b.select(b.equal(row, middle), b.number(1), weights);
    weights = b.cast(weights, type.getElementType());
    rewriter.replaceOp(op, IE::refineTo(rewriter, op.getLoc(), weights, type));
    return success();
  }

private:
  /// The elements of the spectrum at `count` frequencies that are equally far
  /// apart on the mel scale, where f is 2595 log10(1 + f / 700).
  static Value getSpectrogramBins(const TensorBuilder &b,
                                  IE::MelWeightMatrixOp op, Value count) {
    const double perLogarithm = 2595 / llvm::numbers::ln10;
    auto scalar = [&](Value value) { return b.toDouble(b.scalar(value)); };
    auto toMel = [&](Value hertz) {
      Value ratio = b.div(scalar(hertz), b.number(700));
      Value logarithm = b.apply<IE::LogOp>(b.add(ratio, b.number(1)));
      return b.mul(logarithm, b.number(perLogarithm));
    };
    Value low = toMel(op.getLowerEdgeHertz());
    Value range = b.sub(toMel(op.getUpperEdgeHertz()), low);
    Value number = b.toDouble(b.countTo(count));
    Value mel = b.add(b.mul(number, b.div(range, b.toDouble(count))), low);
    Value power = b.apply<IE::ExpOp>(b.div(mel, b.number(perLogarithm)));
    Value hertz = b.mul(b.sub(power, b.number(1)), b.number(700));
    Value length = b.add(scalar(op.getDftLength()), b.number(1));
    return b.apply<IE::FloorOp>(
        b.div(b.mul(length, hertz), scalar(op.getSampleRate())));
  }
};

} // namespace

void IE::populateDecomposeSignalPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeDFT, DecomposeMelWeightMatrix, DecomposeSTFT,
               SelectDFTAxis>(patterns.getContext());
}
