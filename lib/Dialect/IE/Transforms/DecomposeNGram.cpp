//===- DecomposeNGram.cpp - N-grams from comparisons
//-----------------------===//
//
// Patterns of ie-decompose: TfIdfVectorizer compares every run of tokens with
// every n-gram of its pool, and sums.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/NGram.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;

using Gram = IE::TfIdfVectorizerOp::Gram;

namespace {

/// Builds the counts of n-grams in a matrix of i64, one row per batch element.
class GramCounter {
public:
  GramCounter(OpBuilder &builder, Location loc, Value tokens)
      : builder(builder), loc(loc), tokens(tokens),
        type(cast<RankedTensorType>(tokens.getType())) {}

  /// How often each of `grams`, of equal lengths, occurs in each row, with up
  /// to `maxSkip` tokens between two of its own.
  Value count(ArrayRef<Gram> grams, int64_t maxSkip) const {
    auto length = static_cast<int64_t>(grams.front().tokens.size());
    auto countType = RankedTensorType::get(
        {type.getDimSize(0), static_cast<int64_t>(grams.size())},
        builder.getF32Type());
    Value sum = IE::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(countType, 0.0f));
    // A single token has no distance to another.
    for (int64_t skip = 0; skip <= (length == 1 ? 0 : maxSkip); ++skip) {
      int64_t distance = skip + 1;
      int64_t places = type.getDimSize(1) - (length - 1) * distance;
      if (places <= 0) {
        break;
      }
      Value counts =
          IE::ReduceSumOp::create(
              builder, loc, TypeRange(countType),
              IE::castTo(builder, loc, findAll(grams, distance, places),
                         builder.getF32Type()),
              IE::buildInts(builder, loc, 1), builder.getI64IntegerAttr(0),
              builder.getI64IntegerAttr(0))
              ->getResult(0);
      sum = IE::AddOp::create(builder, loc, sum, counts);
    }
    return sum;
  }

private:
  /// True for (row, place, gram) where the gram begins at the place.
  Value findAll(ArrayRef<Gram> grams, int64_t distance, int64_t places) const {
    int64_t rows = type.getDimSize(0);
    auto count = static_cast<int64_t>(grams.size());
    Value found;
    for (size_t i = 0; i < grams.front().tokens.size(); ++i) {
      int64_t first = static_cast<int64_t>(i) * distance;
      auto vector = [&](int64_t value) {
        return IE::buildInts(builder, loc, value);
      };
      Value part = IE::SliceOp::create(
          builder, loc, type.clone({rows, places}), tokens, vector(first),
          vector(first + places), vector(1), vector(1));
      auto wanted = llvm::map_to_vector(
          grams, [&](const Gram &gram) { return gram.tokens[i]; });
      Value isEqual = IE::EqualOp::create(
          builder, loc, IE::reshapeTo(builder, loc, part, {rows, places, 1}),
          IE::reshapeTo(builder, loc, IE::buildInts(builder, loc, wanted),
                        {1, 1, count}));
      found = found ? Value(IE::AndOp::create(builder, loc, found, isEqual))
                    : isEqual;
    }
    return found;
  }

  OpBuilder &builder;
  Location loc;
  Value tokens;
  RankedTensorType type;
};

struct DecomposeTfIdfVectorizer final
    : OpRewritePattern<IE::TfIdfVectorizerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::TfIdfVectorizerOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    auto output = cast<RankedTensorType>(op.getOutput().getType());
    if (!type.hasStaticShape() || !output.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    Location loc = op.getLoc();
    int64_t length = type.getShape().back();
    int64_t rows = type.getRank() == 1 ? 1 : type.getDimSize(0);
    Value tokens = IE::reshapeTo(
        rewriter, loc,
        IE::castTo(rewriter, loc, op.getInput(), rewriter.getI64Type()),
        {rows, length});
    GramCounter counter(rewriter, loc, tokens);
    SmallVector<int64_t> shape = {rows, output.getShape().back()};
    Value result = IE::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(output.clone(shape), 0.0f));
    SmallVector<Gram> before;
    auto shortest = static_cast<int64_t>(op.getMinGramLength());
    auto longest = static_cast<int64_t>(op.getMaxGramLength());
    for (int64_t of = 1; of < shortest; ++of) {
      llvm::append_range(before, op.getGrams(of));
    }
    size_t number = before.size();
    for (int64_t of = shortest; of <= longest; ++of) {
      SmallVector<Gram> grams = op.getGrams(of);
      if (grams.empty()) {
        continue;
      }
      Value counts = counter.count(grams, op.getMaxSkipCount());
      counts = weigh(rewriter, op, counts, number, grams.size());
      number += grams.size();
      result = add(rewriter, loc, result, counts, grams);
    }
    rewriter.replaceOp(op,
                       IE::reshapeTo(rewriter, loc, result, output.getShape()));
    return success();
  }

private:
  /// Counts as what the mode asks for.
  static Value weigh(OpBuilder &builder, IE::TfIdfVectorizerOp op, Value counts,
                     size_t first, size_t count) {
    Location loc = op.getLoc();
    if (op.getMode() == "TF") {
      return counts;
    }
    if (op.getMode() == "IDF") {
      Value zero = IE::buildScalar(builder, loc, builder.getF32Type(), 0);
      Value occurs = IE::GreaterOp::create(builder, loc, counts, zero);
      counts = IE::castTo(builder, loc, occurs, builder.getF32Type());
    }
    if (!op.getWeights()) {
      return counts;
    }
    auto type = RankedTensorType::get({static_cast<int64_t>(count)},
                                      builder.getF32Type());
    Value weights = IE::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, op.getWeights()->slice(first, count)));
    return IE::MulOp::create(builder, loc, counts, weights);
  }

  /// `result` with each count added to the element of its n-gram.
  static Value add(OpBuilder &builder, Location loc, Value result, Value counts,
                   ArrayRef<Gram> grams) {
    auto type = cast<RankedTensorType>(counts.getType());
    SmallVector<int64_t> indices;
    for (int64_t row = 0; row < type.getDimSize(0); ++row) {
      for (const Gram &gram : grams) {
        indices.push_back(gram.index);
      }
    }
    Value at = IE::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type.clone(builder.getI64Type()),
                               ArrayRef<int64_t>(indices)));
    return IE::ScatterElementsOp::create(
               builder, loc, TypeRange(result.getType()), result, at, counts,
               builder.getI64IntegerAttr(1), builder.getStringAttr("add"))
        ->getResult(0);
  }
};

} // namespace

void IE::populateDecomposeNGramPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeTfIdfVectorizer>(patterns.getContext());
}
