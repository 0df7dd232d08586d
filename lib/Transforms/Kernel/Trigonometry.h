//===- Trigonometry.h - Approximations of angles in f32 --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of trigonometric functions and their inverses, for approximate-math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_TRIGONOMETRY_H
#define NACRE_LIB_TRANSFORMS_KERNEL_TRIGONOMETRY_H

#include "MathEmitter.h"

namespace nacre {

/// Of an f32 of any size.
mlir::Value emitSin(MathEmitter &emitter, mlir::Value x);
mlir::Value emitCos(MathEmitter &emitter, mlir::Value x);
mlir::Value emitTan(MathEmitter &emitter, mlir::Value x);

/// Of an f32; NaN beyond [-1, 1].
mlir::Value emitAsin(MathEmitter &emitter, mlir::Value x);
mlir::Value emitAcos(MathEmitter &emitter, mlir::Value x);

/// Of an f32 of any size.
mlir::Value emitAtan(MathEmitter &emitter, mlir::Value x);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_TRIGONOMETRY_H
