//===- Decomposition.h - When composite ops are taken apart -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops and architectures say to ie-decompose.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_DECOMPOSITION_H
#define NACRE_DIALECT_IE_IR_DECOMPOSITION_H

#include "mlir/IR/OpDefinition.h"

namespace nacre::IE {

/// Marks composite ops that passes on the graph, and who reads it, want whole.
/// ie-decompose takes them apart when the architecture is known, not before.
template <typename ConcreteOp>
class WholeInGraph : public mlir::OpTrait::TraitBase<ConcreteOp, WholeInGraph> {
};

/// What is wrong with names for `nacre.keep`; empty where nothing is.
std::string explainWrongKeep(mlir::MLIRContext *context,
                             llvm::ArrayRef<std::string> names);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_DECOMPOSITION_H
