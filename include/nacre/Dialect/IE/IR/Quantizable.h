//===- Quantizable.h - Ops on quantized values ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what ops say of the quantization of their operands and results.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_QUANTIZABLE_H
#define NACRE_DIALECT_IE_IR_QUANTIZABLE_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace nacre::IE {

/// How an op computes on integers that stand for floats.
enum class QuantizableKind {
  Linear,     ///< a product with weights, by which computing time is saved
  Arithmetic, ///< its result has a scale of its own
  Carries,    ///< its result holds elements of its first operand
};

/// The operands of a linear op.
struct LinearOperands {
  mlir::OpOperand *input;
  mlir::OpOperand *weights;
  mlir::OpOperand *bias; // null where there is none
  /// The dimension of the weights that is one of the result's channels.
  int64_t channelAxis;
  /// That of the input's channels, of which each of `groups` groups of result
  /// channels has its own.
  int64_t inputAxis;
  int64_t groups = 1;
};

/// The first three operands as those of a linear op; without a third one it has
/// no bias.
LinearOperands getOperandsOfLinear(mlir::Operation *op, int64_t channelAxis,
                                   int64_t inputAxis);

/// Marks ops that are computed on integers and have no weights.
template <typename ConcreteOp>
class UsesIntegers : public mlir::OpTrait::TraitBase<ConcreteOp, UsesIntegers> {
};

} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/QuantizableInterface.h.inc"

#endif // NACRE_DIALECT_IE_IR_QUANTIZABLE_H
