//===- Samples.h - Ops and samples of a batch -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what ops say of batches of dynamic size, and the
// conditions that they say it with.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SAMPLES_H
#define NACRE_DIALECT_IE_IR_SAMPLES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace nacre::IE {

/// The type if its first dimension is dynamic and no other; else null.
mlir::RankedTensorType getBatchType(mlir::Type type);

/// True if the first operand alone is a batch.
bool isOnlyFirstBatched(mlir::Operation *op);

/// True if operands that broadcast are batches, or the same for all samples.
bool broadcastsOverBatch(mlir::Operation *op);

/// True for an axis of `value`, counted from either end, that is not the first.
bool isInnerAxis(int64_t axis, mlir::Value value);

/// True for one operand and one result whose samples have as many elements.
bool keepsSamples(mlir::Operation *op);

/// True if a reduction of `input` along known axes leaves samples apart.
bool reducesSamples(mlir::Value input,
                    std::optional<llvm::ArrayRef<int64_t>> axes);

/// Marks ops that implement SamplesOpInterface by a condition.
template <typename ConcreteOp>
class ComputesSamples
    : public mlir::OpTrait::TraitBase<ConcreteOp, ComputesSamples> {};

} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/SamplesInterface.h.inc"

#endif // NACRE_DIALECT_IE_IR_SAMPLES_H
