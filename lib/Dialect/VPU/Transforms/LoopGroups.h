//===- LoopGroups.h - Loops that run at the same time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision of vpu-group-loops, which other passes heed and
// vpu-share-groups applies.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace nacre::VPU {

inline constexpr llvm::StringLiteral kLoopGroup = "VPU.group";

/// Says that `loop` runs at the same time as others with this number.
inline void setLoopGroup(mlir::Operation *loop, int64_t number) {
  loop->setAttr(kLoopGroup,
                mlir::Builder(loop->getContext()).getI64IntegerAttr(number));
}

/// The number of a loop's group, or nothing.
inline std::optional<int64_t> getLoopGroup(mlir::Operation *loop) {
  auto number = loop->getAttrOfType<mlir::IntegerAttr>(kLoopGroup);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

/// True in a loop of a group, all of which one cluster runs.
inline bool isInLoopGroup(mlir::Operation *op) {
  while ((op = op->getParentOp())) {
    if (getLoopGroup(op)) {
      return true;
    }
  }
  return false;
}

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_LOOPGROUPS_H
