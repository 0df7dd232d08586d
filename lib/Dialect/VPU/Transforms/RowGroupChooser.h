//===- RowGroupChooser.h - Which ops share a loop over rows -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of vpu-choose-strategies that find groups of ops, and how clusters
// share their rows.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPCHOOSER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPCHOOSER_H

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

namespace nacre::VPU {

/// The fewest rows that keep vector lanes and the register tile busy.
constexpr int64_t kFewestBlockRows = 16;

/// True for an op of a kind that computes rows from rows, or renames them.
bool canJoinRows(mlir::Operation *op);

/// True for a loop of the root of a group that blocks and parts may cut: one
/// that does not reduce, nor goes over the columns of a product, which share
/// rows of its left operand and lie in packed panels.
bool isRowLoop(mlir::TilingInterface root, unsigned dim);

/// Estimated cycles of all members for one cluster.
double estimateCycles(const RowGroup &group, ArchAttr arch);

/// Bytes of CMX that the tiles of a group may take.
int64_t getTileBudget(const RowGroup &group, ArchAttr arch);

/// The clusters that have enough to do with a group, at least one.
int64_t countClusters(const RowGroup &group, ArchAttr arch, int64_t minCycles);

/// True for products of which all rows are known, unlike what they are
/// multiplied with: no tiles are computed at run time. So it is with attention
/// on the used part of a cache.
bool hasKnownRows(const RowGroup &group);

/// The part of the root's loops that is a cluster's at a time: of one loop
/// over rows, or of the two outermost. At least `fewest` of the clusters have
/// one.
std::optional<llvm::SmallVector<int64_t>>
chooseSplit(const RowGroup &group, int64_t clusters, int64_t fewest);

/// A loop over rows of which clusters can have parts that differ by a row: of
/// so many that this is little, such as a prime number of tokens.
std::optional<unsigned> chooseUnevenLoop(const RowGroup &group,
                                         int64_t clusters);

/// Finds the groups of a block for which a loop pays, the last one first. Ops
/// that are `taken` stay outside; those of groups are, then.
llvm::SmallVector<RowGroup, 0>
findRowGroups(mlir::Block &block, ArchAttr arch, int64_t minCycles,
              llvm::DenseSet<mlir::Operation *> &taken);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUPCHOOSER_H
