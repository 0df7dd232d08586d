//===- Precision.h - Ops and floats of 16 bits ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what ops say of their use of floats, and how a conversion is marked
// that a model does not ask for.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_PRECISION_H
#define NACRE_DIALECT_IE_IR_PRECISION_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace nacre::IE {

/// How an op uses the elements of operands that are floats.
enum class FloatUse {
  Computes,   ///< those of results from them
  Moves,      ///< some of them, or several times, are those of results
  Rearranges, ///< each of them is one of a result
  Reads,      ///< for results of another type
};

/// True for f16 and bf16.
inline bool isFloatOf16Bits(mlir::Type element) {
  return element.isF16() || element.isBF16();
}

/// Marks ops whose use of floats is the same in all forms.
template <typename ConcreteOp>
class UsesFloats : public mlir::OpTrait::TraitBase<ConcreteOp, UsesFloats> {};

} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/PrecisionInterface.h.inc"

#endif // NACRE_DIALECT_IE_IR_PRECISION_H
