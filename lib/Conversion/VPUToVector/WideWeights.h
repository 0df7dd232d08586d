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

/// Vectors of weights on the stack, for each step of a reduction.
class WideWeights {
public:
  /// How many of `vectors` vectors of `weights` a register tile had better
  /// have, of which there are `tiles`: as many as there is room for at each
  /// step of a reduction of these extents, if they are to become f32 at all.
  static int64_t limitVectors(KernelBuilder &kernel, mlir::Value weights,
                              llvm::ArrayRef<int64_t> extents, int64_t vectors,
                              int64_t tiles);

  /// True where so many vectors are better f32. Loading them as they are is as
  /// good where tiles are few; and there may be no room.
  static bool areWorthwhile(KernelBuilder &kernel, mlir::Value weights,
                            llvm::ArrayRef<int64_t> extents, int64_t vectors,
                            int64_t tiles);
  /// As many tiles extend as often as storing and loading again takes.
  static constexpr int64_t kFewTiles = 2;

  /// How many vectors there is room for.
  static int64_t countFitting(KernelBuilder &kernel,
                              llvm::ArrayRef<int64_t> extents);

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
  /// Gives the room back.
  void release();

private:
  KernelBuilder *kernel;
  mlir::Value stack, memref;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEWEIGHTS_H
