//===- KernelStrategies.h - What kernels are written by ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-vpu-to-vector writes kernels by #VPU.kernel_strategy, which a person
// may have written: it asks here whether it can. How a kernel cuts what it
// computes into parts with a register tile each, it asks here, too, as do those
// who choose and check these tiles.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H
#define NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Checks that an op whose code follows from a kernel strategy has one that its
/// kernel can be written by. An error names the op and says what was expected.
mlir::LogicalResult verifyKernelStrategy(mlir::Operation *op);

/// What a kernel computes floats in: f32, or f64 where the op has such.
mlir::Type getKernelFloats(mlir::Operation *op);

/// The vectors of channels that a convolution's kernel computes from the first
/// of a group, or of a block, on.
struct ChannelVectors {
  /// A block is a vector, and the next one is in the next block of the group.
  bool areBlocks;
  int64_t whole; // vectors
  int64_t rest;  // channels of a vector that is partly filled
};
ChannelVectors getChannelVectors(NCEConvolutionOp op, int64_t lanes);

/// True where a tile of so many pixels of a pool takes fewer steps if the
/// elements of each column are reduced first, once for all windows that have
/// it, and what is left of the columns of each window then. `window` and the
/// others are of rows and columns; of dynamic ones the window is empty.
bool reducesColumnsFirst(llvm::ArrayRef<int64_t> window,
                         llvm::ArrayRef<int64_t> strides,
                         llvm::ArrayRef<int64_t> dilations, int64_t pixels);

/// How many elements of one dimension of the input the windows of so many
/// neighbouring pixels meet, with those that they pass over.
inline int64_t countMet(int64_t pixels, int64_t stride, int64_t taps,
                        int64_t dilation) {
  return (pixels - 1) * stride + (taps - 1) * dilation + 1;
}

/// True where any number of rows is multiplied by weights of few bits that are
/// unpacked in registers.
bool unpacksForAnyRows(NCEMatMulNBitsOp op);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H
