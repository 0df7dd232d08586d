//===- DecomposeNGram.cpp - N-grams from comparisons
//-----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: TfIdfVectorizer compares every run of tokens with
// every n-gram of its pool, and sums.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/NGram.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/Builders.h"

#include "mlir/IR/TypeUtilities.h"

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
    Value sum;
    // A single token has no distance to another.
    for (int64_t skip = 0; skip <= (length == 1 ? 0 : maxSkip); ++skip) {
      int64_t distance = skip + 1;
      int64_t tokensPerRow = type.getDimSize(1);
      if (sum && !ShapedType::isDynamic(tokensPerRow) &&
          tokensPerRow <= (length - 1) * distance) {
        break;
      }
      Value counts = IE::ReduceSumOp::create(
          builder, loc,
          IE::castTo(builder, loc, findAll(grams, distance),
                     builder.getF32Type()),
          IE::buildInts(builder, loc, 1), builder.getI64IntegerAttr(0),
          builder.getI64IntegerAttr(0));
      sum = sum ? IE::AddOp::create(builder, loc, sum, counts) : counts;
    }
    return sum;
  }

private:
  /// True for (row, place, gram) where the gram begins at the place.
  Value findAll(ArrayRef<Gram> grams, int64_t distance) const {
    auto length = static_cast<int64_t>(grams.front().tokens.size());
    auto count = static_cast<int64_t>(grams.size());
    Value found;
    for (int64_t i = 0; i < length; ++i) {
      // As many places as leave room for the whole gram, whatever the token.
      int64_t first = i * distance, behind = (length - 1 - i) * distance;
      int64_t end = behind == 0 ? std::numeric_limits<int64_t>::max() : -behind;
      auto vector = [&](int64_t value) {
        return IE::buildInts(builder, loc, value);
      };
      Value part = IE::SliceOp::create(builder, loc, tokens, vector(first),
                                       vector(end), vector(1), vector(1));
      auto wanted = llvm::map_to_vector(
          grams, [&](const Gram &gram) { return gram.tokens[i]; });
      Value isEqual = IE::EqualOp::create(
          builder, loc, IE::unsqueeze(builder, loc, part, 2),
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
    Location loc = op.getLoc();
    Value tokens =
        IE::castTo(rewriter, loc, op.getInput(), rewriter.getI64Type());
    if (type.getRank() == 1) {
      tokens = IE::unsqueeze(rewriter, loc, tokens, 0);
    }
    GramCounter counter(rewriter, loc, tokens);
    int64_t columns = output.getShape().back();
    if (ShapedType::isDynamic(columns)) {
      columns = *llvm::max_element(op.getNgramIndexes()) + 1;
    }
    Value zero = IE::buildScalar(rewriter, loc, rewriter.getF32Type(), 0);
    Value result = expandRows(rewriter, loc, zero, tokens, columns);
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
    if (type.getRank() == 1) {
      result = IE::reshapeTo(rewriter, loc, result, {columns});
    }
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc, result, output));
    return success();
  }

private:
  /// `value` repeated to a row of `columns` for each row of `tokens`.
  static Value expandRows(OpBuilder &builder, Location loc, Value value,
                          Value tokens, int64_t columns) {
    int64_t rows = cast<ShapedType>(tokens.getType()).getDimSize(0);
    Value shape[] = {IE::shapeOf(builder, loc, tokens, 0, 1),
                     IE::buildInts(builder, loc, columns)};
    Value all =
        IE::ConcatOp::create(builder, loc, shape, builder.getI64IntegerAttr(0));
    auto type = RankedTensorType::get({rows, columns},
                                      getElementTypeOrSelf(value.getType()));
    return IE::ExpandOp::create(builder, loc, TypeRange(type), value, all)
        ->getResult(0);
  }

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
    auto indices =
        llvm::map_to_vector(grams, [](const Gram &gram) { return gram.index; });
    Value at = expandRows(builder, loc, IE::buildInts(builder, loc, indices),
                          counts, static_cast<int64_t>(grams.size()));
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
