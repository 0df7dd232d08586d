//===- Hyperbolic.h - Approximations of hyperbolic functions ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of hyperbolic functions of f32 and their inverses, for approximate-math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_HYPERBOLIC_H
#define NACRE_LIB_TRANSFORMS_KERNEL_HYPERBOLIC_H

#include "MathEmitter.h"

namespace nacre {

mlir::Value emitSinh(MathEmitter &emitter, mlir::Value x);
mlir::Value emitCosh(MathEmitter &emitter, mlir::Value x);

mlir::Value emitAsinh(MathEmitter &emitter, mlir::Value x);
/// NaN below 1.
mlir::Value emitAcosh(MathEmitter &emitter, mlir::Value x);
/// NaN beyond [-1, 1].
mlir::Value emitAtanh(MathEmitter &emitter, mlir::Value x);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_HYPERBOLIC_H
