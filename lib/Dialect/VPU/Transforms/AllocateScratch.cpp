//===- AllocateScratch.cpp - The vpu-allocate-scratch pass ----------------===//
//
// Memory for what an op computes on the way. Only on buffers, where each op
// gets its own: on tensors two ops' scratch would be one value to CSE.
//
//===----------------------------------------------------------------------===//

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

/// The largest chunk of whole tile rows, else of one row's columns, whose
/// scratch fits the cache; at least one tile. Every chunk reads all weights, so
/// where these exceed the cache by far, so may the scratch.
static std::array<int64_t, 2> chooseChunk(NCEWinogradConvolutionOp op,
                                          int64_t cacheBytes) {
  constexpr int64_t kWeightsPerScratch = 4;
  int64_t weights =
      cast<ShapedType>(op.getWeights().getType()).getNumElements() *
      int64_t(sizeof(float));
  int64_t budget = std::max(cacheBytes, weights / kWeightsPerScratch);
  ArrayRef<int64_t> out = op.getInitType().getShape();
  constexpr int64_t kTile = NCEWinogradConvolutionOp::tileSize;
  int64_t rows = llvm::divideCeilSigned(out[2], kTile);
  int64_t columns = llvm::divideCeilSigned(out[3], kTile);
  auto fits = [&](int64_t tiles) {
    return op.getScratchElements(tiles) * int64_t(sizeof(float)) <= budget;
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

namespace {
struct AllocateScratchPass final
    : VPU::impl::AllocateScratchBase<AllocateScratchPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    getOperation()->walk([&](NCEWinogradConvolutionOp op) {
      if (op.getScratch() || !op.hasPureBufferSemantics()) {
        return;
      }
      std::array<int64_t, 2> chunk = chooseChunk(op, arch.getCmxBytes());
      OpBuilder builder(op);
      auto type = MemRefType::get({op.getScratchElements(chunk[0] * chunk[1])},
                                  builder.getF32Type());
      Value scratch = memref::AllocOp::create(builder, op.getLoc(), type,
                                              builder.getI64IntegerAttr(64));
      op.getScratchMutable().assign(scratch);
      op.setChunk(chunk);
    });
  }
};
} // namespace
