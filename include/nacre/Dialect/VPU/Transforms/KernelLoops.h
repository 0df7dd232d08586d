//===- KernelLoops.h - Loops of software kernels ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vectorize-structured-ops writes software kernels by #VPU.kernel_loops, which
// a person may have written: it asks here whether it can. What has a choice is
// recognised here, for who chooses, who checks and who applies.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_KERNELLOOPS_H
#define NACRE_DIALECT_VPU_TRANSFORMS_KERNELLOOPS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nacre::VPU {

/// A copy of a buffer with its dimensions in another order, and another
/// innermost one.
struct Transposition {
  /// Nothing for other ops.
  static std::optional<Transposition> get(mlir::linalg::LinalgOp op);

  /// The loops along which the elements of the source, and of the result, are
  /// contiguous.
  unsigned sourceLoop, resultLoop;
};

/// A copy of a buffer that has each element of it several times side by side.
struct Repetition {
  /// Nothing for other ops.
  static std::optional<Repetition> get(mlir::linalg::LinalgOp op);

  /// Vectors of more copies would be too much code.
  static constexpr int64_t kMostCopies = 64;

  /// The loop along which the elements of the source are contiguous, and the
  /// one over the copies of each, which is of static size. In the result, the
  /// copies of neighbours follow each other.
  unsigned sourceLoop, copyLoop;
};

/// The loop over columns of what sums windows that slide along these; nothing
/// for other ops.
std::optional<unsigned> getWindowColumns(mlir::linalg::GenericOp op);

/// True for an op on buffers whose loops could be others than they are.
bool hasKernelLoops(mlir::Operation *op, ArchAttr arch);

/// The loops that the strategy of an op says; null where it has none.
KernelLoopsAttr getKernelLoops(mlir::Operation *op);

/// Checks that an op can have the loops that its strategy says. An error names
/// the op and says what was expected.
mlir::LogicalResult verifyKernelLoops(mlir::linalg::LinalgOp op, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_KERNELLOOPS_H
