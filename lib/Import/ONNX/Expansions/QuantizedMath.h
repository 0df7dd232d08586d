//===- QuantizedMath.h - Arithmetic on quantized tensors --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the expansions of ONNX Runtime's quantized operators share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_QUANTIZEDMATH_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_QUANTIZEDMATH_H

#include "Expander.h"

namespace nacre::onnx_import {

/// A parameter of one element as a scalar, which broadcasts to everything.
mlir::Value asScalarIfSingle(Expander &e, mlir::Value parameter);

/// The product of two quantized matrices without their zero points, either of
/// which may be null, in 32 bits.
mlir::Value buildIntegerProduct(Expander &e, mlir::Value lhs, mlir::Value rhs,
                                mlir::Value lhsZero, mlir::Value rhsZero);

/// By single scales and zero points; a null zero point is 0. What is quantized
/// then has the type `element`.
mlir::Value dequantize(Expander &e, mlir::Value value, mlir::Value scale,
                       mlir::Value zeroPoint);
mlir::Value quantize(Expander &e, mlir::Value value, mlir::Value scale,
                     mlir::Value zeroPoint, mlir::Type element);

/// Integers of `bits` that are packed into the bytes of the last dimension, the
/// low bits first, each in a byte.
mlir::Value unpackBits(Expander &e, mlir::Value packed, int64_t bits);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_QUANTIZEDMATH_H
