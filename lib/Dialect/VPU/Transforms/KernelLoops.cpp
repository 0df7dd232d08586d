//===- KernelLoops.cpp - Loops of software kernels ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises structured ops whose loops could be others, and checks what a
// person may have written about these.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"
#include "nacre/Dialect/VPU/Transforms/ByteProduct.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True for ops that copy a buffer, or some of its elements several times.
static bool isCopy(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1) {
    return false;
  }
  Block &body = *op.getBlock();
  return body.getTerminator()->getOperand(0) == body.getArgument(0) &&
         llvm::hasSingleElement(body);
}

/// True for ops that copy a buffer with its dimensions in another order.
static bool isPermutedCopy(linalg::LinalgOp op) {
  return isCopy(op) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

/// The loop along which the elements of an operand lie one after the other.
static std::optional<unsigned> getContiguousLoop(linalg::LinalgOp op,
                                                 OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || type.getRank() == 0 || !type.isLastDimUnitStride()) {
    return std::nullopt;
  }
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last ? std::optional(last.getPosition()) : std::nullopt;
}

std::optional<Transposition> Transposition::get(linalg::LinalgOp op) {
  if (!isPermutedCopy(op)) {
    return std::nullopt;
  }
  std::optional<unsigned> source =
      getContiguousLoop(op, *op.getDpsInputOperand(0));
  std::optional<unsigned> result =
      getContiguousLoop(op, *op.getDpsInitOperand(0));
  if (!source || !result || source == result) {
    return std::nullopt;
  }
  return Transposition{*source, *result};
}

std::optional<Repetition> Repetition::get(linalg::LinalgOp op) {
  constexpr size_t kDims = 2;
  if (!isCopy(op)) {
    return std::nullopt;
  }
  OpOperand &source = *op.getDpsInputOperand(0);
  OpOperand &result = *op.getDpsInitOperand(0);
  AffineMap from = op.getMatchingIndexingMap(&source);
  AffineMap to = op.getMatchingIndexingMap(&result);
  std::optional<unsigned> along = getContiguousLoop(op, source);
  std::optional<unsigned> copies = getContiguousLoop(op, result);
  if (!along || !copies || !from.isProjectedPermutation() ||
      !to.isPermutation() || from.isFunctionOfDim(*copies) ||
      to.getNumResults() < kDims ||
      to.getDimPosition(to.getNumResults() - kDims) != *along) {
    return std::nullopt;
  }
  auto [strides, offset] =
      cast<MemRefType>(result.get().getType()).getStridesAndOffset();
  int64_t count = op.getStaticLoopRanges()[*copies];
  if (ShapedType::isDynamic(count) ||
      strides[strides.size() - kDims] != count) {
    return std::nullopt;
  }
  return Repetition{*along, *copies};
}

/// True for columns `dim` that a window slides along: neighbours are next to
/// each other in the input.
static bool slidesAlong(AffineMap map, unsigned dim, linalg::LinalgOp op) {
  if (map.getNumResults() == 0) {
    return false;
  }
  auto sum = dyn_cast<AffineBinaryOpExpr>(map.getResults().back());
  MLIRContext *context = map.getContext();
  AffineExpr column = getAffineDimExpr(dim, context);
  if (!sum || sum.getKind() != AffineExprKind::Add ||
      (sum.getLHS() != column && sum.getRHS() != column)) {
    return false;
  }
  AffineExpr tap = sum.getLHS() == column ? sum.getRHS() : sum.getLHS();
  // Each column is in this sum alone, and what is added is of the window.
  ArrayRef<AffineExpr> others = map.getResults().drop_back();
  return llvm::none_of(others,
                       [&](AffineExpr e) { return e.isFunctionOfDim(dim); }) &&
         !tap.isFunctionOfDim(dim) &&
         llvm::none_of(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
           return tap.isFunctionOfDim(loop) &&
                  op.getIteratorTypesArray()[loop] !=
                      utils::IteratorType::reduction;
         });
}

std::optional<unsigned> VPU::getWindowColumns(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0) {
    return std::nullopt;
  }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getNumResults() == 0) {
    return std::nullopt;
  }
  auto columns = dyn_cast<AffineDimExpr>(out.getResults().back());
  if (!columns) {
    return std::nullopt;
  }
  unsigned loop = columns.getPosition();
  bool slides = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return slidesAlong(op.getMatchingIndexingMap(input), loop, op);
  });
  return slides ? std::optional(loop) : std::nullopt;
}

bool VPU::hasKernelLoops(Operation *op, ArchAttr arch) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureBufferSemantics()) {
    return false;
  }
  if (Transposition::get(structured) || Repetition::get(structured)) {
    return true;
  }
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic) {
    return false;
  }
  std::optional<ByteProduct> product = ByteProduct::get(generic);
  return getWindowColumns(generic) ||
         (product && product->getMostPerLane(arch) >= ByteProductAttr::kWords);
}

KernelLoopsAttr VPU::getKernelLoops(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  KernelStrategyAttr kernel = strategy ? strategy.getKernel() : nullptr;
  return kernel ? kernel.getLoops() : nullptr;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks the loop that becomes the innermost one. With it behind all others,
/// reductions go through what they reduce in the same order.
static LogicalResult verifyInnermost(linalg::LinalgOp op, int64_t innermost) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!isa<linalg::GenericOp>(op.getOperation())) {
    return op->emitOpError("expected no innermost loop but of a "
                           "linalg.generic, whose loops have an order");
  }
  bool keepsOrder =
      op.getIteratorTypesArray()[innermost] == utils::IteratorType::parallel ||
      reductions.back() == innermost;
  return keepsOrder
             ? success()
             : op->emitOpError("expected a parallel loop, or the last of the "
                               "reductions, as the innermost one, found loop ")
                   << innermost;
}

