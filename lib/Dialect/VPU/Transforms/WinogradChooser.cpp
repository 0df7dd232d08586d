//===- WinogradChooser.cpp - By which algorithm convolutions go -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Winograd's algorithm multiplies less than the direct one, reads more weights,
// and transforms images: it pays where an estimate from the architecture says
// so.
//
//===----------------------------------------------------------------------===//

#include "NominalSizes.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Support/Memory.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

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
    pairs = static_cast<double>(type.getNumElements()) /
            (kWinogradTaps * kWinogradTaps);
    bytes = type.getElementTypeBitWidth() / 8.0;
    macsPerPixel = static_cast<double>(op.getMacs()) /
                   countPixels(getTypicalShape(op.getInitType().getShape()));
  }

  /// With an output of shape `out`.
  double getDirect(ArrayRef<int64_t> out) {
    return estimate(macsPerPixel * countPixels(out) / directMacsPerCycle,
                    kWinogradTaps * kWinogradTaps);
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

/// The tile size that is worth it; zero where none is.
static int64_t chooseTileSize(NCEConvolutionOp op, ArchAttr arch) {
  // Some margin: the estimates are rough, and rounding errors grow with the
  // tile. So do weights.
  constexpr double kWorthwhile = 0.8;
  // Where the size is dynamic, a tile must be worth it for an image of
  // the size that is expected, and lose little for one of half the rows and
  // columns. Smaller ones still, whose time is that of reading the weights,
  // take at most as much longer as there are more of these, and larger ones
  // only gain.
  constexpr double kTolerable = 1.25;
  Estimate cycles(op, arch);
  SmallVector<int64_t> expected =
      getNominalShape(op.getInit(), kTypicalImageSize);
  SmallVector<int64_t> small =
      getNominalShape(op.getInit(), kTypicalImageSize / 2);
  int64_t best = 0;
  double least = cycles.getDirect(expected);
  double bytes = cycles.getWeightBytes(kWinogradTaps * kWinogradTaps);
  for (int64_t tileSize : {2, 4}) {
    if (cycles.getWinograd(tileSize, small) >
        kTolerable * cycles.getDirect(small)) {
      continue;
    }
    double winograd = cycles.getWinograd(tileSize, expected);
    double more =
        cycles.getWeightBytes(NCEWinogradConvolutionOp::getNumPoints(tileSize));
    if (winograd <= kWorthwhile * least &&
        least - winograd >= kWeightByteCycles * (more - bytes)) {
      best = tileSize;
      least = winograd;
      bytes = more;
    }
  }
  return best;
}

static bool isUnitPair(ArrayRef<int64_t> values) {
  return values[0] == 1 && values[1] == 1;
}

StringRef VPU::getWinogradNeed(NCEConvolutionOp op, ArchAttr arch) {
  if (arch.hasFixedFunctionNCE()) {
    return "an engine that has it";
  }
  auto type = dyn_cast<RankedTensorType>(op.getWeights().getType());
  Type element = type ? type.getElementType() : Type();
  if (!type || !(element.isF32() || element.isBF16())) {
    return "tensors of f32 or bf16";
  }
  ArrayRef<int64_t> weights = type.getShape();
  if (weights[2] != kWinogradTaps || weights[3] != kWinogradTaps ||
      op.getGroups() != 1 || !isUnitPair(op.getStrides()) ||
      !isUnitPair(op.getDilations())) {
    return "a dense 3x3 kernel of stride and dilation 1";
  }
  if (op.getInputBlockSize() != arch.getLanes() ||
      weights[5] != arch.getLanes()) {
    return "blocks of one vector";
  }
  auto packed = op.getWeights().getDefiningOp<PackWeightsOp>();
  if (!packed || !matchPattern(packed.getWeights(), m_Constant())) {
    return "constant weights that are yet to be packed";
  }
  return {};
}

/// Numbers of the transformed weights.
static int64_t countTransformed(NCEConvolutionOp op, int64_t tileSize) {
  auto weights = cast<ShapedType>(op.getWeights().getType());
  return weights.getNumElements() / (kWinogradTaps * kWinogradTaps) *
         NCEWinogradConvolutionOp::getNumPoints(tileSize);
}

void VPU::chooseAlgorithms(FunctionOpInterface function,
                           const ChooserInput &input) {
  // Transformed weights of all convolutions, which lie beside each other.
  int64_t elements = 0;
  function->walk([&](NCEConvolutionOp op) {
    if (input.isGiven(op) || !getWinogradNeed(op, input.arch).empty()) {
      return;
    }
    int64_t tileSize = chooseTileSize(op, input.arch);
    int64_t more = elements + countTransformed(op, tileSize);
    auto strategy =
        StrategyAttr::getForAlgorithm(op.getContext(), Algorithm::direct);
    if (tileSize != 0 && fitsMemory(countBytes({more}, sizeof(float)))) {
      elements = more;
      strategy = StrategyAttr::getForAlgorithm(op.getContext(),
                                               Algorithm::winograd, tileSize);
    }
    strategy.attachTo(op);
  });
}

bool VPU::isByWinograd(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return isa<NCEConvolutionOp>(op) && strategy &&
         strategy.getAlgorithm() == Algorithm::winograd;
}

LogicalResult VPU::verifyAlgorithm(NCEConvolutionOp op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (strategy && !strategy.getChunk().empty()) {
    return op.emitOpError("expected no chunk: it is chosen on buffers");
  }
  if (!isByWinograd(op)) {
    return success();
  }
  StringRef need = getWinogradNeed(op, arch);
  if (!need.empty()) {
    return op.emitOpError("expected algorithm = direct: Winograd's needs ")
           << need;
  }
  int64_t elements = countTransformed(op, strategy.getWinogradTile());
  return requireMemory(countBytes({elements}, sizeof(float)),
                       [&] { return op.emitOpError("algorithm = winograd"); });
}
