//===- Builders.h - Ops that rewrites create --------------------*- C++ -*-===//
//
// Builders that the graph-level passes share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDERS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nacre::IE {

/// A constant vector of i64.
mlir::Value buildInts(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<int64_t> values);

/// A constant scalar of float or integer type.
mlir::Value buildScalar(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, double value);

/// IE.Reshape of `value` to a static shape.
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

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_BUILDERS_H
