//===- KernelStrategies.h - What kernels are written by ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For who applies #VPU.kernel_strategy outside of this dialect.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H
#define NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H

#include "mlir/IR/Operation.h"

namespace nacre::VPU {

/// Checks that an op whose code follows from a kernel strategy has one that its
/// kernel can be written by. An error names the op and says what was expected.
mlir::LogicalResult verifyKernelStrategy(mlir::Operation *op);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_KERNELSTRATEGIES_H
