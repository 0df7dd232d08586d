//===- CostModel.cpp - What operations take -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic at the rates of the descriptor, and bytes at the speed of where
// they come from. `bench_cost.py` says how well it orders the steps of models.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

double VPU::getOperandBytes(Operation *op) {
  double bytes = 0;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (type && type.hasRank()) {
      bytes += static_cast<double>(getTypicalNumElements(type)) *
               type.getElementTypeBitWidth() / 8;
    }
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Rates
//===----------------------------------------------------------------------===//

// Half a vector of f32: what copies between buffers in the second cache reach
// on Sapphire Rapids and Zen 5, loads and stores counted
// (`nacre bench --profile`, the peak of its first line).
double CostModel::getCacheBytesPerCycle() const {
  constexpr double kBytesPerLane = 2;
  return kBytesPerLane * static_cast<double>(arch.getLanes());
}

double CostModel::getMemoryBytesPerCycle() const {
  constexpr double kMegaPerGiga = 1000;
  return kMegaPerGiga * static_cast<double>(arch.getDmaGigabytesPerSecond()) /
         static_cast<double>(arch.getClockMHz());
}

int64_t CostModel::getPrefetchBytes() const {
  // On a Zen 5 a decoder's step reads 20 to 24 GB/s with 32 lines or more, 16
  // with half of them.
  constexpr double kLatencyCycles = 300;
  auto bytes = static_cast<int64_t>(getMemoryBytesPerCycle() * kLatencyCycles);
  return llvm::alignTo(bytes, kCacheLineBytes);
}

int64_t CostModel::getSharedOperandBytes() const {
  constexpr int64_t kShare = 2;
  return arch.getCmxBytes() / kShare;
}

// A sixth: steps that threads share one after the other find them awake, and
// what they read in the caches of those that will read it again.
double CostModel::getLeastPart(int64_t partCycles, bool areAwake) const {
  constexpr double kAwakeShare = 1.0 / 6;
  return static_cast<double>(partCycles) * (areAwake ? kAwakeShare : 1);
}

int64_t CostModel::countClusters(double cycles, int64_t partCycles,
                                 bool areAwake) const {
  double least = getLeastPart(partCycles, areAwake);
  double clusters = static_cast<double>(arch.getClusters());
  // Parts may be worth starting however small they are.
  double most = cycles < least * clusters ? cycles / least : clusters;
  return std::max<int64_t>(static_cast<int64_t>(most), 1);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Vectors loaded, computed and stored at two a cycle, counted in the kernels.
CostModel::WinogradTransforms
CostModel::getWinogradTransforms(int64_t tileSize) const {
  return tileSize == 4 ? WinogradTransforms{/*input=*/110, /*output=*/80}
                       : WinogradTransforms{/*input=*/45, /*output=*/30};
}

/// Cycles of all tiles' transforms.
static double getTransformCycles(NCEWinogradConvolutionOp op,
                                 const CostModel &model) {
  ArrayRef<int64_t> weights =
      cast<ShapedType>(op.getWeights().getType()).getShape();
  auto [input, output] = model.getWinogradTransforms(op.getTileSize());
  double macsPerTile = static_cast<double>(ShapedType::getNumElements(weights));
  double tiles = static_cast<double>(op.getMacs()) / macsPerTile;
  return tiles * (input * static_cast<double>(weights[2]) +
                  output * static_cast<double>(weights[1]));
}

// The sum: a kernel loads its operands and stores its results before and after
// it multiplies.
double CostModel::getEngineCycles(NCEOpInterface op) const {
  double cycles = static_cast<double>(op.getMacs()) /
                  static_cast<double>(op.getMacsPerCycle(arch));
  if (auto winograd = dyn_cast<NCEWinogradConvolutionOp>(op.getOperation())) {
    cycles += getTransformCycles(winograd, *this);
  }
  return cycles + getOperandBytes(op) / getCacheBytesPerCycle();
}

/// True for a function that vectors have an instruction for.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::FloorOp, math::FmaOp, math::RoundEvenOp, math::TruncOp>(op);
}

static bool isLoad(Operation *op) {
  return isa<tensor::ExtractOp, memref::LoadOp>(op);
}

/// True if the place that `load` takes its element from depends on elements, so
/// that elements come one after the other. What depends on positions alone, as
/// in a broadcast of dynamic sizes, comes in vectors.
static bool isFromAnywhere(Operation *load, Block *body) {
  SmallVector<Value> open(llvm::drop_begin(load->getOperands()));
  llvm::SmallPtrSet<Operation *, 8> visited;
  while (!open.empty()) {
    Value index = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(index)) {
      if (argument.getOwner() == body) {
        return true;
      }
      continue;
    }
    Operation *definition = index.getDefiningOp();
    if (!body->findAncestorOpInBlock(*definition) ||
        !visited.insert(definition).second) {
      continue;
    }
    if (isLoad(definition)) {
      return true;
    }
    llvm::append_range(open, definition->getOperands());
  }
  return false;
}

