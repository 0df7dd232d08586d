//===- AllocateScratch.cpp - The vpu-allocate-scratch pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for what an op computes on the way. Only on buffers, where each op
// gets its own: on tensors two ops' scratch would be one value to CSE.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/LowBitTiles.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_ALLOCATESCRATCH
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The bytes that the scratch of a chunk may take: the cache. Every chunk reads
/// all weights, so where these exceed the cache by far, so may the scratch.
static int64_t getBudget(NCEWinogradConvolutionOp op, int64_t cacheBytes) {
  constexpr int64_t kWeightsPerScratch = 4;
  auto type = cast<ShapedType>(op.getWeights().getType());
  int64_t weights = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return std::max(cacheBytes, weights / kWeightsPerScratch);
}

/// Groups of tiles, as many as fit, of which a run fills what it needs.
static std::array<int64_t, 2> chooseGroups(NCEWinogradConvolutionOp op,
                                           int64_t budget) {
  // What a register tile takes at a time: by four vectors of channels it fills
  // 32 registers, by two it fills 16. Of a larger one more would be left over.
  constexpr int64_t kTilesPerGroup = 6;
  int64_t groups = budget / op.getScratchBytes(kTilesPerGroup);
  return {std::max<int64_t>(groups, 1), kTilesPerGroup};
}

/// The largest chunk of whole tile rows, else of one row's columns, whose
/// scratch fits; at least one tile.
static std::array<int64_t, 2> chooseChunk(NCEWinogradConvolutionOp op,
                                          int64_t budget) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  int64_t tileSize = op.getTileSize();
  int64_t rows = llvm::divideCeilSigned(out[2], tileSize);
  int64_t columns = llvm::divideCeilSigned(out[3], tileSize);
  auto fits = [&](int64_t tiles) {
    return op.getScratchBytes(tiles) <= budget;
  };
  // As even chunks as their number allows.
  for (int64_t chunks = 1; chunks <= rows; ++chunks) {
    int64_t size = llvm::divideCeilSigned(rows, chunks);
    if (fits(size * columns)) {
      return {size, columns};
    }
  }
  for (int64_t chunks = 2; chunks <= columns; ++chunks) {
    int64_t size = llvm::divideCeilSigned(columns, chunks);
    if (fits(size)) {
      return {1, size};
    }
  }
  return {1, 1};
}

static Value allocate(OpBuilder &builder, Location loc, int64_t elements,
                      Type type) {
  return memref::AllocOp::create(builder, loc,
                                 MemRefType::get({elements}, type),
                                 builder.getI64IntegerAttr(64));
}

/// Room for the transformed tiles of a chunk.
static void allocateFor(NCEWinogradConvolutionOp op, ArchAttr arch) {
  if (op.getInputPlanes() || !op.hasPureBufferSemantics()) {
    return;
  }
  int64_t budget = getBudget(op, arch.getCmxBytes());
  op.setChunk(op.isOpen() ? chooseGroups(op, budget) : chooseChunk(op, budget));
  int64_t planes = op.getNumGroups() * op.getNumPoints();
  int64_t tiles = op.getTilesPerGroup();
  OpBuilder builder(op);
  op.getInputPlanesMutable().assign(
      allocate(builder, op.getLoc(), planes * op.getInputPitch(tiles),
               cast<ShapedType>(op.getWeights().getType()).getElementType()));
  op.getOutputPlanesMutable().assign(allocate(builder, op.getLoc(),
                                              planes * op.getOutputPitch(tiles),
                                              builder.getF32Type()));
}

/// How many rows are integers at a time: of many, as many as the cache holds,
/// in even parts. All weights are read for each part.
static int64_t countIntegerRows(NCEMatMulNBitsOp op, ArchAttr arch) {
  constexpr int64_t kFewRows = NCEMatMulNBitsOp::kFewRows, kFloatBytes = 4;
  // What a register tile takes at a time where there are 32 registers.
  constexpr int64_t kTileRows = 6;
  int64_t rows = op.getInitType().getDimSize(1);
  bool isOpen = ShapedType::isDynamic(rows);
  if (!isOpen && rows <= kFewRows) {
    return rows;
  }
  if (!op.sumsIntegersOfManyRows(arch)) {
    return isOpen ? kFewRows : 0;
  }
  int64_t fitting = arch.getCmxBytes() / (op.getRowElements() * kFloatBytes);
  int64_t most = std::max(fitting / kTileRows * kTileRows, 2 * kTileRows);
  if (isOpen) {
    return most;
  }
  int64_t parts = llvm::divideCeilSigned(rows, most);
  int64_t part = llvm::divideCeilSigned(rows, parts);
  return std::min(llvm::alignTo<kTileRows>(part), static_cast<uint64_t>(rows));
}

/// Room for some panels as floats or tiles where there may be many rows, or
/// for rows as integers.
static void allocateFor(NCEMatMulNBitsOp op, ArchAttr arch) {
  if (op.getScratch() || !op.hasPureBufferSemantics()) {
    return;
  }
  constexpr int64_t kFewRows = NCEMatMulNBitsOp::kFewRows;
  int64_t rows = op.getInitType().getDimSize(1), elements = 0;
  bool isOpen = ShapedType::isDynamic(rows);
  if (op.sumsIntegers(arch)) {
    elements = countIntegerRows(op, arch) * op.getRowElements();
  }
  if (std::optional<LowBitTiles> tiles = LowBitTiles::get(op, arch)) {
    elements = std::max(elements, tiles->getElements());
  } else if ((isOpen || rows > kFewRows) && !op.sumsIntegersOfManyRows(arch)) {
    int64_t panels = std::min<int64_t>(NCEMatMulNBitsOp::kScratchPanels,
                                       op.getWeightsShape()[0]);
    elements = std::max(elements, panels * op.getDepth() * op.getPanelWidth());
  }
  if (elements > 0) {
    OpBuilder builder(op);
    op.getScratchMutable().assign(
        allocate(builder, op.getLoc(), elements, builder.getF32Type()));
  }
}

namespace {
struct AllocateScratchPass final
    : VPU::impl::AllocateScratchBase<AllocateScratchPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    getOperation()->walk(
        [&](NCEWinogradConvolutionOp op) { allocateFor(op, arch); });
    getOperation()->walk([&](NCEMatMulNBitsOp op) { allocateFor(op, arch); });
  }
};
} // namespace
