//===- RegisterChooser.cpp - What the code of kernels depends on ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses register tiles, and whether weights are buffered or prefetched.
// Checks the same in what a person may have written.
//
//===----------------------------------------------------------------------===//

#include "BorderChooser.h"
#include "KernelTiles.h"
#include "MatrixTileChooser.h"
#include "RegisterTileChooser.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static int64_t getBytes(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// Weights from memory
//===----------------------------------------------------------------------===//

/// True for a matrix unit's convolution when reading the weights from memory
/// takes a good part of the time that multiplying by them does.
static bool streamsWeights(NCEConvolutionOp op, ArchAttr arch) {
  constexpr double kGoodPart = 0.25;
  auto bytes = static_cast<double>(getBytes(op.getWeights()));
  double cycles =
      static_cast<double>(getTypicalPixels(op)) *
      static_cast<double>(
          cast<ShapedType>(op.getWeights().getType()).getNumElements()) /
      static_cast<double>(op.getMacsPerCycle(arch));
  return bytes > static_cast<double>(arch.getCmxBytes()) &&
         bytes / CostModel(arch).getMemoryBytesPerCycle() > kGoodPart * cycles;
}

/// True where a matrix unit, or Winograd's products, which read all weights at
/// least once for each chunk of tiles, have the next ones on their way from
/// memory meanwhile.
static bool prefetchesForUnit(Operation *op, ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (convolution && convolution.fitsMatrixUnit(arch)) {
    return canPrefetchWeights(op, arch) && streamsWeights(convolution, arch);
  }
  auto winograd = dyn_cast<NCEWinogradConvolutionOp>(op);
  return winograd && getBytes(winograd.getWeights()) > arch.getCmxBytes();
}

/// True where each run of vectors of channels reads an image that the core's
/// cache does not keep, from the op before or from one run to the next.
static bool prefetchesPixels(Operation *op, ArchAttr arch) {
  if (!canPrefetchPixels(op, arch)) {
    return false;
  }
  auto type = cast<ShapedType>(cast<NCEConvolutionOp>(op).getInput().getType());
  int64_t elements =
      ShapedType::getNumElements(getTypicalShape(type.getShape().drop_front()));
  return elements * type.getElementTypeBitWidth() / 8 > arch.getCmxBytes();
}

/// How far ahead a product by weights of few bits asks for them.
static int64_t choosePrefetchBytes(Operation *op, ArchAttr arch) {
  return readsLowBitsInOrder(op, arch) ? CostModel(arch).getPrefetchBytes() : 0;
}

/// The most vectors of weights that Winograd's products prefetch at a time: all
/// tiles of a chunk reuse the current ones meanwhile.
static constexpr int64_t kMostPrefetched = 2;

/// The bytes of the weights that a kernel can prefetch.
static int64_t getWeightBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<NCEConvolutionOp, NCEWinogradConvolutionOp>(
          [](auto convolution) { return getBytes(convolution.getWeights()); })
      .Case([](NCEMatMulOp product) {
        auto panels = cast<ShapedType>(product.getRhs().getType());
        return ShapedType::getNumElements(panels.getShape().drop_front()) *
               panels.getElementTypeBitWidth() / 8;
      });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {

/// Chooses the tiles of one op.
class TileList {
public:
  TileList(Operation *op, ArchAttr arch)
      : op(op), arch(arch), registers(getVectorRegisters(op, arch)),
        weightBytes(canPrefetchWeights(op, arch) ? getWeightBytes(op) : 0) {}

  void add(const KernelTile &tile, int64_t mostVectors);
  SmallVector<RegisterTileAttr> take() { return std::move(tiles); }
  /// True where the weights of the next vectors are asked for by all tiles that
  /// are multiplied by those before: other ops' weights have been in the caches
  /// since.
  bool prefetches() const { return arePrefetched; }

private:
  bool prefetchesNext(const KernelTile &tile, RegisterTile size) const;
  /// The vectors whose weights the second cache keeps from one tile to the
  /// next, of which CMX is a half, or one.
  int64_t getMostNear(const KernelTile &tile) const;
  void push(RegisterTile size, const KernelTile &tile, bool buffers);

  Operation *op;
  ArchAttr arch;
  VectorRegisters registers;
  SmallVector<RegisterTileAttr> tiles;
  /// 0 where none can be prefetched.
  int64_t weightBytes;
  bool arePrefetched = false;
};

} // namespace

