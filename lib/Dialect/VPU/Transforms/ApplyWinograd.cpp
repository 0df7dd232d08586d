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

/// (OCB, ICB, 3, 3, …) to (P, OCB, ICB, …).
static Value transformWeights(OpBuilder &builder, Location loc,
                              ArrayRef<int64_t> shape, Type elementType,
                              ArrayRef<float> weights, int64_t tileSize) {
  FilterTransform transform =
      getFilterTransform(NCEWinogradConvolutionOp::getSignedPoints(tileSize));
  int64_t points = transform.size(), blocks = shape[0] * shape[1];
  SmallVector<int64_t> transformed = {points * points, shape[0], shape[1]};
  llvm::append_range(transformed, shape.drop_front(4));
  int64_t block = ShapedType::getNumElements(shape.drop_front(4));
  SmallVector<float, 0> result(points * points * blocks * block);
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t e = 0; e < block; ++e) {
      auto tap = [&](int64_t i, int64_t j) -> double {
        return weights[((b * kTaps + i) * kTaps + j) * block + e];
      };
      for (int64_t p = 0; p < points; ++p) {
        double row[kTaps] = {};
        for (int64_t i = 0; i < kTaps; ++i) {
          for (int64_t j = 0; j < kTaps; ++j) {
            row[j] += transform[p][i] * tap(i, j);
          }
        }
        for (int64_t q = 0; q < points; ++q) {
          double sum = 0;
          for (int64_t j = 0; j < kTaps; ++j) {
            sum += row[j] * transform[q][j];
          }
          result[((p * points + q) * blocks + b) * block + e] =
              static_cast<float>(sum);
        }
      }
    }
  }
  return buildConstant(builder, loc,
                       RankedTensorType::get(transformed, elementType), result,
                       "winograd");
}

namespace {

struct ToWinograd final : OpRewritePattern<NCEConvolutionOp> {
  ToWinograd(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(NCEConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    if (!strategy || strategy.getAlgorithm() != Algorithm::winograd) {
      return rewriter.notifyMatchFailure(op, "its strategy is another one");
    }
    int64_t tileSize = strategy.getWinogradTile();
    auto type = cast<RankedTensorType>(op.getWeights().getType());
    SmallVector<float, 0> storage;
    std::optional<ArrayRef<float>> values =
        getConstantFloats(op.getWeights(), storage);
    if (!values) {
      return rewriter.notifyMatchFailure(op, "needs constant weights");
    }
    // A single bf16 is multiplied as f32: planes need no rounding.
    Type planes =
        op.getPack() == 1 ? rewriter.getF32Type() : type.getElementType();
    Value transformed =
        transformWeights(rewriter, op.getWeights().getLoc(), type.getShape(),
                         planes, *values, tileSize);
    Value direct = op.getWeights();
    auto winograd = rewriter.replaceOpWithNewOp<NCEWinogradConvolutionOp>(
        op, op->getResultTypes(), op.getInput(), transformed, op.getBias(),
        op.getResidual(), /*inputPlanes=*/Value(), /*outputPlanes=*/Value(),
        op.getInit(), tileSize, ArrayRef<int64_t>(), op.getPpe());
    if (StrategyAttr rest = strategy.withoutAlgorithm()) {
      rest.attachTo(winograd);
    }
    eraseIfDead(rewriter, direct);
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
    walkAndApplyPatterns(getOperation(), std::move(patterns),
                         releaseConstants ? &releaser.emplace(getOperation())
                                          : nullptr);
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
