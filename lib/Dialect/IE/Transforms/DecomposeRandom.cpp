//===- DecomposeRandom.cpp - Random operators from random numbers
//----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: what operators do with random numbers becomes
// arithmetic on tensors of them.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Support/TensorTypes.h"

using namespace mlir;
using namespace nacre;

/// Numbers in [0, 1), in double precision, in the shape of `like`.
static Value buildUniform(OpBuilder &builder, Location loc, Value like,
                          FloatAttr seed) {
  Type f64 = builder.getF64Type();
  RankedTensorType type = getTensorType(like);
  if (!type.hasStaticShape()) {
    return IE::RandomUniformLikeOp::create(
        builder, loc, like, TypeAttr::get(f64), builder.getF32FloatAttr(1),
        builder.getF32FloatAttr(0), seed);
  }
  ArrayRef<int64_t> shape = type.getShape();
  return IE::RandomUniformOp::create(
             builder, loc, TypeRange(RankedTensorType::get(shape, f64)),
             TypeAttr::get(f64), builder.getF32FloatAttr(1),
             builder.getF32FloatAttr(0), seed,
             builder.getDenseI64ArrayAttr(shape))
      ->getResult(0);
}

namespace {

struct DecomposeDropout final : OpRewritePattern<IE::DropoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DropoutOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getData());
    if (op.isInference()) {
      return rewriter.notifyMatchFailure(op, "copies its operand");
    }
    Location loc = op.getLoc();
    Type f64 = rewriter.getF64Type();
    auto number = [&](double value) {
      return IE::buildScalar(rewriter, loc, f64, value);
    };
    Value ratio = number(0.5);
    if (op.getRatio()) {
      ratio = IE::reshapeTo(rewriter, loc,
                            IE::castTo(rewriter, loc, op.getRatio(), f64), {});
    }
    Value training = IE::reshapeTo(rewriter, loc, op.getTrainingMode(), {});
    ratio = IE::WhereOp::create(rewriter, loc, training, ratio, number(0));
    auto seed = static_cast<uint32_t>(op.getSeed());
    Value random = buildUniform(rewriter, loc, op.getData(),
                                rewriter.getF64FloatAttr(seed));
    Value mask = IE::GreaterOrEqualOp::create(rewriter, loc, random, ratio);
    Value kept = IE::SubOp::create(rewriter, loc, number(1), ratio);
    Value factor = IE::castTo(rewriter, loc,
                              IE::DivOp::create(rewriter, loc, number(1), kept),
                              type.getElementType());
    Value scaled = IE::MulOp::create(rewriter, loc, op.getData(), factor);
    Value zero = IE::buildScalar(rewriter, loc, type.getElementType(), 0);
    Value output = IE::WhereOp::create(rewriter, loc, mask, scaled, zero);
    rewriter.replaceOp(
        op, {IE::refineTo(rewriter, loc, output, op.getOutput().getType()),
             IE::refineTo(rewriter, loc, mask, op.getMask().getType())});
    return success();
  }
};

struct DecomposeBernoulli final : OpRewritePattern<IE::BernoulliOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::BernoulliOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value random = buildUniform(rewriter, loc, op.getInput(), op.getSeedAttr());
    Value probability =
        IE::castTo(rewriter, loc, op.getInput(), rewriter.getF64Type());
    Value isOne = IE::LessOp::create(rewriter, loc, random, probability);
    Value result = IE::castTo(rewriter, loc, isOne,
                              getTensorType(op.getOutput()).getElementType());
    rewriter.replaceOp(
        op, IE::refineTo(rewriter, loc, result, op.getOutput().getType()));
    return success();
  }
};

