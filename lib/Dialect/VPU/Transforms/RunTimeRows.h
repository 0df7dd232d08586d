//===- RunTimeRows.h - Rows of which a run knows the sizes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a run cuts rows into tiles that fit the cache, and shares them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Bytes of CMX that the tiles of a group may take, and the fewest rows that
/// keep vector lanes and the register tile busy.
int64_t getTileBudget(const RowGroup &group, ArchAttr arch);
constexpr int64_t kFewRows = 16;

/// The fewest rows of a tile of attention: where its kernel packs the keys for
/// each tile, so many that this takes little of the time.
int64_t getFewestRows(const RowGroup &group);

/// The loop of a group's root that walks over neighbours in its result.
unsigned getInnermostLoop(const RowGroup &group);

/// Replaces a group of which only a run knows some sizes by loops over tiles
/// that it chooses, shared among the clusters that it finds work for. A group
/// of known sizes has them share the loop `uneven`, in parts of about one size.
mlir::FailureOr<RowGroup>
tileAtRunTime(mlir::RewriterBase &rewriter, const RowGroup &group,
              ArchAttr arch, int64_t minCycles,
              std::optional<unsigned> uneven = std::nullopt);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H
