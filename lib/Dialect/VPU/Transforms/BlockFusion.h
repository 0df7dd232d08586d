//===- BlockFusion.h - Channels computed as they are needed -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 1×1 convolution that widens an image for a depthwise one computes a few
// blocks of channels right before these are read.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_BLOCKFUSION_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_BLOCKFUSION_H

#include "TilingUtils.h"

namespace nacre::VPU {

/// The 1×1 convolution whose result a depthwise convolution, `op`, alone reads,
/// once a copy has padded it; null when there is none. A block of the one needs
/// just this block of the other, and rows around its own.
NCEConvolutionOp getBlockProducer(NCEOpInterface op);

/// How a depthwise convolution and its block producer are computed together.
struct BlockFusion {
  int64_t blocks; // of channels at a time
  int64_t rows;   // of the producer's result at a time
  int64_t bytes;  // of these, padded
  /// Rows that are computed, those that tiles have in common once for each of
  /// them, as a share of those that there are.
  double recomputed;
};

/// For a tile of `op`, whose block producer is `producer`.
BlockFusion getBlockFusion(NCEOpInterface op, NCEConvolutionOp producer,
                           llvm::ArrayRef<int64_t> tile);

/// Computes `producer` in a loop over so many blocks of `op` at a time, the
/// depthwise convolution of a tile or of a whole image, whose block producer
/// was `producer`.
mlir::LogicalResult fuseBlocks(mlir::RewriterBase &rewriter, NCEOpInterface op,
                               NCEConvolutionOp producer, int64_t blocks);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_BLOCKFUSION_H
