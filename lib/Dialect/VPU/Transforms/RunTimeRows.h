//===- RunTimeRows.h - Rows of dynamic sizes --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that cuts rows into tiles and shares them, where their number or length
// is dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// What a point of the loops of each member of a group takes, in fractions of a
/// cycle: several points may take less.
constexpr int64_t kPointCostsPerCycle = 64;
using PointCosts = llvm::DenseMap<mlir::Operation *, int64_t>;

/// Builds the sizes of tiles and the number of parts that are dynamic, in front
/// of a group.
class RowSizeBuilder {
public:
  RowSizeBuilder(mlir::OpBuilder &builder, const RowGroup &group)
      : builder(builder), loc(group.getRoot()->getLoc()), group(group) {}

  /// The steps of loop `dim` that fit `limits`. In `trial` the size of this
  /// loop's tiles, and of loops inside of it, is dynamic.
  mlir::OpFoldResult buildFitting(const RowGroup &trial, unsigned dim,
                                  TileLimitsAttr limits);
  /// At most so many steps, in tiles of about one size.
  mlir::OpFoldResult buildEven(mlir::OpFoldResult fitting, unsigned dim);
  /// As many of the clusters as have at least so many cycles to do.
  mlir::OpFoldResult buildParts(const PointCosts &costs, int64_t leastCycles,
                                int64_t clusters);

private:
  /// Bytes of a tile: so many in any case, and so many per step of a loop.
  struct Bytes {
    mlir::OpFoldResult fixed, perStep;
  };
  Bytes countBytes(const RowGroup &trial, unsigned dim);
  mlir::OpFoldResult countFitting(const Bytes &bytes, TileLimitsAttr limits,
                                  int64_t least);

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
};

/// Replaces a group of dynamic sizes, or whose parts are of about one size, by
/// loops as its strategy says, of as many parts as `clusters` where their
/// number is dynamic.
mlir::FailureOr<RowGroup>
tileAtRunTime(mlir::RewriterBase &rewriter, const RowGroup &group,
              StrategyAttr strategy, const PointCosts &costs, int64_t clusters);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_RUNTIMEROWS_H
