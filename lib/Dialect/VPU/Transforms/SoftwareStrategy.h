//===- SoftwareStrategy.h - What cores share of software --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of copies and software kernels, as their strategies name them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_SOFTWARESTRATEGY_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_SOFTWARESTRATEGY_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace nacre::VPU {

/// True for what cores may share though the engine does not have it: a
/// structured op, or a copy of tensors, outside of loops and branches.
bool isSoftwareKernel(mlir::Operation *op);

/// The extents of a software kernel's loops.
llvm::SmallVector<int64_t> getSoftwareExtents(mlir::TilingInterface op);

/// True where a part of `size` steps of a loop needs one box of each operand.
bool canTile(mlir::TilingInterface op, unsigned dim, int64_t size);

/// True for results of few elements, each of which one op accumulates that has
/// a neutral element, from which the parts of a reduction start.
bool canCombine(mlir::TilingInterface op);

/// The loops of which `strategy` makes more parts than one.
llvm::SmallVector<unsigned> getSplitLoops(StrategyAttr strategy);

/// True for a kernel on tensors that is given to one core. It keeps its
/// strategy, as what cores share of kernels on buffers is decided again.
bool isWholeOnBuffers(mlir::Operation *op);

/// Checks the strategy of a loop that is no member of a group: it has none, or
/// parts of iterations that do not need each other.
mlir::LogicalResult verifyLoopParts(mlir::scf::ForOp loop);

/// Checks the strategies of a function's software kernels; an error names the
/// one that cannot be applied.
mlir::LogicalResult verifySoftware(mlir::FunctionOpInterface function);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_SOFTWARESTRATEGY_H
