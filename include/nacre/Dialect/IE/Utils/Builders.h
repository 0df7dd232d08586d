//===- Builders.h - Constants, casts and shapes as IE ops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer, the passes on IE and its conversions build alike.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_BUILDERS_H
#define NACRE_DIALECT_IE_UTILS_BUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nacre::IE {

/// A constant vector of i64.
mlir::Value buildInts(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<int64_t> values);

/// A constant scalar of a float or integer type.
mlir::Value buildScalar(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, double value);

/// IE.Reshape of `value` to `shape`, of which one size may be dynamic.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// A vector of channel parameters in a shape that broadcasts to tensors of
/// `rank` whose channels are dimension `dim`; a single one as a scalar.
mlir::Value reshapeChannels(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, int64_t rank, int64_t dim);

/// IE.Cast of `value` to an element type, unless it has that type.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Type elementType);

/// The same with f32.
mlir::Value castToF32(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value);

/// `value` with a new dimension `axis`.
mlir::Value unsqueeze(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, int64_t axis);

/// The sizes of dimensions [first, last) as a vector of i64.
mlir::Value shapeOf(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, int64_t first, int64_t last);

/// The size of a dimension as a scalar of i64.
mlir::Value sizeOf(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, int64_t dim);

/// `value` as `type`, which may know more or less of its sizes.
mlir::Value refineTo(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, mlir::Type type);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_BUILDERS_H
