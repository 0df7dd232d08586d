//===- CostModel.h - What operations take -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one estimate of time: passes that split, fuse or choose an algorithm ask
// it, and `nacre bench --profile` shows it beside what was measured.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_COSTMODEL_H
#define NACRE_DIALECT_VPU_COST_COSTMODEL_H

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/IR/SymbolTable.h"

namespace nacre::VPU {

/// Bytes of all tensors or buffers that `op` uses, with kTypicalSize for
/// dynamic dimensions.
double getOperandBytes(mlir::Operation *op);

/// Estimates cycles of one cluster of an architecture, from the numbers of its
/// descriptor. Dynamic dimensions and trip counts are kTypicalSize.
class CostModel {
public:
  /// Cycles of Winograd's transforms of a tile, for each block of channels.
  struct WinogradTransforms {
    double input, output;
  };

  /// What a step of a model reads and writes.
  struct StepBytes {
    int64_t activations, weights;
    /// The weights of all steps, of which a run reads each.
    int64_t allWeights;
  };

  explicit CostModel(ArchAttr arch) : arch(arch) {}

  /// Bytes that a cluster moves between registers and its caches in a cycle.
  double getCacheBytesPerCycle() const;
  /// Bytes that a cluster gets from main memory in a cycle.
  double getMemoryBytesPerCycle() const;
  /// How far ahead of its reader memory has to be asked for, in whole lines: as
  /// much as arrives while a cluster waits for one.
  int64_t getPrefetchBytes() const;
  /// The most bytes of an operand that each cluster asks for in whole before it
  /// computes its part: what is read beside it needs the cache, too.
  int64_t getSharedOperandBytes() const;

  /// The least cycles of a part that pay for starting it: `partCycles`, or
  /// fewer where threads that share what the op reads are awake.
  double getLeastPart(int64_t partCycles, bool areAwake) const;
  /// The clusters for which `cycles` are enough to give each such a part: all,
  /// some, or one.
  int64_t countClusters(double cycles, int64_t partCycles, bool areAwake) const;

  /// What an op of the engine multiplies, transforms and moves.
  double getEngineCycles(NCEOpInterface op) const;
  /// What a copy or a software kernel moves or computes.
  double getSoftwareCycles(mlir::Operation *op) const;
  /// Either; none for what is not computed, such as a reshape.
  double getCycles(mlir::Operation *op) const;

  /// All that is below `root`: loops as often as they run, those that clusters
  /// share as often as the busiest of them does, and functions that are called.
  double getCyclesBelow(mlir::Operation *root,
                        mlir::SymbolTableCollection &symbols) const;

  /// The same for a step of a model, which may wait for its data. These are
  /// counted as a whole: kernels only show tiles of them.
  double getStepCycles(mlir::Operation *step,
                       mlir::SymbolTableCollection &symbols,
                       const StepBytes &bytes) const;

  WinogradTransforms getWinogradTransforms(int64_t tileSize) const;

private:
  ArchAttr arch;
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_COSTMODEL_H
