//===- WideWeights.h - Weights of 16 bits as f32 ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where many register tiles are multiplied by the same weights, these become
// f32 once, rather than each time that they are loaded.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEWEIGHTS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEWEIGHTS_H

#include "KernelBuilder.h"

namespace nacre {

/// How many rows of the last dimension of such weights lie in a line of the
/// cache, 1 where they take more.
int64_t getRowsOfLine(mlir::Value weights);

/// Vectors of weights on the stack, for each step of a reduction: what
/// `bufferWeights` of a register tile asks for.
class WideWeights {
public:
  /// Room for so many.
  WideWeights(KernelBuilder &kernel, llvm::ArrayRef<int64_t> extents,
              int64_t vectors);

  /// Stores what `load` gives for each vector and step.
  void fill(int64_t vectors,
            llvm::function_ref<mlir::Value(int64_t, mlir::ValueRange)> load);
  /// The same for weights of which each column is contiguous, a tile of columns
  /// and steps of the one reduction at a time: `load` gives so many steps of a
  /// vector's column.
  void fillTransposed(
      int64_t vectors,
      llvm::function_ref<mlir::Value(mlir::Value, int64_t, mlir::Value, Lanes)>
          load);
  /// A vector at a step.
  mlir::Value load(int64_t vector, mlir::ValueRange step) const;
  /// Asks for a share of the weights that come next to be in the second cache:
  /// the first is for those that are multiplied by. The parts of `total`, of
  /// which `done` and now `count` are multiplied, have a share each. `prefetch`
  /// asks for the line at a step; `stepsOfLine` lie in one.
  void prefetchShare(mlir::Value done, int64_t count, mlir::OpFoldResult total,
                     int64_t stepsOfLine,
                     llvm::function_ref<void(mlir::ValueRange)> prefetch) const;
  /// Gives the room back.
  void release();

private:
  KernelBuilder *kernel;
  mlir::Value stack, memref;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEWEIGHTS_H