/// Checks the loop over elements that are moved one after the other.
static LogicalResult verifyUnrolled(linalg::LinalgOp op,
                                    KernelLoopsAttr loops) {
  // Each element is code.
  constexpr int64_t kMostUnrolled = 64;
  int64_t unrolled = loops.getUnrolled(), innermost = loops.getInnermost();
  std::optional<Transposition> transposition = Transposition::get(op);
  if (!transposition) {
    return op->emitOpError("expected no unrolled loop: it is of copies of a "
                           "buffer with another innermost dimension");
  }
  auto [source, result] = *transposition;
  if ((unrolled != source || innermost != result) &&
      (unrolled != result || innermost != source)) {
    return op->emitOpError("expected loops ")
           << source << " and " << result
           << " to be unrolled and innermost, as elements lie side by side "
              "along them, found "
           << unrolled << " and " << innermost;
  }
  int64_t size = op.getStaticLoopRanges()[unrolled];
  if (ShapedType::isDynamic(size) || size > kMostUnrolled) {
    return op->emitOpError("expected a static size of at most ")
           << kMostUnrolled << " of the unrolled loop, found "
           << (ShapedType::isDynamic(size) ? std::string("a dynamic one")
                                           : std::to_string(size));
  }
  return success();
}

static LogicalResult verifyBlocks(linalg::LinalgOp op, int64_t edge) {
  SmallVector<unsigned> blocked;
  if (std::optional<Transposition> transposition = Transposition::get(op)) {
    blocked = {transposition->sourceLoop, transposition->resultLoop};
  } else if (std::optional<Repetition> repetition = Repetition::get(op)) {
    blocked = {repetition->sourceLoop};
    int64_t copies = op.getStaticLoopRanges()[repetition->copyLoop];
    if (copies > Repetition::kMostCopies) {
      return op->emitOpError("expected no blockEdge of more than ")
             << Repetition::kMostCopies << " copies of each element, found "
             << copies;
    }
  } else {
    return op->emitOpError("expected no blockEdge: it is of copies of a buffer "
                           "with another innermost dimension, or with each "
                           "element several times side by side");
  }
  constexpr unsigned kMostBits = 64;
  Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      element.getIntOrFloatBitWidth() > kMostBits) {
    return op->emitOpError("expected no blockEdge with elements that are not "
                           "whole bytes of a register, found ")
           << element;
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : blocked) {
    if (!ShapedType::isDynamic(sizes[loop]) && sizes[loop] < edge) {
      return op->emitOpError("expected a blockEdge of at most ")
             << sizes[loop] << ", the size of dimension " << loop << ", found "
             << edge;
    }
  }
  return success();
}

static LogicalResult verifyByteProduct(linalg::LinalgOp op,
                                       ByteProductAttr tile, ArchAttr arch) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  std::optional<ByteProduct> product =
      generic ? ByteProduct::get(generic) : std::nullopt;
  if (!product) {
    return op->emitOpError("expected no byteProduct: it sums no products of "
                           "rows by a matrix of bytes");
  }
  int64_t most = product->getMostPerLane(arch);
  if (tile.getPerLane() > most) {
    return op->emitOpError("expected perLane of at most ")
           << most << ", as " << arch.getName()
           << " multiplies such bytes, found " << tile.getPerLane();
  }
  // Four bytes of each lane fill as many parts of 16 bytes.
  if (tile.getByParts() && arch.getLanes() * tile.getPerLane() !=
                               ByteProduct::kParts * ByteProduct::kPartBytes) {
    return op->emitOpError("expected no byParts: registers of ")
           << arch.getName() << " do not have " << ByteProduct::kParts
           << " parts of " << ByteProduct::kPartBytes << " bytes";
  }
  return success();
}

LogicalResult VPU::verifyKernelLoops(linalg::LinalgOp op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  KernelStrategyAttr kernel = strategy ? strategy.getKernel() : nullptr;
  if (!kernel) {
    return success();
  }
  KernelLoopsAttr loops = kernel.getLoops();
  if (!loops) {
    return op->emitOpError("expected loops in the kernel of a structured op, "
                           "found ")
           << kernel;
  }
  if (!op.hasPureBufferSemantics()) {
    return op->emitOpError("expected no kernel: it is chosen on buffers");
  }
  if (loops.getJoinStored()) {
    return op->emitOpError("expected no joinStored: collapse-loops joins rows "
                           "before other loops are decided about");
  }
  int64_t numLoops = op.getNumLoops();
  for (int64_t loop : {loops.getInnermost(), loops.getUnrolled()}) {
    if (loop >= numLoops) {
      return op->emitOpError("expected loops from 0 to ")
             << numLoops - 1 << ", found " << loop;
    }
  }
  if (loops.getUnrolled() != KernelLoopsAttr::kNone) {
    return verifyUnrolled(op, loops);
  }
  if (loops.getInnermost() != KernelLoopsAttr::kNone) {
    return verifyInnermost(op, loops.getInnermost());
  }
  if (loops.getBlockEdge() != 0) {
    return verifyBlocks(op, loops.getBlockEdge());
  }
  return loops.getByteProduct()
             ? verifyByteProduct(op, loops.getByteProduct(), arch)
             : success();
}
