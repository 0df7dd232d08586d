//===- KernelTiles.cpp - The register tiles that kernels need -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says of each op what its kernel multiplies at a time, as the kernels of
// convert-vpu-to-vector are written.
//
//===----------------------------------------------------------------------===//

#include "KernelTiles.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/Buffers.h"
#include "nacre/Dialect/VPU/IR/DotIntrinsic.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/WindowStrip.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

static bool isNarrowFloat(Value value) {
  Type element = shapedType(value).getElementType();
  return element.isF16() || element.isBF16();
}

static bool isKnown(int64_t size) { return !ShapedType::isDynamic(size); }

int64_t KernelTile::countTiles(RegisterTile tile) const {
  return images * llvm::divideCeilSigned(rows, tile.rows) *
         llvm::divideCeilSigned(columns, tile.columns);
}

int64_t KernelTile::getMostColumns(int64_t registers) const {
  int64_t most =
      std::max<int64_t>((registers - otherRegisters) / registersPerPixel, 1);
  return isKnown(shape.columns) ? std::clamp<int64_t>(shape.columns, 1, most)
                                : most;
}

Type VPU::getKernelFloats(Operation *op) {
  bool isWide = llvm::any_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF64();
  });
  return isWide ? Type(Float64Type::get(op->getContext()))
                : Float32Type::get(op->getContext());
}

VectorRegisters VPU::getVectorRegisters(Operation *op, ArchAttr arch) {
  Type floats = getKernelFloats(op);
  return {arch.getRegisters(),
          arch.getLanes(floats) * floats.getIntOrFloatBitWidth() / 8};
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> VPU::getKernelImages(NCEConvolutionOp op) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  switch (getRowMerging(op)) {
  case RowMerging::none:
    return {out[0], out[2], out[3]};
  case RowMerging::always:
    return {out[0], 1,
            isKnown(out[2]) ? out[2] * out[3] : ShapedType::kDynamic};
  case RowMerging::atRunTime:
    return {out[0], ShapedType::kDynamic, ShapedType::kDynamic};
  }
  llvm_unreachable("unknown merging");
}

int64_t VPU::getTypicalPixels(NCEConvolutionOp op) {
  return ShapedType::getNumElements(getTypicalShape(getKernelImages(op)));
}

ChannelVectors VPU::getChannelVectors(NCEConvolutionOp op, int64_t lanes) {
  int64_t blocks = op.getInitType().getDimSize(1);
  int64_t width = op.getInitType().getDimSize(4);
  if (width == lanes) {
    return {true, blocks / static_cast<int64_t>(op.getGroups()), 0};
  }
  return {false, width / lanes, width % lanes};
}

static SmallVector<KernelTile> getTiles(NCEConvolutionOp op, ArchAttr arch) {
  if (op.fitsMatrixUnit(arch)) {
    return {};
  }
  std::array<int64_t, 3> images = getKernelImages(op);
  SmallVector<int64_t> typical = getTypicalShape(images);
  KernelTile tile;
  tile.shape.rows = images[1];
  tile.shape.columns = images[2];
  tile.shape.isFused =
      isFused(shapedType(op.getInput()).getElementType(), op.getPack());
  tile.images = typical[0];
  tile.rows = typical[1];
  tile.columns = typical[2];
  ArrayRef<int64_t> steps = shapedType(op.getWeights()).getShape().slice(1, 4);
  if (op.getPack() == 1 && isNarrowFloat(op.getWeights()) &&
      !ShapedType::isDynamicShape(steps)) {
    tile.fitting =
        countBufferedVectors(steps, getVectorRegisters(op, arch).bytes);
    tile.needPreparing = true;
  }
  SmallVector<KernelTile> tiles;
  auto add = [&](int64_t vectors) {
    if (vectors > 0) {
      tile.shape.vectors = vectors;
      tiles.push_back(tile);
    }
  };
  ChannelVectors channels =
      getChannelVectors(op, arch.getLanes(getKernelFloats(op)));
  if (channels.areBlocks) {
    tile.successive = shapedType(op.getWeights()).getDimSize(0);
    add(std::max<int64_t>(channels.whole, 1));
    return tiles;
  }
  add(channels.whole);
  add(channels.rest != 0 ? 1 : 0);
  return tiles;
}

static SmallVector<KernelTile> getTiles(NCEGroupConvolutionOp op,
                                        ArchAttr arch) {
  if (arch.getLanes(getKernelFloats(op)) % op.getGroupSize() != 0) {
    return {};
  }
  ArrayRef<int64_t> out = op.getInitType().getShape();
  KernelTile tile;
  tile.shape.rows = out[2];
  tile.shape.columns = out[3];
  tile.shape.vectors = tile.shape.leastVectors = op.getNumExchanged();
  return {tile};
}

