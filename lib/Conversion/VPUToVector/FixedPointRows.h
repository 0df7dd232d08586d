//===- FixedPointRows.h - Rows as integers ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows that VPU.NCE.MatMulNBits multiplies, as integers: 24 bits of each
// element, as a share of the largest of its block, in three signed bytes. Half
// a unit is what f32 rounds that largest by.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_FIXEDPOINTROWS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_FIXEDPOINTROWS_H

#include "KernelBuilder.h"

namespace nacre {

/// Rows in the scratch memory of an op.
class FixedPointRows {
public:
  FixedPointRows(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel)
      : op(op), kernel(kernel), digits(static_cast<int64_t>(op.getRowParts())) {
  }

  /// Fills the scratch memory with `count` rows of a matrix, from `first` on.
  /// Below, rows are counted from that one.
  void fill(mlir::Value batch, mlir::Value first, mlir::OpFoldResult count);

  /// An element is the sum of its digits, each a byte times 256 to the power of
  /// its number, times the scale of its block.
  static constexpr int64_t kBase = 256;
  int64_t getNumDigits() const { return digits; }

  /// One digit of four elements in every lane: those that unpackBytes() gives
  /// the weights of.
  mlir::Value loadDigits(int64_t digit, mlir::Value row, mlir::Value block,
                         mlir::Value word, int64_t group);
  /// What sums of a block's digits start from, so that zero points are
  /// subtracted; these are integers, or null where they are half the range.
  mlir::Value loadStart(int64_t digit, mlir::Value row, mlir::Value block,
                        mlir::Value zeroPoint);
  /// The scale of a block in every lane.
  mlir::Value loadScale(mlir::Value row, mlir::Value block);

private:
  void fillBlock(mlir::Value batch, mlir::Value row, mlir::Value block);
  /// Stores the scale of a block and returns its inverse in the lanes of a
  /// word. It is finite where the scale is infinite.
  mlir::Value storeScale(mlir::Value batch, mlir::Value row, mlir::Value block);
  /// Stores a digit of a word's elements.
  void storeDigits(int64_t digit, mlir::Value row, mlir::Value block,
                   mlir::Value word, mlir::Value values);
  /// Calls `body` with the elements and the number of each word of a block,
  /// carrying `values`.
  llvm::SmallVector<mlir::Value>
  reduceWords(mlir::Value batch, mlir::Value row, mlir::Value block,
              mlir::ValueRange values,
              llvm::function_ref<llvm::SmallVector<mlir::Value>(
                  mlir::Value, mlir::Value, mlir::ValueRange)>
                  body);
  /// Where a block, four of its digits, and what is kept of it is.
  mlir::Value locateBlock(mlir::Value row, mlir::Value block);
  mlir::Value locateDigits(int64_t digit, mlir::Value row, mlir::Value block,
                           mlir::Value word, int64_t group);
  mlir::Value locateParameter(mlir::Value row, mlir::Value block,
                              int64_t number);
  mlir::Value broadcast(mlir::Value position, mlir::Type element);
  /// The largest number that an element becomes.
  int64_t getLargestNumber();
  /// `value` for each element of a word.
  mlir::Value splat(double value, mlir::Type element);
  mlir::Value constant(double value);

  VPU::NCEMatMulNBitsOp op;
  KernelBuilder &kernel;
  int64_t digits;    // of an element
  mlir::Value first; // of the rows in memory
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_FIXEDPOINTROWS_H
