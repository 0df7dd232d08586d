//===- LowBitMatrix.h - Matrices of integers of few bits --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model stores in 2, 4 or 8 bits and dequantizes before use, in the form
// of ONNX Runtime's operators that read it as it is.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_LOWBITMATRIX_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_LOWBITMATRIX_H

#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Interpreter/Tensor.h"

#include <optional>

namespace nacre::IE {

/// A constant matrix of integers, which may be seen transposed.
class LowBitMatrix {
public:
  /// What `op` dequantizes; nothing where that is no constant matrix of
  /// integers of 2, 4 or 8 bits.
  static std::optional<LowBitMatrix> get(DequantizeLinearOp op);

  LowBitMatrix getTransposed() const;
  int64_t getRows() const { return integers.getDim(isTransposed ? 1 : 0); }
  int64_t getColumns() const { return integers.getDim(isTransposed ? 0 : 1); }
  int64_t getBits() const { return bits; }
  /// The integers in a byte.
  int64_t getPerByte() const { return 8 / bits; }
  /// What makes the integers unsigned when it is added.
  int64_t getShift() const { return isSigned ? int64_t(1) << (bits - 1) : 0; }
  /// The rows as unsigned integers in bytes, the first in the lowest bits, in a
  /// tensor of `shape`, which has a whole number of bytes for each row. Zeroes
  /// fill a row.
  interpreter::Tensor pack(llvm::ArrayRef<int64_t> shape) const;

private:
  interpreter::Tensor integers;
  bool isTransposed = false;
  bool isSigned = false;
  int64_t bits = 0;
};

/// Integers of `bits` in the bytes of the last dimension of `packed`, which
/// LowBitMatrix::pack() made: each in a byte.
mlir::Value unpackIntegers(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value packed, int64_t bits);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_LOWBITMATRIX_H