/// The tile of an op that combines channel by channel what is in a window.
static KernelTile getWindowTile(ShapedType output) {
  // Enough pixels to hide the latency of their sums and to share loads, few
  // enough to leave registers for inputs and weights.
  constexpr int64_t kPerPixel = 4;
  KernelTile tile;
  tile.shape.columns = output.getDimSize(3);
  tile.registersPerPixel = kPerPixel;
  return tile;
}

static SmallVector<KernelTile> getTiles(NCEDepthConvolutionOp op,
                                        ArchAttr /*arch*/) {
  return {getWindowTile(op.getInitType())};
}

bool VPU::reducesColumnsFirst(ArrayRef<int64_t> window,
                              ArrayRef<int64_t> strides,
                              ArrayRef<int64_t> dilations, int64_t pixels) {
  if (window.empty() || dilations[1] != 1) {
    return false;
  }
  int64_t columns = countMet(pixels, strides[1], window[1], /*dilation=*/1);
  int64_t first = columns * window[0] + pixels * (window[1] - 1);
  return first < pixels * window[0] * window[1];
}

/// The tile of a pool. A column of the input that several windows have is in a
/// register of its own where that saves steps.
template <typename PoolOp>
static SmallVector<KernelTile> getPoolTiles(PoolOp op, ArchAttr arch) {
  // Three registers for what is loaded and compared. More pixels than eight
  // share hardly more columns, and rows are cut into fewer whole tiles.
  constexpr int64_t kOthers = 3, kEnoughPixels = 8;
  KernelTile tile = getWindowTile(op.getInitType());
  ArrayRef<int64_t> window = op.getKernel(), strides = op.getStrides();
  if (window.empty()) {
    return {tile};
  }
  // At least as many pixels as without sharing: of wide windows some columns
  // are in memory then, which costs less than to reduce them for each window.
  int64_t registers = getVectorRegisters(op, arch).count;
  int64_t least = registers / tile.registersPerPixel;
  KernelTile byColumns = tile;
  byColumns.registersPerPixel = strides[1];
  byColumns.otherRegisters = std::min(kOthers + window[1] - strides[1],
                                      registers - least * strides[1]);
  byColumns.enoughColumns = kEnoughPixels;
  bool saves = reducesColumnsFirst(window, strides, op.getDilations(),
                                   byColumns.chooseColumns(registers));
  return {saves ? byColumns : tile};
}

static SmallVector<KernelTile> getTiles(NCEMaxPoolOp op, ArchAttr arch) {
  return getPoolTiles(op, arch);
}

static SmallVector<KernelTile> getTiles(NCEAveragePoolOp op, ArchAttr arch) {
  return getPoolTiles(op, arch);
}