// The larger of both: vectors are loaded while others are computed. A vector of
// arithmetic takes half a cycle, and a function, which is some twenty of them
// or a call, far more.
double CostModel::getSoftwareCycles(Operation *op) const {
  constexpr double kCyclesPerFunction = 2, kVectorsPerCycle = 0.5;
  double elementsPerCycle =
      kVectorsPerCycle * static_cast<double>(arch.getLanes());
  double bytes = getOperandBytes(op) / getCacheBytesPerCycle();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    return bytes;
  }
  double points = 1, each = 0;
  for (int64_t extent : structured.getStaticLoopRanges()) {
    points *= static_cast<double>(ShapedType::isDynamic(extent)
                                      ? kTypicalSize
                                      : std::max<int64_t>(extent, 1));
  }
  structured.getBlock()->walk([&](Operation *inner) {
    if (isa<arith::ArithDialect>(inner->getDialect()) || isInstruction(inner)) {
      each += 1 / elementsPerCycle;
    } else if (isa<math::MathDialect>(inner->getDialect())) {
      each += kCyclesPerFunction;
    } else if (isLoad(inner) && isFromAnywhere(inner, structured.getBlock())) {
      each += kScalarElementCycles;
    }
  });
  return std::max(bytes, points * each);
}

double CostModel::getCycles(Operation *op) const {
  if (auto nce = dyn_cast<NCEOpInterface>(op)) {
    return getEngineCycles(nce);
  }
  bool isSoftware = isa<TiledOpInterface>(op) || isa<linalg::LinalgOp>(op);
  return isSoftware ? getSoftwareCycles(op) : 0;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// How often a loop's body runs.
static double getTrips(LoopLikeOpInterface loop) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  if (!lower || !upper || !step) {
    return static_cast<double>(kTypicalSize);
  }
  double trips = 1;
  for (auto [low, high, by] : llvm::zip_equal(*lower, *upper, *step)) {
    std::optional<int64_t> first = getConstantIntValue(low),
                           end = getConstantIntValue(high),
                           each = getConstantIntValue(by);
    trips *= static_cast<double>(
        first && end && each && *each > 0
            ? llvm::divideCeilSigned(std::max<int64_t>(*end - *first, 0), *each)
            : kTypicalSize);
  }
  return trips;
}

namespace {

/// Adds up the cycles of what is in an operation and in the functions that it
/// calls.
class CycleCounter {
public:
  CycleCounter(const CostModel &model, ArchAttr arch,
               SymbolTableCollection &symbols)
      : model(model), arch(arch), symbols(symbols) {}

  double count(Operation *root);

private:
  double countCallee(func::CallOp call);

  const CostModel &model;
  ArchAttr arch;
  SymbolTableCollection &symbols;
  llvm::SmallPtrSet<Operation *, 4> entered;
};

} // namespace

/// Of a function that calls itself, one call counts.
double CycleCounter::countCallee(func::CallOp call) {
  Operation *callee =
      symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr());
  if (!callee || !entered.insert(callee).second) {
    return 0;
  }
  double cycles = count(callee);
  entered.erase(callee);
  return cycles;
}

double CycleCounter::count(Operation *root) {
  if (isa<NCEOpInterface, TiledOpInterface, linalg::LinalgOp>(root)) {
    return model.getCycles(root);
  }
  if (auto call = dyn_cast<func::CallOp>(root)) {
    return countCallee(call);
  }
  // Software that is loops already: an instruction for each operation, of which
  // a core does two in a cycle.
  constexpr double kScalarCycles = 0.5;
  double cycles =
      isa<arith::ArithDialect, math::MathDialect>(root->getDialect()) &&
              !root->hasTrait<OpTrait::ConstantLike>()
          ? kScalarCycles
          : 0;
  for (Region &region : root->getRegions()) {
    for (Operation &inner : region.getOps()) {
      cycles += count(&inner);
    }
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(root);
  if (!loop) {
    return cycles;
  }
  double trips = getTrips(loop);
  if (isa<scf::ForallOp>(root)) {
    trips = std::ceil(trips / static_cast<double>(arch.getClusters()));
  }
  return trips * cycles;
}

double CostModel::getCyclesBelow(Operation *root,
                                 SymbolTableCollection &symbols) const {
  return CycleCounter(*this, arch, symbols).count(root);
}

// What does not fit the cluster's cache is on its way while other data are
// computed with: from memory, or at twice the speed from the last cache (the
// pools of the light_* models on Zen 5: 16 to 43 GB/s). That is taken for 16
// times as large: 32 times in Zen 5, 30 and more in Sapphire Rapids. There is
// what an earlier step wrote, and the weights of a small model.
double CostModel::getStepCycles(Operation *step, SymbolTableCollection &symbols,
                                const StepBytes &bytes) const {
  constexpr double kLastCacheSpeed = 2;
  constexpr int64_t kLastCacheSize = 16;
  int64_t distant =
      std::max<int64_t>(bytes.activations - arch.getCmxBytes(), 0);
  bool isSmall = bytes.allWeights <= kLastCacheSize * arch.getCmxBytes();
  double slowness = isSmall ? 1 / kLastCacheSpeed : 1;
  double waiting = (static_cast<double>(distant) / kLastCacheSpeed +
                    static_cast<double>(bytes.weights) * slowness) /
                   getMemoryBytesPerCycle();
  return std::max(getCyclesBelow(step, symbols), waiting);
}
