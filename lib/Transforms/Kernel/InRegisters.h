//===- InRegisters.h - Structured ops by vectors in registers ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families of ops that vectorize-structured-ops rewrites.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H
#define NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/Operation.h"

namespace nacre {

/// How many transpositions were rewritten.
struct TranspositionCounts {
  size_t blocked, interleaved;
};

/// Rewrites transpositions of buffers in `root`: by square blocks of vectors,
/// or by few elements side by side.
TranspositionCounts transposeInRegisters(mlir::Operation *root,
                                         VPU::ArchAttr arch);

/// Rewrites sums of products of bytes where the architecture adds up several
/// products in one instruction. Returns how many.
size_t dotBytesInRegisters(mlir::Operation *root, VPU::ArchAttr arch);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H
