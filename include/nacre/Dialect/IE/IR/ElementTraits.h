//===- ElementTraits.h - How elements follow from elements ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traits of ops of IE whose results can take the place of operands. Upstream's
// Elementwise, which ops of one operand have, wants operands of equal shapes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ELEMENTTRAITS_H
#define NACRE_DIALECT_IE_IR_ELEMENTTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace nacre::IE {

/// Marks ops that compute each element of the result from one of each operand,
/// of operands that broadcast.
template <typename ConcreteOp>
class Broadcasts : public mlir::OpTrait::TraitBase<ConcreteOp, Broadcasts> {};

/// Marks ops whose result is the first operand's elements in their order.
template <typename ConcreteOp>
class KeepsElements
    : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsElements> {};

/// Marks ops for which f(x / s) = f(x) / s, for positive s.
template <typename ConcreteOp>
class Homogeneous : public mlir::OpTrait::TraitBase<ConcreteOp, Homogeneous> {};

/// Marks products, convolutions and poolings.
template <typename ConcreteOp>
class ForEngines : public mlir::OpTrait::TraitBase<ConcreteOp, ForEngines> {};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_ELEMENTTRAITS_H
