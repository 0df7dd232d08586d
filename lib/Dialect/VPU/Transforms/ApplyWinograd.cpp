//===- ApplyWinograd.cpp - The vpu-apply-winograd pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the convolutions whose strategy says so by Winograd's algorithm, and
// transforms their weights.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "StrategyChoosers.h"
#include "WeightPacker.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/ConstantReleaser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_APPLYWINOGRAD
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static constexpr int64_t kTaps = kWinogradTaps;
using FilterTransform = SmallVector<std::array<double, kTaps>>;

/// What a filter's polynomial is multiplied by at the points 0, p, -p, …,
/// infinity: its value there, divided by that of the polynomial that is zero at
/// all other points. The kernel expects p times that at p and -p.
static FilterTransform getFilterTransform(ArrayRef<double> points) {
  double atZero = 1;
  for (double point : points) {
    atZero *= -point * point;
  }
  FilterTransform transform = {{1 / atZero, 0, 0}};
  for (double point : points) {
    double others = 1;
    for (double other : points) {
      others *= other == point ? 1 : point * point - other * other;
    }
    double factor = 1 / (2 * point * others);
    transform.push_back({factor, factor * point, factor * point * point});
    transform.push_back({factor, -factor * point, factor * point * point});
  }
  transform.push_back({0, 0, 1});
  return transform;
}

/// (M, C, 3, 3) to (P, M, C).
static Value transformWeights(OpBuilder &builder, Location loc,
                              ArrayRef<int64_t> shape, Type elementType,
                              ArrayRef<float> weights, int64_t tileSize) {
  FilterTransform transform =
      getFilterTransform(NCEWinogradConvolutionOp::getSignedPoints(tileSize));
  int64_t points = transform.size(), filters = shape[0] * shape[1];
  SmallVector<float, 0> result;
  result.resize_for_overwrite(points * points * filters);
  for (int64_t filter = 0; filter < filters; ++filter) {
    const float *taps = &weights[filter * kTaps * kTaps];
    for (int64_t p = 0; p < points; ++p) {
      double row[kTaps] = {};
      for (int64_t i = 0; i < kTaps; ++i) {
        for (int64_t j = 0; j < kTaps; ++j) {
          row[j] += transform[p][i] * taps[i * kTaps + j];
        }
      }
      for (int64_t q = 0; q < points; ++q) {
        double sum = 0;
        for (int64_t j = 0; j < kTaps; ++j) {
          sum += row[j] * transform[q][j];
        }
        result[(p * points + q) * filters + filter] = static_cast<float>(sum);
      }
    }
  }
  return buildConstant(
      builder, loc,
      RankedTensorType::get({points * points, shape[0], shape[1]}, elementType),
      result, "winograd");
}

namespace {

struct ToWinograd final : OpRewritePattern<NCEConvolutionOp> {
  ToWinograd(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(NCEConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    if (!isByWinograd(op)) {
      return rewriter.notifyMatchFailure(op, "its strategy is another one");
    }
    int64_t tileSize = strategy.getWinogradTile();
    auto direct = op.getWeights().getDefiningOp<PackWeightsOp>();
    SmallVector<float, 0> storage;
    std::optional<ArrayRef<float>> values =
        direct ? getConstantFloats(direct.getWeights(), storage) : std::nullopt;
    if (!values) {
      return rewriter.notifyMatchFailure(
          op, "needs constant weights that are yet to be packed");
    }
    RankedTensorType type = direct.getWeights().getType();
    // A single bf16 is multiplied as f32: planes need no rounding.
    Type planes =
        op.getPack() == 1 ? rewriter.getF32Type() : type.getElementType();
    WeightPacking packing = direct.getPacking();
    packing.form = WeightForm::WINOGRAD;
    Value transformed = PackWeightsOp::create(
        rewriter, direct.getLoc(),
        transformWeights(rewriter, direct.getWeights().getLoc(),
                         type.getShape(), planes, *values, tileSize),
        packing);
    auto winograd = rewriter.replaceOpWithNewOp<NCEWinogradConvolutionOp>(
        op, op->getResultTypes(), op.getInput(), transformed, op.getBias(),
        op.getResidual(), /*inputPlanes=*/Value(), /*outputPlanes=*/Value(),
        op.getInit(), tileSize, ArrayRef<int64_t>(), op.getPpe());
    if (StrategyAttr rest = strategy.withoutAlgorithm()) {
      rest.attachTo(winograd);
    }
    if (direct.use_empty()) {
      Value weights = direct.getWeights();
      rewriter.eraseOp(direct);
      eraseIfDead(rewriter, weights);
    }
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

struct ApplyWinogradPass final
    : VPU::impl::ApplyWinogradBase<ApplyWinogradPass> {
  using ApplyWinogradBase::ApplyWinogradBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verify(arch))) {
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<ToWinograd>(&getContext(), numReplaced);
    std::optional<ConstantReleaser> releaser;
    if (releaseConstants) {
      releaser.emplace(getOperation());
    }
    walkAndApplyPatterns(getOperation(), std::move(patterns),
                         releaser ? &*releaser : nullptr);
    IRRewriter rewriter(&getContext());
    rewriter.setListener(releaser ? &*releaser : nullptr);
    WalkResult walk = getOperation().walk([&](PackWeightsOp op) {
      return WalkResult(replaceByPacked(rewriter, op));
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    // What stays direct has none, unless more than that was decided.
    getOperation()->walk([](NCEConvolutionOp op) {
      StrategyAttr strategy = StrategyAttr::lookup(op);
      StrategyAttr rest = strategy ? strategy.withoutAlgorithm() : strategy;
      if (rest) {
        rest.attachTo(op);
      } else {
        op->removeAttr(StrategyAttr::attrName);
      }
    });
  }

private:
  LogicalResult verify(ArchAttr arch) {
    WalkResult walk = getOperation()->walk([&](NCEConvolutionOp op) {
      return WalkResult(verifyAlgorithm(op, arch));
    });
    return failure(walk.wasInterrupted());
  }
};

} // namespace
