//===- TilingUtils.h - What the tiling passes share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static tile sizes and the working sets they need.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_TILINGUTILS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_TILINGUTILS_H

#include "nacre/Dialect/VPU/Cost/CostModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

namespace nacre::VPU {

/// The shape of an NCE op's destination.
llvm::ArrayRef<int64_t> getDestinationShape(NCEOpInterface op);

/// True when `op` reads for a part, along any dimension, only what lies between
/// what the part's first and last elements read, as linalg takes for granted.
bool readsForwards(mlir::linalg::LinalgOp op);

/// The tile sizes of an extent that leave no remainder and are multiples of
/// `step` (or the whole extent), largest first.
llvm::SmallVector<int64_t> getEvenTileSizes(int64_t extent, int64_t step);

/// Elements of an operand that computing a tile of the destination needs;
/// nothing when the op cannot be tiled so.
std::optional<int64_t> getOperandElements(NCEOpInterface op,
                                          mlir::OpOperand &operand,
                                          llvm::ArrayRef<int64_t> tile);

/// Bytes of all operands of `op` that computing a tile of its destination
/// needs; nothing when the op cannot be tiled so.
std::optional<int64_t> getWorkingSet(NCEOpInterface op,
                                     llvm::ArrayRef<int64_t> tile);

/// What is computed in the tiles of an op besides the copies that pad or unpack
/// its operands.
struct FusedOps {
  /// Computes an operand; fused with its own copies.
  NCEOpInterface producer = {};
  /// Takes the op's result to the model's order. Tiles have all channels then.
  CopyOp unblocking = {};
};

/// The neighbours that a strategy of `op` has in its loops.
FusedOps getFusedOps(NCEOpInterface op, StrategyAttr strategy);

/// The number of parts of what has so many `points`, computed at run time: at
/// most one for each cluster, each of at least `grain` points.
mlir::OpFoldResult buildNumParts(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value points, int64_t clusters,
                                 int64_t grain);

/// Replaces `op` by loops over tiles, with the copies that pad or unpack its
/// operands fused into them. `tile` has the size of the tile per dimension; a
/// dimension taken whole gets no loop. Returns the op on a tile.
mlir::FailureOr<NCEOpInterface> tileAndFuse(mlir::RewriterBase &rewriter,
                                            NCEOpInterface op,
                                            llvm::ArrayRef<int64_t> tile,
                                            mlir::scf::SCFTilingOptions options,
                                            FusedOps others = {});

/// The same for loops that `options` describe.
mlir::FailureOr<NCEOpInterface> tileAndFuse(mlir::RewriterBase &rewriter,
                                            NCEOpInterface op,
                                            mlir::scf::SCFTilingOptions options,
                                            FusedOps others = {});

/// The depthwise convolution whose result a 1×1 convolution, `op`, alone reads,
/// so that some rows of the one need just these rows of the other; null when
/// there is none. Fused, it leaves its result in the cache of the core that
/// reads it.
NCEOpInterface getRowProducer(NCEOpInterface op);

/// The cycles of `op` with all that its loops compute, too: `others`, and the
/// copies that they read.
double getCyclesOfLoops(NCEOpInterface op, FusedOps others,
                        const CostModel &model);

/// How an op of dynamic sizes is split.
struct RunTimeSplit {
  /// The loops to split: one, or two, the first of dynamic extent. The
  /// second is split where the first has fewer iterations than there are parts.
  llvm::SmallVector<unsigned> dims;
  int64_t clusters; // the most parts
  int64_t grain;    // points of the loops of unknown extent that pay for a part
  /// Unless it is zero, the second loop alone is split where its parts have
  /// equally many iterations each, or so many on average.
  int64_t fewSteps = 0;
};

/// The grain of an op with so many loops of unknown extent, which takes
/// `cycles` where each of these is kTypicalSize, if `minCycles` pay for a part.
int64_t getGrain(int64_t openLoops, double cycles, int64_t minCycles);

/// Replaces `op` by loops over tiles that `options` describe.
mlir::LogicalResult replaceByTiles(mlir::RewriterBase &rewriter,
                                   mlir::TilingInterface op,
                                   const mlir::scf::SCFTilingOptions &options);

/// Replaces `op` by one part for each cluster along the loops of `split`; fewer
/// where there turns out to be little to do. Parts may be empty. An op with a
/// loop that is known to have no steps stays as it is.
mlir::LogicalResult splitAtRunTime(mlir::RewriterBase &rewriter,
                                   mlir::TilingInterface op,
                                   const RunTimeSplit &split);

/// The same with the copies that pad or unpack its operands, and `others`.
mlir::LogicalResult splitAtRunTimeAndFuse(mlir::RewriterBase &rewriter,
                                          NCEOpInterface op,
                                          const RunTimeSplit &split,
                                          FusedOps others = {});

/// True for a copy whose strategy says that it is not needed.
bool isPaddedInPlace(mlir::Operation *op);

/// The copy that produces this operand for this op alone and can be part of a
/// tile loop; null when there is none.
CopyOp getFusableCopy(mlir::Value value);

/// The copy that takes the result of `op` to the model's order for all that
/// reads it, so that the copy can be part of loops over rows of `op`; null when
/// there is none.
CopyOp getUnblocking(NCEOpInterface op);

/// Has `op` write its result, an image of these sizes, into `buffer`, inside a
/// border that is filled as a copy with these pads would. Returns the padded
/// image, and leaves the insertion point behind it.
mlir::Value computeInBorder(mlir::RewriterBase &rewriter,
                            mlir::DestinationStyleOpInterface op,
                            mlir::Value buffer,
                            llvm::ArrayRef<mlir::OpFoldResult> sizes,
                            llvm::ArrayRef<int64_t> pads,
                            const llvm::APFloat &padValue);

/// Checks that all operands of each op of the engine fit a scratchpad, and are
/// in it.
mlir::LogicalResult verifyCMX(mlir::Operation *module, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_TILINGUTILS_H
