//===- IEDialect.h - The IE dialect -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE dialect and what every operator family's
// generated header needs. Include the family header (Pooling.h …) for its ops,
// IE.h for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_IEDIALECT_H
#define NACRE_DIALECT_IE_IR_IEDIALECT_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/IR/Samples.h"
#include "nacre/Dialect/IE/Utils/SizeBuilder.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace nacre::IE {
/// True when each actual type may stand where inference gave the inferred one:
/// same element type, and per dimension equal or dynamic on either side.
bool areCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

/// The sizes of the results of an op with SizesOpInterface in terms of its
/// operands, as upstream's ReifyRankedShapedTypeOpInterface wants them.
llvm::LogicalResult reifySizes(mlir::Operation *op, mlir::OpBuilder &builder,
                               mlir::ReifiedRankedShapedTypeDims &results);

/// The sizes that all operands broadcast to.
Sizes buildBroadcastSizes(SizeBuilder &sizes, mlir::ValueRange operands);

/// Marks ops that reify sizes by SizesOpInterface.
template <typename ConcreteOp>
class ReifiesSizes : public mlir::OpTrait::TraitBase<ConcreteOp, ReifiesSizes> {
};
} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/SizesInterface.h.inc"

#include "nacre/Dialect/IE/IR/IEBaseDialect.h.inc"

// Any family's tensors may hold strings.
#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/IE/IR/StringTypes.h.inc"

#endif // NACRE_DIALECT_IE_IR_IEDIALECT_H
