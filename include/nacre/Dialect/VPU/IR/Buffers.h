//===- Buffers.h - How elements of buffers lie ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the memory behind an operand, on which kernels depend.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_BUFFERS_H
#define NACRE_DIALECT_VPU_IR_BUFFERS_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Bytes from an element to the next one along a dimension; 0 where the stride
/// is dynamic.
int64_t getStrideBytes(mlir::Value memref, unsigned dim);

/// True when dimensions [first, last] of a memref are contiguous with each
/// other.
bool isContiguous(mlir::Value memref, unsigned first, unsigned last);

/// Whether the rows of an image are one long row.
enum class RowMerging {
  none,
  always,
  atRunTime // in runs in which they follow each other
};

/// That of the images of a convolution, which has to be pointwise.
RowMerging getRowMerging(NCEConvolutionOp op);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_BUFFERS_H
