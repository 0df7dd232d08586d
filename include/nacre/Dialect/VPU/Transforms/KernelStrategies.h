//===- KernelStrategies.h - Checks of kernel strategies ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-vpu-to-vector writes kernels by #VPU.kernel_strategy, which a person
// may have written: it asks here whether it can.
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
