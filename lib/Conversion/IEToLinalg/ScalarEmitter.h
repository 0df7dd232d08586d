//===- ScalarEmitter.h - Scalar code of elementwise kernels -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds arith and math ops on one element without the caller telling floats,
// signed and unsigned integers apart, and the conversion pattern that turns
// such a scalar computation into an elementwise linalg.generic.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_SCALAREMITTER_H
#define NACRE_LIB_CONVERSION_IETOLINALG_SCALAREMITTER_H

#include "Common.h"

namespace nacre {

/// Emits scalar ops. Integers are signless here, so whether they are unsigned
/// is the emitter's state.
class ScalarEmitter {
public:
  ScalarEmitter(mlir::OpBuilder &builder, mlir::Location loc, bool isUnsigned)
      : builder(builder), loc(loc), unsignedInts(isUnsigned) {}

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }
  bool isUnsigned() const { return unsignedInts; }

  template <typename OpT, typename... Args>
  mlir::Value create(Args &&...args) const {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  /// `value` in the type of `like`.
  mlir::Value constant(mlir::Value like, double value) const {
    return buildScalar(builder, loc, like.getType(), value);
  }

  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  /// Integers: towards zero, 0 for a zero divisor, wrapping on overflow.
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  /// The remainder with the sign of `a`; 0 for a zero integer divisor.
  mlir::Value rem(mlir::Value a, mlir::Value b) const;
  /// NaN in either operand is the result.
  mlir::Value max(mlir::Value a, mlir::Value b) const;
  mlir::Value min(mlir::Value a, mlir::Value b) const;
  mlir::Value neg(mlir::Value a) const;

  /// Comparisons; false when either operand is NaN.
  mlir::Value equal(mlir::Value a, mlir::Value b) const;
  mlir::Value less(mlir::Value a, mlir::Value b) const;
  mlir::Value lessOrEqual(mlir::Value a, mlir::Value b) const;

  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;

  /// IE.Cast from elements of this emitter's signedness to `type` (signless).
  mlir::Value convert(mlir::Value value, mlir::Type type,
                      bool isTargetUnsigned) const;

private:
  /// A divisor that is safe to divide by, in place of 0 and of -1.
  mlir::Value buildSafeDivisor(mlir::Value b) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool unsignedInts;
};

/// Lowers an op whose operands broadcast to its only result:
/// `emit(OpT, const ScalarEmitter &, ValueRange)` computes one element.
/// Half-precision elements arrive as f32 and are rounded once, at the end.
template <typename OpT, auto emit>
struct ElementwiseToLinalg final : mlir::OpConversionPattern<OpT> {
  using mlir::OpConversionPattern<OpT>::OpConversionPattern;

  mlir::LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    const mlir::TypeConverter &converter = *this->getTypeConverter();
    mlir::RankedTensorType type = getRankedType(converter, op->getResult(0));
    bool isUnsigned = isUnsignedElement(op->getOperand(0));
    auto body = [&](mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::ValueRange args) -> mlir::Value {
      ScalarEmitter emitter(builder, loc, isUnsigned);
      llvm::SmallVector<mlir::Value> widened;
      for (mlir::Value arg : args) {
        widened.push_back(widenHalf(builder, loc, arg));
      }
      return narrowHalf(builder, loc, emit(op, emitter, widened),
                        type.getElementType());
    };
    rewriter.replaceOp(op, buildElementwise(rewriter, op.getLoc(), type,
                                            getResultSize(rewriter, op),
                                            adaptor.getOperands(), body));
    return mlir::success();
  }
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_SCALAREMITTER_H
