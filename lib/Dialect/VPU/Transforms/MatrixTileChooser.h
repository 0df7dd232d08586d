//===- MatrixTileChooser.h - Tiles of a matrix unit -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a kernel strategy that is about matrix units.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_MATRIXTILECHOOSER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_MATRIXTILECHOOSER_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// True for a convolution or a product that a matrix unit computes, not by
/// weights of few bits.
bool usesMatrixTiles(mlir::Operation *op, ArchAttr arch);

/// Chooses how it does, where weights are prefetched or not.
MatrixTilesAttr chooseMatrixTiles(mlir::Operation *op, bool prefetches,
                                  ArchAttr arch);

/// Checks what a person may have written.
mlir::LogicalResult verifyMatrixTiles(mlir::Operation *op,
                                      MatrixTilesAttr tiles, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_MATRIXTILECHOOSER_H
