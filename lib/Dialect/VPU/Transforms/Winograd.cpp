//===- Winograd.cpp - The vpu-winograd pass -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces 3×3 convolutions by Winograd's algorithm where that is faster, and
// transforms their weights.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "NominalSizes.h"

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/ConstantReleaser.h"
#include "nacre/Support/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
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

static constexpr int64_t kTaps = 3;
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

namespace {
/// Estimated cycles of a convolution for one core.
class Estimate {
public:
  Estimate(NCEConvolutionOp op, ArchAttr arch) : arch(arch) {
    auto type = cast<ShapedType>(op.getWeights().getType());
    weights = type.getShape();
    directMacsPerCycle = static_cast<double>(op.getMacsPerCycle(arch));
    // Points are multiplied by vectors.
    macsPerCycle = static_cast<double>(arch.getVectorMacsPerCycle(
        op.getInitType().getElementType(), op.getPack()));
    pairs = static_cast<double>(type.getNumElements()) / (kTaps * kTaps);
    bytes = type.getElementTypeBitWidth() / 8.0;
    macsPerPixel = static_cast<double>(op.getMacs()) /
                   countPixels(getTypicalShape(op.getInitType().getShape()));
  }

  /// With an output of shape `out`.
  double getDirect(ArrayRef<int64_t> out) {
    return estimate(macsPerPixel * countPixels(out) / directMacsPerCycle,
                    kTaps * kTaps);
  }

  /// Bytes of weights.
  double getWeightBytes(double weightsPerPair) const {
    return pairs * weightsPerPair * bytes;
  }

  double getWinograd(int64_t tileSize, ArrayRef<int64_t> out) {
    double tiles = static_cast<double>(out[0]) *
                   llvm::divideCeilSigned(out[2], tileSize) *
                   llvm::divideCeilSigned(out[3], tileSize);
    double points = NCEWinogradConvolutionOp::getNumPoints(tileSize);
    auto [input, output] = CostModel(arch).getWinogradTransforms(tileSize);
    return estimate(tiles * points * pairs / macsPerCycle, points) +
           tiles * (input * weights[1] + output * weights[0]);
  }

private:
  static double countPixels(ArrayRef<int64_t> out) {
    return static_cast<double>(out[0] * out[2] * out[3]);
  }

  /// Weights come from memory once a run, while others are multiplied.
  double estimate(double cycles, double weightsPerPair) {
    return std::max(cycles, getWeightBytes(weightsPerPair) /
                                CostModel(arch).getMemoryBytesPerCycle());
  }

  ArchAttr arch;
  ArrayRef<int64_t> weights;
  double macsPerCycle, directMacsPerCycle, pairs, bytes, macsPerPixel;
};
} // namespace

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

static bool isUnitPair(ArrayRef<int64_t> values) {
  return values[0] == 1 && values[1] == 1;
}

namespace {

struct ToWinograd final : OpRewritePattern<NCEConvolutionOp> {
  ToWinograd(MLIRContext *context, ArchAttr arch, Pass::Statistic &count)
      : OpRewritePattern(context), arch(arch), count(count) {}

  LogicalResult matchAndRewrite(NCEConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getWeights().getType());
    Type element = type ? type.getElementType() : Type();
    if (!type || !(element.isF32() || element.isBF16())) {
      return rewriter.notifyMatchFailure(op, "needs tensors of f32 or bf16");
    }
    ArrayRef<int64_t> weights = type.getShape();
    if (weights[2] != kTaps || weights[3] != kTaps || op.getGroups() != 1 ||
        !isUnitPair(op.getStrides()) || !isUnitPair(op.getDilations())) {
      return rewriter.notifyMatchFailure(
          op, "needs a dense 3x3 kernel of stride and dilation 1");
    }
    if (op.getInputBlockSize() != arch.getLanes() ||
        weights[5] != arch.getLanes()) {
      return rewriter.notifyMatchFailure(op, "needs blocks of one vector");
    }
    SmallVector<float, 0> storage;
    std::optional<ArrayRef<float>> values =
        getConstantFloats(op.getWeights(), storage);
    if (!values) {
      return rewriter.notifyMatchFailure(op, "needs constant weights");
    }
    std::optional<int64_t> tileSize = chooseTileSize(op);
    if (!tileSize) {
      return rewriter.notifyMatchFailure(op, "would gain little");
    }
    int64_t points = NCEWinogradConvolutionOp::getNumPoints(*tileSize);
    if (!fitsMemory(countBytes(
            {points, static_cast<int64_t>(values->size()) / (kTaps * kTaps)},
            sizeof(float)))) {
      return rewriter.notifyMatchFailure(
          op, "memory has no room for its transformed weights");
    }
    // A single bf16 is multiplied as f32: planes need no rounding.
    Type planes = op.getPack() == 1 ? rewriter.getF32Type() : element;
    Value transformed = transformWeights(rewriter, op.getWeights().getLoc(),
                                         weights, planes, *values, *tileSize);
    Value direct = op.getWeights();
    rewriter.replaceOpWithNewOp<NCEWinogradConvolutionOp>(
        op, op->getResultTypes(), op.getInput(), transformed, op.getBias(),
        op.getResidual(), /*inputPlanes=*/Value(), /*outputPlanes=*/Value(),
        op.getInit(), *tileSize, ArrayRef<int64_t>(), op.getPpe());
    eraseIfDead(rewriter, direct);
    ++count;
    return success();
  }

  /// The tile size that is worth it, if any.
  std::optional<int64_t> chooseTileSize(NCEConvolutionOp op) const {
    // Some margin: the estimates are rough, and rounding errors grow with the
    // tile. So do weights, which take memory that others may need: a byte more
    // must save some time.
    constexpr double kWorthwhile = 0.8, kCyclesPerByte = 0.1;
    // Where only a run knows the size, a tile must be worth it for an image of
    // the size that is expected, and lose little for one of half the rows and
    // columns. Smaller ones still, whose time is that of reading the weights,
    // take at most as much longer as there are more of these, and larger ones
    // only gain.
    constexpr double kTolerable = 1.25;
    Estimate cycles(op, arch);
    SmallVector<int64_t> expected =
        getNominalShape(op.getInit(), kNominalImageSize);
    SmallVector<int64_t> small =
        getNominalShape(op.getInit(), kNominalImageSize / 2);
    std::optional<int64_t> best;
    double least = cycles.getDirect(expected);
    double bytes = cycles.getWeightBytes(kTaps * kTaps);
    for (int64_t tileSize : {2, 4}) {
      if (cycles.getWinograd(tileSize, small) >
          kTolerable * cycles.getDirect(small)) {
        continue;
      }
      double winograd = cycles.getWinograd(tileSize, expected);
      double more = cycles.getWeightBytes(
          NCEWinogradConvolutionOp::getNumPoints(tileSize));
      if (winograd <= kWorthwhile * least &&
          least - winograd >= kCyclesPerByte * (more - bytes)) {
        best = tileSize;
        least = winograd;
        bytes = more;
      }
    }
    return best;
  }

  ArchAttr arch;
  Pass::Statistic &count;
};

struct WinogradPass final : VPU::impl::WinogradBase<WinogradPass> {
  using WinogradBase::WinogradBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    if (arch.hasFixedFunctionNCE()) {
      return;
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<ToWinograd>(&getContext(), arch, numReplaced);
    std::optional<ConstantReleaser> releaser;
    walkAndApplyPatterns(getOperation(), std::move(patterns),
                         releaseConstants ? &releaser.emplace(getOperation())
                                          : nullptr);
  }
};

} // namespace
