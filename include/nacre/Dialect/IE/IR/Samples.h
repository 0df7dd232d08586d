//===- Samples.h - Ops and samples of a batch -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what ops say of batches of dynamic size, and the conditions that
// they say it with: of samples along the first dimension, for loops over
// samples; and of samples along any one.
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

/// Where a tensor has the samples of a batch: sample i is what has the indices
/// from i * size to (i + 1) * size in dimension `dim`, which has no others.
struct SamplePlace {
  int64_t dim = 0;
  int64_t size = 1;

  bool operator==(const SamplePlace &other) const {
    return dim == other.dim && size == other.size;
  }
};

/// Nothing of a value that is the same for all samples.
using MaybeSamples = std::optional<SamplePlace>;
using SamplesOfResults = llvm::FailureOr<llvm::SmallVector<MaybeSamples>>;

/// All results have their samples where the first operand, the only one with
/// samples, has them.
SamplesOfResults followFirst(mlir::Operation *op,
                             llvm::ArrayRef<MaybeSamples> operands);

/// The same, in another dimension than those of `axes`, counted from either
/// end.
SamplesOfResults
followBeside(mlir::Operation *op, llvm::ArrayRef<MaybeSamples> operands,
             const std::optional<llvm::SmallVector<int64_t>> &axes);
SamplesOfResults followBeside(mlir::Operation *op,
                              llvm::ArrayRef<MaybeSamples> operands,
                              int64_t axis);

/// Those of a reduction along `axes`, which keeps them as 1 or drops them.
SamplesOfResults
followReduction(mlir::Operation *op, llvm::ArrayRef<MaybeSamples> operands,
                const std::optional<llvm::SmallVector<int64_t>> &axes,
                bool keepDims);

/// Those of elements that are computed each for itself, of operands that
/// broadcast.
SamplesOfResults followBroadcast(mlir::Operation *op,
                                 llvm::ArrayRef<MaybeSamples> operands);

/// Those of the first operand's elements in their order, under another shape.
SamplesOfResults followElements(mlir::Operation *op,
                                llvm::ArrayRef<MaybeSamples> operands);

/// True if `value` broadcasts along a dimension, counted from the last, 1, on.
bool isBroadcastAlong(mlir::Value value, int64_t fromLast);

/// Marks ops that implement SamplesOpInterface by a condition.
template <typename ConcreteOp>
class ComputesSamples
    : public mlir::OpTrait::TraitBase<ConcreteOp, ComputesSamples> {};

/// Marks ops that implement SamplePlacesOpInterface by an expression.
template <typename ConcreteOp>
class FollowsSamples
    : public mlir::OpTrait::TraitBase<ConcreteOp, FollowsSamples> {};

} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/SamplesInterface.h.inc"

#endif // NACRE_DIALECT_IE_IR_SAMPLES_H