static SmallVector<KernelTile> getTiles(NCEWinogradConvolutionOp op,
                                        ArchAttr /*arch*/) {
  if (!op.getInputPlanes()) {
    return {};
  }
  SmallVector<KernelTile> tiles;
  for (int64_t columns : op.getTilesOfChunks()) {
    KernelTile &tile = tiles.emplace_back();
    tile.shape.columns = columns;
    tile.shape.vectors = shapedType(op.getWeights()).getDimSize(1);
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

static SmallVector<KernelTile> getTiles(NCEMatMulOp op, ArchAttr arch) {
  // Dynamic sizes are taken to be large.
  constexpr int64_t kManyRows = 1024, kManyVectors = 64;
  ArrayRef<int64_t> out = op.getInitType().getShape();
  int64_t pack = op.getStepPack(arch);
  int64_t steps = shapedType(op.getRhs()).getDimSize(op.getDepthDim());
  int64_t vectorBytes = getVectorRegisters(op, arch).bytes;
  if (op.packsRows(arch)) {
    steps = shapedType(op.getLhs()).getDimSize(2) / pack;
    vectorBytes = arch.getLanes() * pack;
  }
  bool hasSteps = isKnown(steps);
  int64_t fitting = hasSteps ? countBufferedVectors({steps}, vectorBytes) : 0;
  if (op.fitsMatrixUnit(arch) || (op.getTransposed() && fitting == 0)) {
    return {};
  }
  int64_t vectors = isKnown(out[2])
                        ? out[2] / arch.getLanes(getKernelFloats(op))
                        : kManyVectors;
  KernelTile tile;
  tile.shape.columns = tile.columns = isKnown(out[1]) ? out[1] : kManyRows;
  tile.shape.vectors = std::max<int64_t>(vectors, 1);
  tile.shape.isFused = isFused(shapedType(op.getLhs()).getElementType(), pack);
  tile.shape.steps = hasSteps ? steps : 1;
  tile.shape.pixelStride = getStrideBytes(op.getLhs(), 1);
  if (op.getTransposed()) {
    tile.shape.vectors = std::max<int64_t>(std::min(vectors, fitting), 1);
    tile.needsBuffer = true;
    tile.fitting = fitting;
    return {tile};
  }
  tile.mayHaveFewRows = !isKnown(out[1]);
  if (op.packsRows(arch)) {
    // Columns whose bytes fill a vector give as many vectors of packs.
    tile.shape.leastVectors = pack;
    tile.shape.vectors = std::max(vectors / pack * pack, pack);
    tile.fitting = fitting / pack * pack;
    tile.needPreparing = tile.fitting > 0;
    // Of a few columns of a large matrix, each row is on another page. So many
    // rows are read side by side.
    constexpr int64_t kRowsInTurn = 16, kPartsOfCache = 2;
    ArrayRef<int64_t> matrix = shapedType(op.getRhs()).getShape().take_back(2);
    if (ShapedType::isDynamicShape(matrix) ||
        ShapedType::getNumElements(matrix) >
            kPartsOfCache * arch.getCmxBytes()) {
      tile.stepsInTurn = kRowsInTurn / pack;
    }
    return {tile};
  }
  if (op.getPack() == 1 && isNarrowFloat(op.getRhs())) {
    tile.fitting = fitting;
    tile.needPreparing = true;
  }
  ArrayRef<int64_t> panels = shapedType(op.getRhs()).getShape();
  if (isKnown(panels[1]) && isKnown(op.getPanelWidth())) {
    tile.successive =
        panels[1] * (op.getPanelWidth() / arch.getLanes(getKernelFloats(op)));
  }
  return {tile};
}

bool VPU::unpacksForAnyRows(NCEMatMulNBitsOp op) {
  return !op.getScratch() || op.sumsIntegersOfAnyRows();
}

/// True where many rows are multiplied by weights that are unpacked in scratch
/// memory, some panels at a time.
static bool unpacksPanels(NCEMatMulNBitsOp op, ArchAttr arch) {
  return !unpacksForAnyRows(op) && !op.fitsMatrixUnit(arch) && !op.hasFewRows();
}

bool VPU::lacksScratchPanels(NCEMatMulNBitsOp op, ArchAttr arch) {
  return op.getPanelWidth() == arch.getLanes() && unpacksPanels(op, arch) &&
         op.getScratchPanels() < 1;
}

static SmallVector<KernelTile> getTiles(NCEMatMulNBitsOp op, ArchAttr arch) {
  if (op.getPanelWidth() != arch.getLanes() || lacksScratchPanels(op, arch)) {
    return {};
  }
  // Besides accumulators: weights and elements.
  constexpr int64_t kFloatSums = 3, kOthers = 8;
  int64_t rows = op.getInitType().getDimSize(1);
  SmallVector<KernelTile> tiles;
  if (unpacksForAnyRows(op) || op.hasFewRows() || !isKnown(rows)) {
    // Each row has some sums, of integers one for each digit, and a total.
    KernelTile &tile = tiles.emplace_back();
    tile.shape.columns = NCEMatMulNBitsOp::kFewRows;
    tile.registersPerPixel =
        1 + (op.getIntegerRows() > 0 ? static_cast<int64_t>(op.getRowParts())
                                     : kFloatSums);
    tile.otherRegisters = kOthers;
  }
  if (!unpacksPanels(op, arch)) {
    return tiles;
  }
  int64_t most = op.getScratchPanels();
  int64_t columns = op.getInitType().getDimSize(2);
  int64_t whole = columns / op.getPanelWidth();
  llvm::SmallSetVector<int64_t, 3> counts;
  for (int64_t count : {whole >= most ? most : 0, whole % most,
                        columns % op.getPanelWidth() != 0 ? int64_t(1) : 0}) {
    if (count > 0) {
      counts.insert(count);
    }
  }
  for (int64_t count : counts) {
    KernelTile &tile = tiles.emplace_back();
    tile.shape.columns = rows;
    tile.shape.vectors = tile.shape.leastVectors = count;
    tile.shape.pixelStride = getStrideBytes(op.getLhs(), 1);
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// What `visit` returns of an op whose kernel has register tiles, each of which
/// has its own way to count them; `otherwise` for another op.
template <typename ResultT, typename VisitT>
static ResultT visitKernel(Operation *op, const ResultT &otherwise,
                           VisitT visit) {
  return llvm::TypeSwitch<Operation *, ResultT>(op)
      .template Case<NCEConvolutionOp, NCEGroupConvolutionOp,
                     NCEDepthConvolutionOp, NCEWinogradConvolutionOp,
                     NCEMaxPoolOp, NCEAveragePoolOp, NCEMatMulOp,
                     NCEMatMulNBitsOp>([&](auto op) { return visit(op); })
      .Default(otherwise);
}

bool VPU::hasKernelStrategy(Operation *op) {
  return visitKernel(op, /*otherwise=*/false, [](auto kernel) {
    return kernel.hasPureBufferSemantics();
  });
}

SmallVector<KernelTile> VPU::getKernelTiles(Operation *op, ArchAttr arch) {
  return visitKernel(op, SmallVector<KernelTile>(),
                     [&](auto kernel) { return getTiles(kernel, arch); });
}

std::optional<WindowShape> VPU::getWindow(NCEConvolutionOp op, unsigned dim) {
  if (!op.getZeroBorder()) {
    return std::nullopt;
  }
  ArrayRef<int64_t> border = *op.getZeroBorder();
  return WindowShape{shapedType(op.getWeights()).getDimSize(2 + dim),
                     op.getStrides()[dim],
                     op.getDilations()[dim],
                     shapedType(op.getInput()).getDimSize(2 + dim),
                     border[dim],
                     border[2 + dim]};
}

bool VPU::canPrefetchWeights(Operation *op, ArchAttr arch) {
  if (auto convolution = dyn_cast<NCEConvolutionOp>(op)) {
    return convolution.getInitType().getDimSize(4) ==
           arch.getLanes(getKernelFloats(op));
  }
  if (auto product = dyn_cast<NCEMatMulOp>(op)) {
    ArrayRef<int64_t> panels = shapedType(product.getRhs()).getShape();
    return !product.getTransposed() && !product.packsRows(arch) &&
           !product.fitsMatrixUnit(arch) &&
           !ShapedType::isDynamicShape(panels.drop_front()) &&
           product.getPanelWidth() == arch.getLanes(getKernelFloats(op));
  }
  return isa<NCEWinogradConvolutionOp>(op);
}

bool VPU::canPrefetchPixels(Operation *op, ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  return convolution && !hasWindow(convolution) &&
         !convolution.fitsMatrixUnit(arch);
}

/// The bytes of a product's rows for each row of a tile; 0 where it is of
/// anything but pairs that are widened.
static int64_t countWidened(NCEMatMulOp op, RegisterTile size, ArchAttr arch) {
  int64_t bytes = shapedType(op.getLhs()).getDimSize(2);
  int64_t pack = op.getStepPack(arch);
  bool arePairs =
      pack > 1 && !isFused(shapedType(op.getLhs()).getElementType(), pack);
  return arePairs && isKnown(bytes) ? size.columns * bytes : 0;
}

/// The pixels that a tile of a convolution meets.
static int64_t countPixels(NCEConvolutionOp op, RegisterTile size) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
  return countMet(size.rows, strides[0], weights[2], dilations[0]) *
         countMet(size.columns, strides[1], weights[3], dilations[1]);
}

/// Their bytes; 0 where it is of anything but pairs that are widened.
static int64_t countWidened(NCEConvolutionOp op, RegisterTile size,
                            ArchAttr arch) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  bool arePairs =
      op.getPack() > 1 && !op.fitsMatrixUnit(arch) &&
      !isFused(shapedType(op.getInput()).getElementType(), op.getPack());
  return arePairs && !ShapedType::isDynamicShape(weights.slice(1, 3))
             ? countPixels(op, size) * weights[1] * op.getInputBlockSize()
             : 0;
}

bool VPU::canWidenRows(Operation *op, RegisterTile size, ArchAttr arch) {
  constexpr int64_t kWordBytes = 2;
  int64_t bytes = 0;
  if (auto product = dyn_cast<NCEMatMulOp>(op)) {
    bytes = countWidened(product, size, arch);
  } else if (auto convolution = dyn_cast<NCEConvolutionOp>(op)) {
    bytes = countWidened(convolution, size, arch);
  }
  return bytes > 0 && bytes * kWordBytes <= kNearBytes;
}

bool VPU::isWorthWidening(Operation *op, RegisterTile size) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (!convolution) {
    return true;
  }
  constexpr int64_t kMostPerRead = 2;
  ArrayRef<int64_t> weights = shapedType(convolution.getWeights()).getShape();
  return countPixels(convolution, size) <=
         kMostPerRead * size.getPixels() * weights[2] * weights[3];
}

bool VPU::readsLowBitsInOrder(Operation *op, ArchAttr arch) {
  auto product = dyn_cast<NCEMatMulNBitsOp>(op);
  return product && product.getPanelWidth() == arch.getLanes() &&
         (!unpacksPanels(product, arch) ||
          !isKnown(product.getInitType().getDimSize(1)));
}

BorderDims VPU::getSkippableBorder(Operation *op, ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  BorderDims dims = BorderDims::none;
  if (!convolution || convolution.fitsMatrixUnit(arch)) {
    return dims;
  }
  for (auto [dim, flag] :
       llvm::enumerate(ArrayRef{BorderDims::rows, BorderDims::columns})) {
    std::optional<WindowShape> window = getWindow(convolution, dim);
    if (window && window->hasBorder()) {
      dims = dims | flag;
    }
  }
  return dims;
}
