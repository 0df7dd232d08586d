//===- TileRegisters.h - Registers of a matrix unit -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of x86's AMX on tiles that kernels number themselves. LLVM
// would number those of the `amx` dialect, but has one configuration of tiles
// for a function there, while one function here holds kernels of several
// shapes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_TILEREGISTERS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_TILEREGISTERS_H

#include "KernelBuilder.h"

namespace nacre {

/// A memref as bytes from a pointer, for instructions that read rows.
class RowPointer {
public:
  RowPointer(KernelBuilder &kernel, mlir::Value memref);

  /// The address of an element, an LLVM pointer. An index may be beyond its
  /// dimension where dimensions are contiguous.
  mlir::Value at(mlir::ValueRange indices);
  /// The bytes from one row of a tile to the next, as i64, where it takes
  /// `step` steps along a dimension.
  mlir::Value getStride(unsigned dim, int64_t step = 1);

private:
  /// `index` steps along a dimension, in bytes.
  mlir::Value scale(mlir::Value index, unsigned dim);

  KernelBuilder &kernel;
  int64_t elementBytes;
  mlir::Value base;
  llvm::SmallVector<mlir::OpFoldResult> strides;
};

/// An index as i64.
mlir::Value toI64(KernelBuilder &kernel, mlir::Value index);

/// The rows and the bytes of each that a tile register holds. Those of pixels
/// (or matrix rows) are of a number that may be dynamic.
struct TileShape {
  bool isOfPixels;
  int64_t rows; // of others
  int64_t rowBytes;
};

class TileRegisters {
public:
  explicit TileRegisters(KernelBuilder &kernel) : kernel(kernel) {}

  /// Says what the registers hold until release(). The stack has room for it.
  void configure(llvm::ArrayRef<TileShape> shapes, mlir::Value pixels);
  void release();

  void zero(int64_t tile);
  /// `stride` are the bytes from a row to the next, as i64.
  void load(int64_t tile, mlir::Value address, mlir::Value stride,
            bool passes = false);
  void store(int64_t tile, mlir::Value address, mlir::Value stride);
  /// sums += left * right, of bf16 or, where the left ones are unsigned, of
  /// 8-bit integers.
  void multiply(mlir::Type elementType, int64_t sums, int64_t left,
                int64_t right);

private:
  void call(llvm::StringRef name, mlir::ValueRange operands);
  /// The number of a tile register.
  mlir::Value number(int64_t tile);

  KernelBuilder &kernel;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_TILEREGISTERS_H