bool TileList::prefetchesNext(const KernelTile &tile, RegisterTile size) const {
  // A tile alone has nothing to compute while it waits. Of many, what that
  // saves is little beside what they compute. The second cache has room for
  // these weights and the next ones, CMX being a half of it.
  constexpr int64_t kLeastTiles = 2, kMostTiles = 64;
  int64_t tiles = tile.mayHaveFewRows ? kMostTiles : tile.countTiles(size);
  return weightBytes > 0 && tile.successive > size.vectors &&
         kLeastTiles <= tiles && tiles <= kMostTiles &&
         size.vectors * weightBytes <= tile.successive * arch.getCmxBytes();
}

int64_t TileList::getMostNear(const KernelTile &tile) const {
  constexpr int64_t kParts = 2;
  return std::max<int64_t>(
      kParts * arch.getCmxBytes() * tile.successive / weightBytes, 1);
}

void TileList::push(RegisterTile size, const KernelTile &tile, bool buffers) {
  tiles.push_back(RegisterTileAttr::get(
      op->getContext(), size.rows, size.columns, size.vectors, buffers,
      canWidenRows(op, size, arch) && isWorthWidening(op, size),
      buffers ? 0 : tile.stepsInTurn));
  arePrefetched |= prefetchesNext(tile, size);
}

void TileList::add(const KernelTile &tile, int64_t mostVectors) {
  auto choose = [&](int64_t vectors) {
    ContractionShape shape = tile.shape;
    shape.vectors = vectors;
    return chooseRegisterTile(shape, registers);
  };
  // True where weights are extended, or packed, more often than once.
  auto isWorthBuffering = [&](RegisterTile size) {
    return tile.needPreparing && tile.countTiles(size) > kFewBufferedTiles;
  };
  if (tile.registersPerPixel > 0) {
    return push({1, tile.chooseColumns(registers.count), 1}, tile,
                /*buffers=*/false);
  }
  int64_t vectors = std::min(tile.shape.vectors, mostVectors);
  RegisterTile direct = choose(vectors);
  // What is one tile, as rows of unknown number may be, reads them once.
  if (weightBytes > 0 && tile.successive > 0 && !tile.mayHaveFewRows &&
      tile.countTiles(direct) > 1 && direct.vectors > getMostNear(tile)) {
    vectors = std::min(vectors, getMostNear(tile));
    direct = choose(vectors);
  }
  if (tile.needsBuffer || !isWorthBuffering(direct)) {
    return push(direct, tile, tile.needsBuffer);
  }
  // With fewer, rows are loaded more often than weights would be extended.
  constexpr int64_t kLeast = 2;
  RegisterTile limited =
      choose(std::min(vectors, std::max(tile.fitting, kLeast)));
  bool buffers = isWorthBuffering(limited) && limited.vectors <= tile.fitting;
  push(tile.mayHaveFewRows && !buffers ? direct : limited, tile, buffers);
  if (tile.mayHaveFewRows && buffers) {
    push(direct, tile, /*buffers=*/false);
  }
}

