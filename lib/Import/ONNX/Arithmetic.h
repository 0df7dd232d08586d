//===- Arithmetic.h - Arithmetic on tensors of IE ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the IE ops of formulas, for operators that are imported as such.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_ARITHMETIC_H
#define NACRE_LIB_IMPORT_ONNX_ARITHMETIC_H

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/Utils/Builders.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace nacre::onnx_import {

class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value add(mlir::Value a, mlir::Value b) const {
    return IE::AddOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) const {
    return IE::SubOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) const {
    return IE::MulOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) const {
    return IE::DivOp::create(builder, loc, a, b);
  }
  mlir::Value pow(mlir::Value a, mlir::Value b) const {
    return IE::PowOp::create(builder, loc, a, b);
  }
  mlir::Value sqrt(mlir::Value a) const {
    return IE::SqrtOp::create(builder, loc, a);
  }
  mlir::Value neg(mlir::Value a) const {
    return IE::NegOp::create(builder, loc, a);
  }
  mlir::Value greater(mlir::Value a, mlir::Value b) const {
    return IE::GreaterOp::create(builder, loc, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    return IE::WhereOp::create(builder, loc, condition, a, b);
  }

  /// A scalar of the element type of `like`.
  mlir::Value number(double value, mlir::Value like) const {
    return IE::buildScalar(builder, loc, mlir::getElementTypeOrSelf(like),
                           value);
  }

  /// A constant vector.
  mlir::Value ints(llvm::ArrayRef<int64_t> values) const {
    return IE::buildInts(builder, loc, values);
  }

  /// `value` with the element type of `like`.
  mlir::Value castLike(mlir::Value value, mlir::Value like) const {
    return IE::castTo(builder, loc, value, mlir::getElementTypeOrSelf(like));
  }

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_ARITHMETIC_H