struct DecomposeMultinomial final : OpRewritePattern<IE::MultinomialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MultinomialOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getInput());
    RankedTensorType output = getTensorType(op.getOutput());
    if (type.getDimSize(1) == 0) {
      return rewriter.notifyMatchFailure(op, "has no classes to draw");
    }
    Location loc = op.getLoc();
    Type f64 = rewriter.getF64Type(), i64 = rewriter.getI64Type();
    Value logits = IE::castTo(rewriter, loc, op.getInput(), f64);
    Value probabilities = IE::SoftmaxOp::create(rewriter, loc, logits,
                                                rewriter.getI64IntegerAttr(1));
    Value sums = IE::CumSumOp::create(
        rewriter, loc, TypeRange(probabilities.getType()), probabilities,
        IE::buildScalar(rewriter, loc, i64, 1), rewriter.getI64IntegerAttr(0),
        rewriter.getI64IntegerAttr(0));
    Value random = buildUniform(rewriter, loc, buildSampleShape(rewriter, op),
                                op.getSeedAttr());
    // The first class with a larger sum is as many as have none.
    Value isBefore = IE::LessOrEqualOp::create(
        rewriter, loc, IE::unsqueeze(rewriter, loc, sums, 1),
        IE::unsqueeze(rewriter, loc, random, 2));
    Value counts = IE::ReduceSumOp::create(
        rewriter, loc, IE::castTo(rewriter, loc, isBefore, i64),
        IE::buildInts(rewriter, loc, 2), rewriter.getI64IntegerAttr(0),
        rewriter.getI64IntegerAttr(0));
    // Rounded sums may end below 1.
    Value last =
        IE::SubOp::create(rewriter, loc, IE::sizeOf(rewriter, loc, logits, 1),
                          IE::buildScalar(rewriter, loc, i64, 1));
    Value drawn = IE::MinOp::create(rewriter, loc, TypeRange(counts.getType()),
                                    ValueRange{counts, last})
                      ->getResult(0);
    Value result = IE::castTo(rewriter, loc, drawn, output.getElementType());
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc, result, output));
    return success();
  }

private:
  /// A tensor in the shape of the result.
  static Value buildSampleShape(OpBuilder &builder, IE::MultinomialOp op) {
    Location loc = op.getLoc();
    Value shape[] = {
        IE::shapeOf(builder, loc, op.getInput(), 0, 1),
        IE::buildInts(builder, loc, static_cast<int64_t>(op.getSampleSize()))};
    Value zero = IE::buildScalar(builder, loc, builder.getF32Type(), 0);
    Value all =
        IE::ConcatOp::create(builder, loc, shape, builder.getI64IntegerAttr(0));
    auto batch = getTensorType(op.getInput()).getDimSize(0);
    auto type =
        RankedTensorType::get({batch, static_cast<int64_t>(op.getSampleSize())},
                              builder.getF32Type());
    return IE::ExpandOp::create(builder, loc, TypeRange(type), zero, all)
        ->getResult(0);
  }
};

/// Random numbers in the shape of an operand become ones of a known shape.
/// `first` and `second` are the parameters of the distribution.
template <typename LikeT, typename OpT, FloatAttr (LikeT::*first)(),
          FloatAttr (LikeT::*second)()>
struct DecomposeLike final : OpRewritePattern<LikeT> {
  using OpRewritePattern<LikeT>::OpRewritePattern;

  LogicalResult matchAndRewrite(LikeT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getOutput());
    // The model may state sizes of the result that a run does not find.
    if (!type.hasStaticShape() ||
        !getTensorType(op.getInput()).hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs a static shape");
    }
    rewriter.replaceOpWithNewOp<OpT>(
        op, TypeRange(type), TypeAttr::get(type.getElementType()),
        (op.*first)(), (op.*second)(), op.getSeedAttr(),
        rewriter.getDenseI64ArrayAttr(type.getShape()));
    return success();
  }
};

using DecomposeUniformLike =
    DecomposeLike<IE::RandomUniformLikeOp, IE::RandomUniformOp,
                  &IE::RandomUniformLikeOp::getHighAttr,
                  &IE::RandomUniformLikeOp::getLowAttr>;
using DecomposeNormalLike =
    DecomposeLike<IE::RandomNormalLikeOp, IE::RandomNormalOp,
                  &IE::RandomNormalLikeOp::getMeanAttr,
                  &IE::RandomNormalLikeOp::getScaleAttr>;

} // namespace

void IE::populateDecomposeRandomPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeBernoulli, DecomposeDropout, DecomposeMultinomial,
               DecomposeNormalLike, DecomposeUniformLike>(
      patterns.getContext());
}