static StagedColumnsAttr chooseStagedColumns(Operation *op, ArchAttr arch) {
  auto winograd = dyn_cast<NCEWinogradConvolutionOp>(op);
  if (!winograd || !winograd.getInputPlanes()) {
    return {};
  }
  int64_t tile = winograd.getTileSize();
  int64_t points = winograd.getInputTileSize(tile);
  // All rows of results need the bias.
  int64_t inUse = winograd.getBias() ? 1 : 0;
  int64_t registers = arch.getRegisters();
  int64_t inputs = VPU::chooseStagedColumns(points, /*rows=*/points,
                                            /*inUse=*/0, registers);
  int64_t outputs =
      VPU::chooseStagedColumns(points, /*rows=*/tile, inUse, registers);
  return inputs + outputs > 0
             ? StagedColumnsAttr::get(op->getContext(), inputs, outputs)
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// True where the rows of a window are better a loop than code each: where no
/// registers are left to keep pixels in from one row to the next, and where a
/// row of the result is few tiles, straight-line code in which all would share
/// inputs, more than there are registers for.
static bool rollsWindow(Operation *op, ArrayRef<RegisterTileAttr> tiles,
                        ArchAttr arch) {
  constexpr int64_t kFewTiles = 3;
  auto convolution = dyn_cast<NCEDepthConvolutionOp>(op);
  if (!convolution) {
    return false;
  }
  int64_t columns = convolution.getInitType().getDimSize(3);
  return arch.getRegisters() <= kFewVectorRegisters ||
         (!ShapedType::isDynamic(columns) &&
          columns < kFewTiles * tiles.front().getColumns());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static KernelStrategyAttr chooseKernel(Operation *op, LowBitTileAttr lowBitTile,
                                       ArchAttr arch) {
  bool prefetches = prefetchesForUnit(op, arch);
  TileList list(op, arch);
  for (const KernelTile &tile : getKernelTiles(op, arch)) {
    list.add(tile, prefetches ? kMostPrefetched : tile.shape.vectors);
  }
  MatrixTilesAttr matrixTiles = usesMatrixTiles(op, arch)
                                    ? chooseMatrixTiles(op, prefetches, arch)
                                    : nullptr;
  SmallVector<RegisterTileAttr> tiles = list.take();
  return KernelStrategyAttr::get(
      op->getContext(), tiles, prefetches || list.prefetches(),
      choosePrefetchBytes(op, arch), prefetchesPixels(op, arch),
      chooseStagedColumns(op, arch), chooseBorder(op, tiles, arch),
      rollsWindow(op, tiles, arch), matrixTiles, lowBitTile, /*loops=*/{});
}

void VPU::chooseRegisters(FunctionOpInterface function,
                          const ChooserInput &input) {
  function->walk([&](Operation *op) {
    if (!hasKernelStrategy(op)) {
      return;
    }
    // The sizes of tiles of few bits were decided with their scratch memory. A
    // strategy that decides nothing is as good as none.
    StrategyAttr before = StrategyAttr::lookup(op);
    KernelStrategyAttr given = before ? before.getKernel() : nullptr;
    LowBitTileAttr lowBitTile = given ? given.getLowBitTile() : nullptr;
    bool isOpen = before == StrategyAttr::getDefault(op->getContext()) ||
                  (lowBitTile && given.getRegisters().empty());
    if (input.isGiven(op) && !isOpen) {
      return;
    }
    StrategyAttr::getForKernel(op->getContext(),
                               chooseKernel(op, lowBitTile, input.arch))
        .attachTo(op);
  });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks a tile that a person may have written.
static LogicalResult verifyTile(Operation *op, RegisterTileAttr attr,
                                const KernelTile &tile,
                                VectorRegisters registers) {
  RegisterTile size = attr.getTile();
  const ContractionShape &shape = tile.shape;
  // Tiles of dynamic columns are of one row.
  int64_t mostRows = shape.rows;
  if (ShapedType::isDynamic(shape.columns)) {
    mostRows = 1;
  } else if (ShapedType::isDynamic(shape.rows)) {
    mostRows = kMostTileRows;
  }
  for (auto [name, found, most] :
       {std::tuple("rows", size.rows, mostRows),
        std::tuple("columns", size.columns, shape.columns),
        std::tuple("vectors", size.vectors, shape.vectors)}) {
    if (!ShapedType::isDynamic(most) && found > std::max<int64_t>(most, 1)) {
      return op->emitOpError("expected at most ")
             << most << ' ' << name << " in a register tile, found " << found;
    }
  }
  if (size.vectors < shape.leastVectors &&
      shape.vectors == shape.leastVectors) {
    return op->emitOpError("expected all ")
           << shape.leastVectors << " vectors in a register tile, found "
           << size.vectors;
  }
  if (size.vectors % shape.leastVectors != 0) {
    return op->emitOpError("expected a multiple of ")
           << shape.leastVectors << " vectors in a register tile, found "
           << size.vectors;
  }
  // One pixel is always possible: weights may stay in memory.
  bool isLeast = size.getPixels() == 1 && size.vectors == shape.leastVectors;
  bool fits = tile.registersPerPixel > 0
                  ? size.columns <= tile.getMostColumns(registers.count)
                  : fitsRegisters(size, shape.isFused, registers.count);
  if (!isLeast && !fits) {
    return op->emitOpError("expected a register tile that leaves some of the ")
           << registers.count
           << " vector registers for weights and pixels, found " << size.rows
           << "x" << size.columns << "x" << size.vectors << " sums";
  }
  if (attr.getWidenRows() && !canWidenRows(op, size, ArchAttr::lookup(op))) {
    return op->emitOpError("expected no widenRows: it is for rows, or pixels, "
                           "of bytes that are multiplied in pairs of words and "
                           "stay in the first cache");
  }
  auto product = dyn_cast<NCEMatMulOp>(op);
  bool packsRows = product && product.packsRows(ArchAttr::lookup(op));
  if (attr.getSteps() != 0 && (!packsRows || attr.getBufferWeights())) {
    return op->emitOpError("expected no steps: they are for rows of bytes that "
                           "a tile packs in registers, without a buffer");
  }
  if (tile.needsBuffer && !attr.getBufferWeights()) {
    return op->emitOpError(
        "expected bufferWeights: rows of a transposed matrix "
        "are no vectors of columns");
  }
  if (attr.getBufferWeights() && size.vectors > tile.fitting) {
    if (tile.fitting == 0) {
      return op->emitOpError("expected no bufferWeights: its weights are used "
                             "as they are stored, or take too much memory");
    }
    return op->emitOpError("expected at most ")
           << tile.fitting << " vectors with bufferWeights, found "
           << size.vectors;
  }
  return success();
}

static LogicalResult
verifyTiles(Operation *op, ArrayRef<RegisterTileAttr> attrs, ArchAttr arch) {
  VectorRegisters registers = getVectorRegisters(op, arch);
  SmallVector<KernelTile> tiles;
  for (const KernelTile &tile : getKernelTiles(op, arch)) {
    tiles.push_back(tile);
    // Few rows are for those that are not buffered.
    if (tile.mayHaveFewRows && !attrs.empty() &&
        attrs.front().getBufferWeights()) {
      tiles.push_back(tile);
      tiles.back().fitting = 0;
    }
  }
  if (attrs.size() != tiles.size()) {
    return op->emitOpError("expected ")
           << tiles.size() << " register tiles, found " << attrs.size();
  }
  for (auto [attr, tile] : llvm::zip_equal(attrs, tiles)) {
    if (failed(verifyTile(op, attr, tile, registers))) {
      return failure();
    }
  }
  return success();
}

static LogicalResult verifyStagedColumns(Operation *op,
                                         StagedColumnsAttr staged) {
  if (!staged) {
    return success();
  }
  auto winograd = dyn_cast<NCEWinogradConvolutionOp>(op);
  if (!winograd) {
    return op->emitOpError("expected no stagedColumns: they are of tiles of "
                           "Winograd's algorithm");
  }
  int64_t points = winograd.getInputTileSize(winograd.getTileSize());
  if (staged.getInputs() > points || staged.getOutputs() > points) {
    return op->emitOpError("expected at most ")
           << points << " staged columns, as many as a tile has, found "
           << staged;
  }
  return success();
}

static LogicalResult verifyPrefetching(Operation *op, KernelStrategyAttr kernel,
                                       ArchAttr arch) {
  if (kernel.getPrefetchBytes() != 0 && !readsLowBitsInOrder(op, arch)) {
    return op->emitOpError("expected no prefetchBytes: they are for weights of "
                           "few bits that it multiplies by in the order in "
                           "which they lie");
  }
  if (kernel.getPrefetchPixels() && !canPrefetchPixels(op, arch)) {
    return op->emitOpError("expected no prefetchPixels: it is for convolutions "
                           "without a window that no matrix unit multiplies");
  }
  MatrixTilesAttr tiles = kernel.getMatrixTiles();
  if (kernel.getPrefetchWeights() && tiles && tiles.getWindowRows() > 0) {
    return op->emitOpError("expected no prefetchWeights with windowRows");
  }
  return kernel.getPrefetchWeights() && !canPrefetchWeights(op, arch)
             ? op->emitOpError("expected no prefetchWeights: it is for vectors "
                               "of channels whose weights lie side by side, "
                               "and for panels of a matrix that are a vector "
                               "wide")
             : success();
}

static LogicalResult verifyWindow(Operation *op, KernelStrategyAttr kernel) {
  return kernel.getRollWindow() && !isa<NCEDepthConvolutionOp>(op)
             ? op->emitOpError("expected no rollWindow: it is for the window "
                               "of a DepthConvolution")
             : success();
}

static LogicalResult verifyMatrixUnit(Operation *op, KernelStrategyAttr kernel,
                                      ArchAttr arch) {
  bool isOnMatrixUnit = usesMatrixTiles(op, arch);
  if (static_cast<bool>(kernel.getMatrixTiles()) != isOnMatrixUnit) {
    return op->emitOpError("expected ")
           << (isOnMatrixUnit ? "matrixTiles: a matrix unit multiplies it"
                              : "no matrixTiles: no matrix unit multiplies it");
  }
  if (isOnMatrixUnit &&
      failed(verifyMatrixTiles(op, kernel.getMatrixTiles(), arch))) {
    return failure();
  }
  auto product = dyn_cast<NCEMatMulNBitsOp>(op);
  bool isByTiles =
      product && product.getScratch() && product.fitsMatrixUnit(arch);
  if (kernel.getLowBitTile() && !isByTiles) {
    return op->emitOpError("expected no lowBitTile: no matrix unit multiplies "
                           "it by weights of few bits");
  }
  return isByTiles ? verifyLowBitTile(product, arch) : success();
}

LogicalResult VPU::verifyKernelStrategy(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    return verifyKernelLoops(structured, ArchAttr::lookup(op));
  }
  if (!hasKernelStrategy(op)) {
    return strategy && strategy.getKernel()
               ? op->emitOpError(
                     "expected no kernel strategy: its code follows "
                     "from its shapes")
               : success();
  }
  KernelStrategyAttr kernel = strategy ? strategy.getKernel() : nullptr;
  if (!kernel) {
    InFlightDiagnostic error =
        op->emitOpError("expected a strategy with the register tiles of its "
                        "kernel, as vpu-choose-strategies gives it with "
                        "decide=registers");
    if (strategy) {
      error << ", found " << strategy;
    }
    return error;
  }
  ArchAttr arch = ArchAttr::require(op);
  if (!arch) {
    return failure();
  }
  auto product = dyn_cast<NCEMatMulNBitsOp>(op);
  if (product && lacksScratchPanels(product, arch)) {
    return op->emitOpError("expected scratch for at least one panel, ")
           << product.getDepth() * product.getPanelWidth()
           << " elements, found " << product.getScratch().getType();
  }
  if (product && product.getIntegerRows() > 0 &&
      !product.canSumIntegers(arch)) {
    return op->emitOpError("expected integerRows = 0: ")
           << arch.getName()
           << " does not multiply its weights by rows of bytes";
  }
  return failure(failed(verifyTiles(op, kernel.getRegisters(), arch)) ||
                 failed(verifyPrefetching(op, kernel, arch)) ||
                 failed(verifyStagedColumns(op, kernel.getStagedColumns())) ||
                 failed(verifyBorder(op, kernel, arch)) ||
                 failed(verifyWindow(op, kernel)) ||
                 failed(verifyMatrixUnit(op, kernel, arch)));
}
