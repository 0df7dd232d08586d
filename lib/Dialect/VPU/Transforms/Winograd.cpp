//===- Winograd.cpp - The vpu-winograd pass -------------------------------===//
//
// Replaces 3×3 convolutions by Winograd's algorithm where that is faster, and
// transforms their weights.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_WINOGRAD
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

constexpr int64_t kPoints = 6, kTaps = 3;

/// The filter's transform for the points 0, 1, -1, 2, -2 and infinity.
constexpr double kFilterTransform[kPoints][kTaps] = {
    {1.0 / 4, 0, 0},
    {-1.0 / 6, -1.0 / 6, -1.0 / 6},
    {-1.0 / 6, 1.0 / 6, -1.0 / 6},
    {1.0 / 24, 1.0 / 12, 1.0 / 6},
    {1.0 / 24, -1.0 / 12, 1.0 / 6},
    {0, 0, 1}};

/// Estimated cycles of both algorithms for one core.
struct Estimate {
  double direct;
  double winograd;
};

Estimate estimate(NCEConvolutionOp op, ArchAttr arch) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  ArrayRef<int64_t> weights =
      cast<ShapedType>(op.getWeights().getType()).getShape();
  double lanes = static_cast<double>(arch.getLanes());
  // Vectors loaded, computed and stored for a 6×6 tile, at two a cycle.
  constexpr double kInputCycles = 110, kOutputCycles = 80;
  constexpr int64_t kTile = NCEWinogradConvolutionOp::tileSize;
  double tiles = static_cast<double>(out[0]) *
                 llvm::divideCeilSigned(out[2], kTile) *
                 llvm::divideCeilSigned(out[3], kTile);
  double pairs =
      static_cast<double>(weights[0] * weights[1]) * weights[4] * weights[5];
  double direct = static_cast<double>(op.getMacs()) / (2 * lanes);
  double winograd =
      tiles * NCEWinogradConvolutionOp::numPoints * pairs / (2 * lanes) +
      tiles * (kInputCycles * weights[1] * weights[4] / lanes +
               kOutputCycles * weights[0] * weights[5] / lanes);
  // Four times the weights, which come from memory once a run.
  double extraBytes = pairs * sizeof(float) *
                      (NCEWinogradConvolutionOp::numPoints - kTaps * kTaps);
  winograd +=
      extraBytes / arch.getDmaGigabytesPerSecond() * 1e-3 * arch.getClockMHz();
  return {direct, winograd};
}

/// (OCB, ICB, 3, 3, ic, oc) to (36, OCB, ICB, ic, oc).
Value transformWeights(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> shape, ArrayRef<float> weights) {
  int64_t blocks = shape[0] * shape[1], block = shape[4] * shape[5];
  auto type = RankedTensorType::get(
      {kPoints * kPoints, shape[0], shape[1], shape[4], shape[5]},
      builder.getF32Type());
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * sizeof(float), /*align=*/64,
      /*dataIsMutable=*/true);
  MutableArrayRef<float> result(
      reinterpret_cast<float *>(blob.getMutableData().data()),
      type.getNumElements());
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t e = 0; e < block; ++e) {
      auto tap = [&](int64_t i, int64_t j) -> double {
        return weights[((b * kTaps + i) * kTaps + j) * block + e];
      };
      for (int64_t p = 0; p < kPoints; ++p) {
        double row[kTaps] = {};
        for (int64_t i = 0; i < kTaps; ++i) {
          for (int64_t j = 0; j < kTaps; ++j) {
            row[j] += kFilterTransform[p][i] * tap(i, j);
          }
        }
        for (int64_t q = 0; q < kPoints; ++q) {
          double sum = 0;
          for (int64_t j = 0; j < kTaps; ++j) {
            sum += row[j] * kFilterTransform[q][j];
          }
          result[((p * kPoints + q) * blocks + b) * block + e] =
              static_cast<float>(sum);
        }
      }
    }
  }
  return arith::ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(type, "winograd", std::move(blob)));
}

bool isUnitPair(ArrayRef<int64_t> values) {
  return values[0] == 1 && values[1] == 1;
}

struct ToWinograd final : OpRewritePattern<NCEConvolutionOp> {
  ToWinograd(MLIRContext *context, ArchAttr arch, Pass::Statistic &count)
      : OpRewritePattern(context), arch(arch), count(count) {}

  LogicalResult matchAndRewrite(NCEConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getWeights().getType());
    if (!type || !type.getElementType().isF32() ||
        !cast<ShapedType>(op.getInput().getType()).hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static f32 tensors");
    }
    ArrayRef<int64_t> weights = type.getShape();
    if (weights[2] != kTaps || weights[3] != kTaps || op.getGroups() != 1 ||
        !isUnitPair(op.getStrides()) || !isUnitPair(op.getDilations())) {
      return rewriter.notifyMatchFailure(
          op, "needs a dense 3x3 kernel of stride and dilation 1");
    }
    if (weights[4] != arch.getLanes() || weights[5] != arch.getLanes()) {
      return rewriter.notifyMatchFailure(op, "needs blocks of one vector");
    }
    SmallVector<float, 0> storage;
    std::optional<ArrayRef<float>> values =
        getConstantFloats(op.getWeights(), storage);
    if (!values) {
      return rewriter.notifyMatchFailure(op, "needs constant weights");
    }
    // Some margin: the estimates are rough, and rounding errors grow.
    constexpr double kWorthwhile = 0.8;
    Estimate cycles = estimate(op, arch);
    if (cycles.winograd > kWorthwhile * cycles.direct) {
      return rewriter.notifyMatchFailure(op, "would gain little");
    }
    Value transformed =
        transformWeights(rewriter, op.getWeights().getLoc(), weights, *values);
    rewriter.replaceOpWithNewOp<NCEWinogradConvolutionOp>(
        op, op->getResultTypes(), op.getInput(), transformed, op.getBias(),
        op.getResidual(), /*scratch=*/Value(), op.getInit(),
        ArrayRef<int64_t>(), op.getPpe());
    ++count;
    return success();
  }

  ArchAttr arch;
  Pass::Statistic &count;
};

struct WinogradPass final : VPU::impl::WinogradBase<WinogradPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    // A modelled engine has no instruction for it.
    if (arch.isNPU()) {
      return;
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<ToWinograd>(&getContext(), arch, numReplaced);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
