//===- BufferedWeights.h - Weights ready to be multiplied -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where many register tiles are multiplied by the same weights, these are made
// what they are multiplied as once, f32 of 16 bits or packs of rows of bytes,
// rather than each time that they are loaded.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_BUFFEREDWEIGHTS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_BUFFEREDWEIGHTS_H

#include "StackBuffer.h"

namespace nacre {

/// Vectors of weights on the stack, for each step of a reduction: what
/// `bufferWeights` of a register tile asks for.
class BufferedWeights {
public:
  /// Room for so many of a type.
  BufferedWeights(KernelBuilder &kernel, llvm::ArrayRef<int64_t> extents,
                  int64_t vectors, mlir::VectorType type);

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
  Lanes getLanes() const;

  KernelBuilder *kernel;
  StackBuffer buffer;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_BUFFEREDWEIGHTS_H
