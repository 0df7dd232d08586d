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

  /// Room for so many vectors. None where loading them as they are is as good:
  /// they are f32, tiles are few, or they are too many.
  static std::optional<WideWeights> reserve(KernelBuilder &kernel,
                                            mlir::Value weights,
                                            llvm::ArrayRef<int64_t> extents,
                                            int64_t vectors, int64_t tiles);

  /// Stores what `load` gives for each vector and step.
  void fill(int64_t vectors,
            llvm::function_ref<mlir::Value(int64_t, mlir::ValueRange)> load);
  /// A vector at a step.
  mlir::Value load(int64_t vector, mlir::ValueRange step) const;
  /// Gives the room back.
  void release();

private:
  WideWeights(KernelBuilder &kernel, llvm::ArrayRef<int64_t> extents,
              int64_t vectors);

  KernelBuilder *kernel;
  mlir::Value stack, memref;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEWEIGHTS_H
