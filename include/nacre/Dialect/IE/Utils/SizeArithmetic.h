//===- SizeArithmetic.h - Arithmetic on sizes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tensors are OpFoldResults: index attributes where they are known,
// else index values. Whoever compares two of them can only see that they are
// equal if they are the same value, so arithmetic folds what it can: factors
// that cancel, zeros and ones.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SIZEARITHMETIC_H
#define NACRE_DIALECT_IE_UTILS_SIZEARITHMETIC_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace nacre::IE {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// The product of `factors`.
mlir::OpFoldResult multiplySizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 llvm::ArrayRef<mlir::OpFoldResult> factors);

/// The product of `numerator` divided by that of `denominator`; factors of both
/// cancel.
mlir::OpFoldResult divideSizes(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::ArrayRef<mlir::OpFoldResult> numerator,
                               llvm::ArrayRef<mlir::OpFoldResult> denominator);

/// a / b rounded down or up, of numbers that are not negative and a `b` of 1 or
/// more.
mlir::OpFoldResult divideSizeDown(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::OpFoldResult a, mlir::OpFoldResult b);
mlir::OpFoldResult divideSizeUp(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OpFoldResult a, mlir::OpFoldResult b);

/// a + b, a - b.
mlir::OpFoldResult addSizes(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::OpFoldResult a, mlir::OpFoldResult b);
mlir::OpFoldResult subtractSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b);

/// The smaller and the larger of two signed numbers.
mlir::OpFoldResult minimizeSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b);
mlir::OpFoldResult maximizeSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b);

/// `yes` where a == b, or a < b, else `no`.
mlir::OpFoldResult selectIfEqual(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b,
                                 mlir::OpFoldResult yes, mlir::OpFoldResult no);
mlir::OpFoldResult selectIfLess(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OpFoldResult a, mlir::OpFoldResult b,
                                mlir::OpFoldResult yes, mlir::OpFoldResult no);

/// The quotient that makes the products of `a` and `b` equal only where they
/// are: both without the factors that they share.
std::pair<mlir::OpFoldResult, mlir::OpFoldResult>
cancelSizes(mlir::OpBuilder &builder, mlir::Location loc,
            llvm::ArrayRef<mlir::OpFoldResult> a,
            llvm::ArrayRef<mlir::OpFoldResult> b);

/// True when the products of `a` and `b` are equal whatever their sizes are.
bool haveSameProduct(llvm::ArrayRef<mlir::OpFoldResult> a,
                     llvm::ArrayRef<mlir::OpFoldResult> b);

/// True for what certainly is not negative, such as the size of a tensor.
bool isNonNegative(mlir::OpFoldResult number);

/// True where two sizes are equal if they broadcast to a common one: equal
/// ones, or one that is the other cut off at two or more, which would be
/// neither equal nor 1 if anything were cut off.
bool areSameIfBroadcast(mlir::OpFoldResult a, mlir::OpFoldResult b);

/// The constant that all values of `size` are a multiple of, as far as its
/// factors say.
int64_t getConstantFactor(mlir::OpFoldResult size);

/// The dimensions of a tensor type with `sizes`.
llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// `sizes` of which those that `type` knows are replaced by attributes.
Sizes refineSizes(mlir::Builder &builder, mlir::RankedTensorType type,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SIZEARITHMETIC_H
