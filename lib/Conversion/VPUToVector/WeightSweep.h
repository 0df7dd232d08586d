//===- WeightSweep.h - Weights that are on their way ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `prefetchWeights` of a kernel strategy asks for. A run of vectors of
// channels is multiplied with one tile of pixels after the other, all by the
// same weights. Meanwhile the weights of the next run come from memory: the
// tiles sweep over them together, each step of each tile a little further.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WEIGHTSWEEP_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WEIGHTSWEEP_H

#include "KernelBuilder.h"

namespace nacre {

/// The weights of vectors that are one behind the other in memory.
struct WeightRun {
  mlir::Value weights;
  /// Where the first vector begins; the last index counts elements.
  llvm::SmallVector<mlir::Value> begin;
  /// Steps of the reduction, and elements that a vector has for each.
  int64_t steps, elements;
  int64_t vectors;
};

/// A tile of pixels, or of rows of a matrix, among all that sweep.
struct TilePlace {
  /// Pixels of tiles that come before it, and of all together.
  mlir::Value before, all;
  /// Its own.
  int64_t pixels;
};

/// What a tile asks for of the run that comes after its own: as large a share
/// as it has of all pixels.
class WeightSweep {
public:
  /// Where the number of all pixels is not known, each step asks for a line at
  /// most.
  WeightSweep(KernelBuilder &kernel, const WeightRun &next,
              const TilePlace &tile);

  /// Asks for what belongs to a step of the tile's reduction. The second cache
  /// gets it: the first one is for what is multiplied by now.
  void prefetch(mlir::Value step) const;

private:
  KernelBuilder *kernel;
  mlir::Value weights;
  /// The lines of the first step.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> lines;
  /// Elements from one step to the next.
  mlir::Value stride;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WEIGHTSWEEP_H
