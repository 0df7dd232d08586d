//===- RunTimeRows.h - Rows of dynamic sizes --------------------*- C++ -*-===//
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

/// Builds the sizes of tiles that a run chooses, in front of a group.
class RowSizeBuilder {
public:
  RowSizeBuilder(mlir::OpBuilder &builder, const RowGroup &group, ArchAttr arch)
      : builder(builder), loc(group.getRoot()->getLoc()), group(group),
        arch(arch) {}

  /// The steps of loop `dim` whose bytes fit CMX. In `trial` a run chooses the
  /// size of this loop's tiles, and of loops inside of it.
  mlir::OpFoldResult buildFitting(const RowGroup &trial, unsigned dim);
  /// At most so many steps, in tiles of about one size.
  mlir::OpFoldResult buildEven(mlir::OpFoldResult fitting, unsigned dim);
  /// The clusters that have at least so many cycles to do, of all.
  mlir::OpFoldResult buildParts(int64_t leastCycles);

private:
  /// Bytes of a tile: so many in any case, and so many per step of a loop.
  struct Bytes {
    mlir::OpFoldResult fixed, perStep;
  };
  Bytes countBytes(const RowGroup &trial, unsigned dim);
  mlir::OpFoldResult countFitting(const Bytes &bytes, int64_t least);

  mlir::Value toValue(mlir::OpFoldResult size);
  template <typename OpT>
  mlir::OpFoldResult build(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    mlir::Value second = toValue(b), first = toValue(a);
    return builder.createOrFold<OpT>(loc, first, second);
  }
  mlir::OpFoldResult number(int64_t value) {
    return builder.getIndexAttr(value);
  }
  mlir::OpFoldResult build(const Extent &extent);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const RowGroup &group;
  ArchAttr arch;
};

/// Replaces a group of which only a run knows some sizes, or whose parts are of
/// about one size, by loops as its strategy says.
mlir::FailureOr<RowGroup> tileAtRunTime(mlir::RewriterBase &rewriter,
                                        const RowGroup &group,
                                        StrategyAttr strategy, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H
