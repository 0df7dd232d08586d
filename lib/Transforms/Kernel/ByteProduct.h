//===- ByteProduct.h - Sums of products of bytes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured ops on buffers that multiply rows and a matrix of bytes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_BYTEPRODUCT_H
#define NACRE_LIB_TRANSFORMS_KERNEL_BYTEPRODUCT_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nacre {

/// sums[..., n] += scalar(..., k) * vector(..., k, n), where k is the loop of
/// the only reduction and n is the innermost loop. Both factors are computed
/// from bytes and constants by additions and subtractions, and fit 16 bits.
struct ByteProduct {
  /// The elements of a column that an instruction multiplies: bytes where one
  /// factor is an unsigned one and the other a signed one, or words.
  static constexpr int64_t kBytes = 4, kWords = 2;

  /// Nothing for other ops, and where vectors of the architecture have more
  /// columns than there are.
  static std::optional<ByteProduct> get(mlir::linalg::GenericOp op,
                                        VPU::ArchAttr arch);

  mlir::linalg::GenericOp op;
  unsigned sumLoop, columnLoop;
  /// Values of the body; the first is the same for all columns.
  mlir::Value scalar, vector;
  int64_t perLane; // kBytes or kWords

  /// True for values of the body, as opposed to those from outside.
  bool isOfBody(mlir::Value value) const;
  bool isArgument(mlir::Value value) const;
  /// Where an argument of the body is, by the indices of loops.
  mlir::AffineMap getMap(mlir::Value argument) const;
  /// True where `value` of the body depends on what operands have at different
  /// indices of a loop.
  bool dependsOn(mlir::Value value, unsigned loop) const;
};

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_BYTEPRODUCT_H
