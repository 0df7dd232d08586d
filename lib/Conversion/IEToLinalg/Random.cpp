//===- Random.cpp - Lower random tensors to loops
//--------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family: random tensors. A loop draws the
// numbers one after the other. The generator's state is a tensor that the loop
// carries, so it lies in the arena; each draw renews one of its words.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/Utils/RandomUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Emits draws from the generator. Its state is a tensor of words and the
/// position of the oldest of them.
class GeneratorEmitter {
public:
  GeneratorEmitter(OpBuilder &builder, Location loc, ValueRange state)
      : builder(builder), loc(loc) {
    setState(state);
  }

  /// The state of a generator that has drawn nothing.
  static SmallVector<Value> buildState(OpBuilder &builder, Location loc,
                                       uint32_t seed) {
    SmallVector<uint32_t, 0> words = IE::getTwisterState(seed);
    auto type = RankedTensorType::get({IE::kTwisterSize}, builder.getI32Type());
    SmallVector<APInt, 0> values;
    for (uint32_t word : words) {
      values.push_back(APInt(32, word));
    }
    Value constant = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, values));
    return {constant, buildIndex(builder, loc, 0)};
  }

  SmallVector<Value> getState() const { return {words, position}; }
  void setState(ValueRange state) {
    words = state[0];
    position = state[1];
  }

  /// A double in [0, 1) of 53 bits.
  Value drawUniform() {
    Value high = create<arith::ShRUIOp>(drawWord(), word(5));
    Value low = create<arith::ShRUIOp>(drawWord(), word(6));
    Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
    Value bits = create<arith::OrIOp>(
        create<arith::ShLIOp>(create<arith::ExtUIOp>(i64, high),
                              buildScalar(builder, loc, i64, 26)),
        create<arith::ExtUIOp>(i64, low));
    return create<arith::MulFOp>(create<arith::SIToFPOp>(f64, bits),
                                 buildScalar(builder, loc, f64, 0x1p-53));
  }

private:
  template <typename OpT, typename... Args> Value create(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  Value word(uint32_t value) {
    return create<arith::ConstantOp>(
        builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  /// The word `distance` after the oldest; the words form a ring.
  Value getPosition(int64_t distance) {
    Value size = buildIndex(builder, loc, IE::kTwisterSize);
    Value moved =
        create<arith::AddIOp>(position, buildIndex(builder, loc, distance));
    Value isBeyond =
        create<arith::CmpIOp>(arith::CmpIPredicate::uge, moved, size);
    return create<arith::SelectOp>(isBeyond, create<arith::SubIOp>(moved, size),
                                   moved);
  }

  Value mixIn(Value value, Value shifted, uint32_t mask) {
    return create<arith::XOrIOp>(value,
                                 create<arith::AndIOp>(shifted, word(mask)));
  }

  Value drawWord() {
    Value next = getPosition(1);
    Value top = create<arith::AndIOp>(
        buildExtract(builder, loc, words, position), word(0x80000000));
    Value rest = create<arith::AndIOp>(buildExtract(builder, loc, words, next),
                                       word(0x7fffffff));
    Value joined = create<arith::OrIOp>(top, rest);
    Value isOdd = create<arith::TruncIOp>(builder.getI1Type(), joined);
    Value twist =
        create<arith::SelectOp>(isOdd, word(IE::kTwisterMatrix), word(0));
    Value other =
        buildExtract(builder, loc, words, getPosition(IE::kTwisterShift));
    Value drawn = create<arith::XOrIOp>(
        create<arith::XOrIOp>(other, create<arith::ShRUIOp>(joined, word(1))),
        twist);
    words = create<tensor::InsertOp>(drawn, words, position);
    position = next;
    // Tempering, as the generator prescribes.
    drawn = mixIn(drawn, create<arith::ShRUIOp>(drawn, word(11)), 0xffffffff);
    drawn = mixIn(drawn, create<arith::ShLIOp>(drawn, word(7)), 0x9d2c5680);
    drawn = mixIn(drawn, create<arith::ShLIOp>(drawn, word(15)), 0xefc60000);
    return mixIn(drawn, create<arith::ShRUIOp>(drawn, word(18)), 0xffffffff);
  }

  OpBuilder &builder;
  Location loc;
  Value words, position;
};

/// Fills a vector in a loop of `count` steps, each of which writes
/// `numbersPerStep` doubles that `draw` gets from the generator.
class FillingLoop {
public:
  using Draw =
      llvm::function_ref<SmallVector<Value>(OpBuilder &, GeneratorEmitter &)>;

  FillingLoop(OpBuilder &builder, Location loc, uint32_t seed, Type elementType,
              int64_t numbersPerStep)
      : builder(builder), loc(loc), seed(seed), elementType(elementType),
        numbersPerStep(numbersPerStep) {}

  Value build(OpFoldResult count, Draw draw) const {
    SmallVector<Value> init = GeneratorEmitter::buildState(builder, loc, seed);
    OpFoldResult length = multiplySizes(
        builder, loc, {count, builder.getIndexAttr(numbersPerStep)});
    init.push_back(buildEmpty(
        builder, loc, RankedTensorType::get(getShape(length), elementType),
        length));
    auto loop = scf::ForOp::create(
        builder, loc, buildIndex(builder, loc, 0),
        getValueOrCreateConstantIndexOp(builder, loc, count),
        buildIndex(builder, loc, 1), init,
        [&](OpBuilder &b, Location, Value step, ValueRange carried) {
          GeneratorEmitter generator(b, loc, carried);
          Value output = carried.back();
          Value at = arith::MulIOp::create(b, loc, step,
                                           buildIndex(b, loc, numbersPerStep));
          for (Value number : draw(b, generator)) {
            output =
                tensor::InsertOp::create(b, loc, narrow(b, number), output, at);
            at = arith::AddIOp::create(b, loc, at, buildIndex(b, loc, 1));
          }
          SmallVector<Value> next = generator.getState();
          next.push_back(output);
          scf::YieldOp::create(b, loc, next);
        });
    return loop.getResults().back();
  }

private:
  Value narrow(OpBuilder &b, Value number) const {
    if (elementType.isF64()) {
      return number;
    }
    // No C library narrows doubles to half precision at once.
    Value single = arith::TruncFOp::create(b, loc, b.getF32Type(), number);
    return narrowHalf(b, loc, single, elementType);
  }

  OpBuilder &builder;
  Location loc;
  uint32_t seed;
  Type elementType;
  int64_t numbersPerStep;
};

/// `offset + factor * number`.
static Value scale(OpBuilder &b, Location loc, Value number, double offset,
                   double factor) {
  Type f64 = b.getF64Type();
  Value product =
      arith::MulFOp::create(b, loc, buildScalar(b, loc, f64, factor), number);
  return arith::AddFOp::create(b, loc, buildScalar(b, loc, f64, offset),
                               product);
}

/// RandomUniform, and RandomUniformLike of dynamic sizes.
template <typename OpT>
struct RandomUniformToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    double low = op.getLow().convertToFloat();
    double range = op.getHigh().convertToFloat() - low;
    FillingLoop loop(rewriter, loc, IE::getGeneratorSeed(op.getSeed()),
                     type.getElementType(), 1);
    Value numbers = loop.build(
        multiplySizes(rewriter, loc, sizes),
        [&](OpBuilder &b, GeneratorEmitter &generator) -> SmallVector<Value> {
          return {scale(b, loc, generator.drawUniform(), low, range)};
        });
    rewriter.replaceOp(op, buildReshape(rewriter, loc, numbers, type, sizes));
    return success();
  }
};

