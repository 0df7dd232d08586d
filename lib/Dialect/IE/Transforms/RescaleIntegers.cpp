//===- RescaleIntegers.cpp - Integers of one scale in another -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are at most 65536 integers that a DequantizeLinear reads: what a
// simpler computation makes of them is compared with what the model asks for,
// one by one. Ties are where a product of rounded scales would differ.
//
//===----------------------------------------------------------------------===//

#include "RescaleIntegers.h"
#include "BuildConstant.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

static constexpr unsigned kMostBits = 16;

static unsigned getBits(Value integers) {
  return getElementTypeOrSelf(integers.getType()).getIntOrFloatBitWidth();
}

static bool isNarrow(Value integers) {
  return getElementTypeOrSelf(integers.getType()).isInteger() &&
         getBits(integers) <= kMostBits;
}

/// Constant scales that are positive finite f32; empty for others.
static SmallVector<float> getScales(Value scale) {
  std::optional<SmallVector<double>> constant = IE::getConstantFloats(scale);
  bool isPlain = constant && getElementTypeOrSelf(scale.getType()).isF32() &&
                 llvm::all_of(*constant, [](double value) {
                   return value > 0 && std::isfinite(value);
                 });
  SmallVector<float> scales;
  if (isPlain) {
    llvm::transform(*constant, std::back_inserter(scales),
                    [](double value) { return static_cast<float>(value); });
  }
  return scales;
}

/// A scale for the whole tensor; nothing for several and for unknown ones.
static std::optional<float> getScale(Value scale) {
  SmallVector<float> scales = getScales(scale);
  return scales.size() == 1 ? std::optional(scales.front()) : std::nullopt;
}

/// True for an op that moves or selects numbers, or rectifies them: which ones
/// is the same for those times a positive factor.
static bool onlyMoves(Operation *op) {
  auto carrier = dyn_cast<IE::QuantizableOpInterface>(op);
  bool carries = carrier &&
                 carrier.getQuantizableKind() == IE::QuantizableKind::Carries &&
                 op->hasTrait<IE::Homogeneous>() && op->getNumResults() == 1;
  return carries || isa<IE::ReluOp>(op);
}

/// What made the numbers of `value`, behind ops that only move them. Adds these
/// ops to `moves`, the last one first; null where one has other users.
static Operation *skipMoves(Value value, SmallVectorImpl<Operation *> &moves) {
  Operation *op = value.getDefiningOp();
  while (op && onlyMoves(op)) {
    if (!op->hasOneUse()) {
      return nullptr;
    }
    moves.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  return op;
}

IE::DequantizeLinearOp IE::getRescaledSource(QuantizeLinearOp op) {
  SmallVector<Operation *> moves;
  auto source =
      dyn_cast_or_null<DequantizeLinearOp>(skipMoves(op.getInput(), moves));
  bool fits = source && !source.isBlocked() &&
              getElementTypeOrSelf(source.getType()).isF32() &&
              getElementTypeOrSelf(op.getInput().getType()).isF32() &&
              isNarrow(source.getInput()) && isNarrow(op.getOutput());
  return fits ? source : DequantizeLinearOp();
}

/// The float nearest to `guess` that is exact, of some on either side.
static std::optional<float>
findFactor(float guess, llvm::function_ref<bool(float)> isExact) {
  constexpr int kNumNeighbours = 4;
  if (!std::isfinite(guess) || guess <= 0) {
    return std::nullopt;
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float below = guess, above = guess;
  for (int i = 0; i <= kNumNeighbours; ++i) {
    for (float factor : {below, above}) {
      if (factor > 0 && std::isfinite(factor) && isExact(factor)) {
        return factor;
      }
    }
    below = std::nextafter(below, 0.0f);
    above = std::nextafter(above, kInfinity);
  }
  return std::nullopt;
}

/// A factor with which differences of integers round to what they do after a
/// multiplication by `scale` and a division. Differences below zero are as
/// those above, and what is beyond the results' type ends up at its bounds.
static std::optional<float> findQuotient(float scale, float divisor,
                                         unsigned bits, unsigned resultBits) {
  auto most = static_cast<float>(1U << resultBits);
  auto round = [most](float value) {
    return std::min(std::nearbyint(value), most);
  };
  return findFactor(scale / divisor, [&](float factor) {
    for (unsigned i = 1; i < (1U << bits); ++i) {
      auto difference = static_cast<float>(i);
      float scaled = difference * scale;
      if (round(scaled / divisor) != round(difference * factor)) {
        return false;
      }
    }
    return true;
  });
}

namespace {

struct FoldIntegerScale final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    IE::DequantizeLinearOp source = IE::getRescaledSource(op);
    std::optional<float> divisor = getScale(op.getScale());
    if (!source || !divisor || *divisor == 1) {
      return rewriter.notifyMatchFailure(
          op, "no integers, or no constant scale other than 1");
    }
    SmallVector<float> scales = getScales(source.getScale()), factors;
    for (float scale : scales) {
      std::optional<float> factor = findQuotient(
          scale, *divisor, getBits(source.getInput()), getBits(op.getOutput()));
      if (!factor) {
        return rewriter.notifyMatchFailure(
            op, "no factor rounds all integers as the two scales do");
      }
      factors.push_back(*factor);
    }
    if (factors.empty()) {
      return rewriter.notifyMatchFailure(op, "the integers' scale is unknown");
    }
    replaceScales(rewriter, op, source, factors);
    return success();
  }

private:
  static void replaceScales(PatternRewriter &rewriter, IE::QuantizeLinearOp op,
                            IE::DequantizeLinearOp source,
                            ArrayRef<float> factors) {
    Location loc = op.getLoc();
    Type f32 = rewriter.getF32Type();
    auto scaleType = cast<RankedTensorType>(source.getScale().getType());
    Value scale = IE::buildConstant<float>(rewriter, loc, scaleType.getShape(),
                                           f32, factors);
    auto scaled = cast<IE::DequantizeLinearOp>(rewriter.clone(*source));
    scaled.getScaleMutable().assign(scale);
    Value input = scaled.getOutput();
    SmallVector<Operation *> moves;
    skipMoves(op.getInput(), moves);
    for (Operation *move : llvm::reverse(moves)) {
      Operation *copy = rewriter.clone(*move);
      copy->setOperand(0, input);
      input = copy->getResult(0);
    }
    auto ownType = cast<RankedTensorType>(op.getScale().getType());
    Value one =
        IE::buildConstant<float>(rewriter, loc, ownType.getShape(), f32, 1.0f);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(input);
      op.getScaleMutable().assign(one);
    });
  }
};

