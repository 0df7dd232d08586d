//===- MathEmitter.h - Arithmetic of approximations -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds what the approximations of functions consist of.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_MATHEMITTER_H
#define NACRE_LIB_TRANSFORMS_KERNEL_MATHEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

namespace nacre {

/// Builds arithmetic on floats of one type, scalar or vector.
class MathEmitter {
public:
  MathEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  /// One for values of another element type, as many of them.
  MathEmitter as(mlir::Type elementType) const {
    return {builder, loc, clone(elementType)};
  }

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Type getType() const { return type; }

  template <typename Op, typename... Args>
  mlir::Value create(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  mlir::Value constant(double value) const {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return create<mlir::arith::ConstantOp>(
        mlir::isa<mlir::FloatType>(element)
            ? splat(builder.getFloatAttr(element, value))
            : splat(builder.getIntegerAttr(element,
                                           static_cast<int64_t>(value))));
  }

  mlir::Value add(mlir::Value a, mlir::Value b) const {
    return create<mlir::arith::AddFOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) const {
    return create<mlir::arith::SubFOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) const {
    return create<mlir::arith::MulFOp>(a, b);
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const {
    return create<mlir::math::FmaOp>(a, b, c);
  }

  mlir::Value div(mlir::Value a, mlir::Value b) const {
    return create<mlir::arith::DivFOp>(a, b);
  }
  mlir::Value abs(mlir::Value x) const { return create<mlir::math::AbsFOp>(x); }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    return create<mlir::arith::SelectOp>(condition, a, b);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) const {
    return create<mlir::arith::CmpFOp>(predicate, a, b);
  }

  /// A number to which others are added to be rounded: the lowest bits of the
  /// sum are those of the nearest whole number and the exponent's bias. So
  /// whole numbers become exponents without integers, whose constants would
  /// take registers.
  double getRounder() const {
    const llvm::fltSemantics &semantics = getSemantics();
    int bits = static_cast<int>(llvm::APFloat::semanticsPrecision(semantics));
    return std::ldexp(1.5, bits - 1) +
           llvm::APFloat::semanticsMaxExponent(semantics);
  }

  /// 2^n, of n and the rounder; 0 for the least n that it takes, one below the
  /// exponents of normal numbers.
  mlir::Value exp2(mlir::Value rounded) const {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    MathEmitter integers =
        as(builder.getIntegerType(element.getIntOrFloatBitWidth()));
    mlir::Value bits =
        create<mlir::arith::BitcastOp>(integers.getType(), rounded);
    mlir::Value shift = integers.constant(
        llvm::APFloat::semanticsPrecision(getSemantics()) - 1);
    return create<mlir::arith::BitcastOp>(
        type, create<mlir::arith::ShLIOp>(bits, shift));
  }

  /// x * 2^n of an f64 and a whole number, in two factors: 2^n alone can be
  /// more than the largest number, or subnormal.
  mlir::Value scale(mlir::Value x, mlir::Value n) const {
    mlir::Value rounder = constant(getRounder());
    mlir::Value first = fma(n, constant(0.5), rounder);
    mlir::Value second = add(sub(n, sub(first, rounder)), rounder);
    return mul(mul(x, exp2(first)), exp2(second));
  }

  /// `x`, or `bound` where that is less; a NaN stays one. One instruction.
  mlir::Value atMost(mlir::Value x, double bound) const {
    return limit(mlir::arith::CmpFPredicate::OLT, x, bound);
  }
  mlir::Value atLeast(mlir::Value x, double bound) const {
    return limit(mlir::arith::CmpFPredicate::OGT, x, bound);
  }

  /// The polynomial in x with these coefficients, highest power first.
  mlir::Value evaluate(llvm::ArrayRef<double> coefficients,
                       mlir::Value x) const {
    mlir::Value sum = constant(coefficients.front());
    for (double coefficient : coefficients.drop_front()) {
      sum = fma(sum, x, constant(coefficient));
    }
    return sum;
  }

private:
  const llvm::fltSemantics &getSemantics() const {
    return mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type))
        .getFloatSemantics();
  }
  mlir::Type clone(mlir::Type elementType) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    return shaped ? shaped.clone(elementType) : elementType;
  }
  mlir::TypedAttr splat(mlir::TypedAttr attr) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    return shaped ? mlir::DenseElementsAttr::get(shaped, attr) : attr;
  }
  mlir::Value limit(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                    double bound) const {
    mlir::Value limit = constant(bound);
    return create<mlir::arith::SelectOp>(
        create<mlir::arith::CmpFOp>(predicate, limit, x), limit, x);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_MATHEMITTER_H
