//===- ReductionSets.h - Reductions that become one op ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is too large for a cache is read from memory by each kernel that reduces
// it. Kernels with the same loops over the same operands can be one with the
// results of all.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_REDUCTIONSETS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_REDUCTIONSETS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre::VPU {

/// True for a structured op on tensors, outside of loops, that reduces
/// operands.
bool isTensorReduction(mlir::Operation *op);

/// Says in a few words in what `second` reads otherwise than `first`; nothing
/// where both read the same elements in the same order.
llvm::StringRef explainOtherReading(mlir::linalg::GenericOp first,
                                    mlir::linalg::GenericOp second);

/// Sets of reductions of a block. Each op of a set takes the place of the first
/// of them, what it needs with it.
class ReductionSets {
public:
  using Set = llvm::SmallVector<mlir::linalg::GenericOp>;

  /// The sets that strategies name, in the order of their first ops.
  static ReductionSets get(mlir::Block &block);

  /// True where `op` can be part of set `number`: as if each set was one op,
  /// it needs no op of this one, and none of them needs it.
  bool canJoin(mlir::linalg::GenericOp op, size_t number) const;

  /// By which ops `op` needs another one of set `number`, as if each other set
  /// was one op: of each set in between the op that is needed, and the one that
  /// needs others; then the op of this set. None where it needs no such op.
  llvm::SmallVector<mlir::Operation *> findNeed(mlir::Operation *op,
                                                size_t number) const;

  /// Adds an op to a set, or begins another one.
  void add(mlir::linalg::GenericOp op, size_t number) {
    sets[number].push_back(op);
    numbers[op] = number;
  }
  void begin(mlir::linalg::GenericOp op) {
    numbers[op] = sets.size();
    sets.push_back({op});
  }

  llvm::ArrayRef<Set> getSets() const { return sets; }

private:
  /// The same for any op that is wanted. Set `own` is no one op.
  llvm::SmallVector<mlir::Operation *>
  findNeed(mlir::Operation *op, size_t own,
           llvm::function_ref<bool(mlir::Operation *)> isWanted) const;

  llvm::SmallVector<Set, 0> sets;
  llvm::DenseMap<mlir::Operation *, size_t> numbers;
};

/// Decides which reductions of operands that caches do not hold become one op.
void chooseMerging(mlir::FunctionOpInterface function,
                   const llvm::DenseSet<mlir::Operation *> &given);

/// Checks the sets of a function; an error names the op that does not fit.
mlir::LogicalResult verifyMerging(mlir::FunctionOpInterface function);

/// Makes one op of each set; returns how many ops became part of others.
mlir::FailureOr<int64_t> mergeReductions(mlir::RewriterBase &rewriter,
                                         mlir::FunctionOpInterface function);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_REDUCTIONSETS_H