/// Integers of one scale and zero point, all constants.
struct Coding {
  float scale;
  int64_t zeroPoint, least, most;

  /// Nothing where something is not known, or is not one for all.
  static std::optional<Coding> get(Value integers, Value scale,
                                   Value zeroPoint) {
    std::optional<float> known = getScale(scale);
    std::optional<SmallVector<int64_t>> zero = SmallVector<int64_t>{0};
    if (zeroPoint) {
      zero = IE::getConstantInts(zeroPoint);
    }
    if (!known || !zero || zero->size() != 1) {
      return std::nullopt;
    }
    auto [least, most] = IE::getIntegerRange(
        cast<IntegerType>(getElementTypeOrSelf(integers.getType())));
    return Coding{*known, zero->front(), static_cast<int64_t>(least),
                  static_cast<int64_t>(most)};
  }

  float dequantize(int64_t integer) const {
    return static_cast<float>(integer - zeroPoint) * scale;
  }
  int64_t quantize(float value) const {
    float rounded =
        std::nearbyint(value / scale) + static_cast<float>(zeroPoint);
    return static_cast<int64_t>(std::clamp(rounded, static_cast<float>(least),
                                           static_cast<float>(most)));
  }
};

/// Integers that become others, and these others again.
struct MergeRescalings final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    auto last = op.getInput().getDefiningOp<IE::DequantizeLinearOp>();
    auto inner = last ? last.getInput().getDefiningOp<IE::QuantizeLinearOp>()
                      : IE::QuantizeLinearOp();
    auto first = inner
                     ? inner.getInput().getDefiningOp<IE::DequantizeLinearOp>()
                     : IE::DequantizeLinearOp();
    // What others read is computed all the same.
    if (!first || !last->hasOneUse() || !inner->hasOneUse() ||
        IE::getRescaledSource(op) != last ||
        IE::getRescaledSource(inner) != first) {
      return rewriter.notifyMatchFailure(
          op, "no integers that are rescaled twice, for this op alone");
    }
    auto from =
        Coding::get(first.getInput(), first.getScale(), first.getZeroPoint());
    auto between =
        Coding::get(inner.getOutput(), inner.getScale(), inner.getZeroPoint());
    auto back =
        Coding::get(last.getInput(), last.getScale(), last.getZeroPoint());
    auto to = Coding::get(op.getOutput(), op.getScale(), op.getZeroPoint());
    if (!from || !between || !back || !to) {
      return rewriter.notifyMatchFailure(
          op, "scales and zero points are unknown, or several");
    }
    std::optional<float> factor = merge(*from, *between, *back, *to);
    if (!factor) {
      return rewriter.notifyMatchFailure(
          op, "no factor gives all integers what both steps do");
    }
    replace(rewriter, op, first, *factor);
    return success();
  }

private:
  static std::optional<float> merge(Coding from, const Coding &between,
                                    const Coding &back, Coding to) {
    float guess = from.scale / between.scale * (back.scale / to.scale);
    SmallVector<int64_t> expected;
    for (int64_t integer = from.least; integer <= from.most; ++integer) {
      int64_t middle = between.quantize(from.dequantize(integer));
      expected.push_back(to.quantize(back.dequantize(middle)));
    }
    to.scale = 1;
    return findFactor(guess, [&](float factor) {
      from.scale = factor;
      return llvm::all_of(llvm::enumerate(expected), [&](const auto &entry) {
        int64_t integer = from.least + static_cast<int64_t>(entry.index());
        return to.quantize(from.dequantize(integer)) == entry.value();
      });
    });
  }

  static void replace(PatternRewriter &rewriter, IE::QuantizeLinearOp op,
                      IE::DequantizeLinearOp first, float factor) {
    Location loc = op.getLoc();
    // One number, in the shape that the zero point beside it has.
    auto build = [&](Value before, float scale) {
      return IE::buildConstant<float>(
          rewriter, loc, cast<RankedTensorType>(before.getType()).getShape(),
          rewriter.getF32Type(), scale);
    };
    Value scale = build(first.getScale(), factor),
          one = build(op.getScale(), 1);
    auto scaled = cast<IE::DequantizeLinearOp>(rewriter.clone(*first));
    scaled.getScaleMutable().assign(scale);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(scaled.getOutput());
      op.getScaleMutable().assign(one);
    });
  }
};

} // namespace

void IE::populateRescaleIntegersPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldIntegerScale>(patterns.getContext());
  // Before the steps are changed one by one.
  patterns.add<MergeRescalings>(patterns.getContext(), /*benefit=*/2);
}
