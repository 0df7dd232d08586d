//===- ByteProduct.h - Sums of products of bytes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured ops on buffers that multiply rows and a matrix of bytes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_BYTEPRODUCT_H
#define NACRE_DIALECT_VPU_TRANSFORMS_BYTEPRODUCT_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nacre::VPU {

/// sums[..., n] += scalar(..., k) * vector(..., k, n), where k is the loop of
/// the only reduction and n is the innermost loop. Both factors are computed
/// from bytes and constants by additions and subtractions, and fit 16 bits.
struct ByteProduct {
  /// The bytes of a register that are interleaved with each other, as x86 does
  /// it fastest, and how many times they fill it.
  static constexpr int64_t kPartBytes = 16, kParts = 4;

  /// Nothing for other ops.
  static std::optional<ByteProduct> get(mlir::linalg::GenericOp op);

  mlir::linalg::GenericOp op;
  unsigned sumLoop, columnLoop;
  /// Values of the body; the first is the same for all columns.
  mlir::Value scalar, vector;

  /// The most elements of a column that an instruction of the architecture
  /// multiplies and adds up: bytes where one factor is an unsigned one and the
  /// other a signed one, or words; one where it has no such instruction.
  int64_t getMostPerLane(ArchAttr arch) const;
  /// The loops along which the matrix has other elements, and those along which
  /// the rows have, but the two above.
  llvm::SmallVector<unsigned> getMatrixLoops() const;
  llvm::SmallVector<unsigned> getRowLoops() const;

  /// True for values of the body, as opposed to those from outside.
  bool isOfBody(mlir::Value value) const;
  bool isArgument(mlir::Value value) const;
  /// Where an argument of the body is, by the indices of loops.
  mlir::AffineMap getMap(mlir::Value argument) const;
  /// True where `value` of the body depends on what operands have at different
  /// indices of a loop.
  bool dependsOn(mlir::Value value, unsigned loop) const;

private:
  llvm::SmallVector<unsigned> getOuterLoops(bool areOfMatrix) const;
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_BYTEPRODUCT_H
