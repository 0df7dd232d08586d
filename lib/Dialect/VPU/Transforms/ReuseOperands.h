//===- ReuseOperands.h - Results in place of operands -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_REUSEOPERANDS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_REUSEOPERANDS_H

#include "mlir/IR/PatternMatch.h"

namespace nacre::VPU {

/// Has elementwise ops in loops write over an operand that nothing reads after
/// them; returns how many do.
int64_t reuseOperands(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_REUSEOPERANDS_H