/// Normal numbers come in pairs, from points that are drawn until one lies in
/// the unit circle.
template <typename OpT>
struct RandomNormalToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    double mean = op.getMean().convertToFloat();
    double deviation = op.getScale().convertToFloat();
    OpFoldResult count = multiplySizes(rewriter, loc, sizes);
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 two = rewriter.getIndexAttr(2);
    OpFoldResult pairs = IE::divideSizeUp(rewriter, loc, count, two);
    FillingLoop loop(rewriter, loc, IE::getGeneratorSeed(op.getSeed()),
                     type.getElementType(), 2);
    Value numbers = loop.build(
        pairs,
        [&](OpBuilder &b, GeneratorEmitter &generator) -> SmallVector<Value> {
          auto [first, second] = drawPair(b, loc, generator);
          return {scale(b, loc, first, mean, deviation),
                  scale(b, loc, second, mean, deviation)};
        });
    if (!isEqualConstantIntOrValue(multiplySizes(rewriter, loc, {pairs, two}),
                                   count)) {
      OpFoldResult one = rewriter.getIndexAttr(1);
      numbers =
          tensor::ExtractSliceOp::create(rewriter, loc, numbers, ArrayRef(zero),
                                         ArrayRef(count), ArrayRef(one));
    }
    rewriter.replaceOp(op, buildReshape(rewriter, loc, numbers, type, sizes));
    return success();
  }

private:
  static std::pair<Value, Value> drawPair(OpBuilder &b, Location loc,
                                          GeneratorEmitter &generator) {
    SmallVector<Value> state = generator.getState();
    Type f64 = b.getF64Type();
    SmallVector<Type> types = {state[0].getType(), state[1].getType(), f64, f64,
                               f64};
    auto loop = scf::WhileOp::create(
        b, loc, types, state,
        [&](OpBuilder &nested, Location, ValueRange carried) {
          GeneratorEmitter inner(nested, loc, carried);
          ScalarEmitter e(nested, loc, /*isUnsigned=*/false);
          auto draw = [&] {
            return scale(nested, loc, inner.drawUniform(), -1, 2);
          };
          Value x = draw(), y = draw();
          Value square = e.add(e.mul(x, x), e.mul(y, y));
          Value isOutside = e.lessOrEqual(e.constant(square, 1), square);
          Value isCentre = e.equal(square, e.constant(square, 0));
          SmallVector<Value> results = inner.getState();
          llvm::append_values(results, x, y, square);
          scf::ConditionOp::create(nested, loc,
                                   e.create<arith::OrIOp>(isOutside, isCentre),
                                   results);
        },
        [&](OpBuilder &nested, Location, ValueRange carried) {
          scf::YieldOp::create(nested, loc, carried.take_front(2));
        });
    generator.setState(loop.getResults());
    ScalarEmitter e(b, loc, /*isUnsigned=*/false);
    Value square = loop.getResult(4);
    Value logarithm = e.create<math::LogOp>(square);
    Value factor = e.create<math::SqrtOp>(
        e.div(e.mul(e.constant(square, -2), logarithm), square));
    return {e.mul(factor, loop.getResult(3)), e.mul(factor, loop.getResult(2))};
  }
};

} // namespace

void nacre::populateRandomToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<RandomNormalToLinalg<IE::RandomNormalOp>,
               RandomNormalToLinalg<IE::RandomNormalLikeOp>,
               RandomUniformToLinalg<IE::RandomUniformOp>,
               RandomUniformToLinalg<IE::RandomUniformLikeOp>>(
      converter, patterns.getContext());
}
