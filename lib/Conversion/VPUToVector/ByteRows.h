//===- ByteRows.h - Rows of a matrix of bytes, packed -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine that multiplies and adds p bytes at once for each lane takes p rows
// of a column next to each other. What has them row by row is packed in
// registers: p rows of a vector's bytes are as many vectors of packs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEROWS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEROWS_H

#include "KernelBuilder.h"

namespace nacre {

class ByteRows {
public:
  /// The right operand of `op`, packed for the kernel's machine.
  ByteRows(KernelBuilder &kernel, VPU::NCEMatMulOp op);

  /// The rows of a pack, which is as many vectors.
  int64_t getPack() const { return pack; }
  /// Steps of the reduction.
  int64_t getSteps() const { return steps; }
  /// The columns of a row that are packed at a time.
  int64_t getWidth() const { return pack * kernel->machine.lanes; }
  /// A vector of packs.
  mlir::VectorType getPacksType() const;

  /// Vectors of packs for the columns from `column` on, of which so many are
  /// there. Instructions pack the 16 bytes of each part of a vector for
  /// themselves, so that the lanes of all vectors are columns in an order that
  /// putInOrder() knows.
  llvm::SmallVector<mlir::Value> load(mlir::Value batch, mlir::Value step,
                                      mlir::Value column, Lanes valid) const;
  /// Sums in the lanes of such vectors as vectors of successive columns.
  llvm::SmallVector<mlir::Value>
  putInOrder(llvm::ArrayRef<mlir::Value> sums) const;

private:
  mlir::Value loadRow(mlir::Value batch, mlir::Value row, mlir::Value column,
                      Lanes valid) const;
  llvm::SmallVector<mlir::Value>
  interleave(llvm::ArrayRef<mlir::Value> rows) const;
  /// The bytes of a part of a vector.
  int64_t getPartBytes() const;

  KernelBuilder *kernel;
  mlir::Value matrix;
  int64_t pack, steps;
  bool isUnsigned;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEROWS_H
