//===- LoopGroups.h - Loops that run at the same time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of loops, as their strategies name them, and what it takes that the
// loops of a group follow each other.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre::VPU {

/// The number of the loops that run at the same time as `op`; zero where it is
/// no such loop.
int64_t getLoopGroup(mlir::Operation *op);

/// True in an iteration of a loop that one cluster runs: of a loop of a group,
/// or of one whose iterations clusters share.
bool isInLoopOfCluster(mlir::Operation *op);

/// True for what can change places with ops that do not need it: it does no
/// more than compute tensors, or end the run.
bool isMovable(mlir::Operation *op);

/// The numbers of a block's groups of loops, lowest first.
llvm::SmallVector<int64_t> getLoopGroups(mlir::Block &block);

/// An order of a block's ops. The block has it once it is applied.
class LoopOrder {
public:
  explicit LoopOrder(mlir::Block &block);

  /// The loops of a group in this order.
  llvm::SmallVector<mlir::scf::ForOp> getLoops(int64_t group) const;

  /// Moves `loops`, which follow each other, in front of `next`, and what needs
  /// them behind it. Returns what stands in the way: `next`, which needs them,
  /// or an op with effects that does; null if nothing did.
  mlir::Operation *moveTogether(llvm::ArrayRef<mlir::scf::ForOp> loops,
                                mlir::scf::ForOp next);

  void apply() const;

private:
  mlir::Block *block;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Moves the loops of each of a block's groups together. Nothing where they
/// cannot be; an error names the loop that has to wait for another one.
mlir::FailureOr<LoopOrder> orderLoopGroups(mlir::Block &block);

/// Checks the groups of a function's loops; an error names the loop that is in
/// a wrong one.
mlir::LogicalResult verifyLoopGroups(mlir::FunctionOpInterface function);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H
