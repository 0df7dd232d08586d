//===- RowGroupStrategy.h - What strategies say of groups -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of ops that share a loop over rows, as their strategies name them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPSTRATEGY_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPSTRATEGY_H

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre::VPU {

/// The ops of each group of a block, the last group and of each the last op,
/// the root, first. The root's strategy is the group's.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
collectRowGroups(mlir::Block &block);

/// The group of these ops, with single steps of the loops that `strategy` makes
/// tiles of.
RowGroup getRowGroup(llvm::ArrayRef<mlir::Operation *> members,
                     StrategyAttr strategy);

/// True where tiles of loop `dim` have one size, of which the loop is a
/// multiple.
bool cutsEvenly(const RowGroup &group, StrategyAttr strategy, unsigned dim);

/// The part of the root's loops that each cluster gets, kWhole of those that
/// are not shared, where all are of one size and one box of each member.
std::optional<llvm::SmallVector<int64_t>> getEvenPart(const RowGroup &group,
                                                      StrategyAttr strategy);

/// True where the extent of a loop that has tiles, the size of these, or the
/// number of parts, is dynamic, or where clusters' parts are of different
/// sizes.
bool hasRunTimeRows(const RowGroup &group, StrategyAttr strategy);

/// Checks the groups of a function; an error names the op that does not fit.
mlir::LogicalResult verifyRowGroups(mlir::FunctionOpInterface function);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPSTRATEGY_H
