//===- Common.h - Helpers of the lowering to linalg -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders that the operator families of IEToLinalg share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_COMMON_H
#define NACRE_LIB_CONVERSION_IETOLINALG_COMMON_H

#include "Sizes.h"

#include "nacre/Conversion/IEToLinalg/IEToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

namespace nacre {

/// Builds the scalar computation of one element from operand elements.
using ScalarBuilder = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// An elementwise linalg.generic over `operands`, which broadcast to the shape
/// of `resultType` through their indexing maps. A single-element operand may be
/// of any rank. Whether a dimension of dynamic size broadcasts is decided at
/// run time.
mlir::Value buildElementwise(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::RankedTensorType resultType,
                             mlir::ValueRange operands, ScalarBuilder body);

/// The same for a result of which `sizes` are known already, to which the
/// operands broadcast.
mlir::Value buildElementwise(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::RankedTensorType resultType,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes,
                             mlir::ValueRange operands, ScalarBuilder body);

/// tensor.empty of `type`. Dynamic dimensions take their size from `sizes`, one
/// for each dimension, which a static type does not need.
mlir::Value buildEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::RankedTensorType type,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes = {});

/// A tensor of `type` and, where that is dynamic, `sizes`, filled with
/// `scalar`.
mlir::Value buildFilled(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type, mlir::Value scalar,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes = {});

/// `tensor` as `type`, which differs in what is known of the sizes.
mlir::Value buildCast(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor, mlir::RankedTensorType type);

/// A scalar constant of `type` (float or signless integer) from a double.
mlir::Value buildScalar(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, double value);

/// `value` as f32 when it is f16 or bf16, in which arithmetic would lose
/// precision; else `value`.
mlir::Value widenHalf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value);

/// The inverse of widenHalf: `value` rounded to `type` where that is f16 or
/// bf16 and `value` is not.
mlir::Value narrowHalf(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, mlir::Type type);

/// The converted type of an IE value; null when its rank is unknown or it is no
/// tensor.
mlir::RankedTensorType getRankedType(const mlir::TypeConverter &converter,
                                     mlir::Value value);

/// The converted, static type of an IE result; null when it is dynamic.
mlir::RankedTensorType getStaticType(const mlir::TypeConverter &converter,
                                     mlir::Value value);

/// True for elements that IE stores as unsigned (uiN and bool).
bool isUnsignedElement(mlir::Value ieValue);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_COMMON_H
