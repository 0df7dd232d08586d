//===- BorderChooser.h - Borders that kernels leave out ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_BORDERCHOOSER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_BORDERCHOOSER_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Where leaving out a border of zeros pays for the code of tiles at the edges,
/// of a kernel with these tiles.
BorderDims chooseBorder(mlir::Operation *op,
                        llvm::ArrayRef<RegisterTileAttr> tiles, ArchAttr arch);

/// Checks a border that a person may have had left out.
mlir::LogicalResult verifyBorder(mlir::Operation *op, KernelStrategyAttr kernel,
                                 ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_BORDERCHOOSER_H
