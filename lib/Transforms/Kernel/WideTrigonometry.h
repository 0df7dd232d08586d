//===- WideTrigonometry.h - Sine and cosine in f64 --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of trigonometric functions of f64, for approximate-math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_WIDETRIGONOMETRY_H
#define NACRE_LIB_TRANSFORMS_KERNEL_WIDETRIGONOMETRY_H

#include "MathEmitter.h"

namespace nacre {

/// Of an f64 of any size.
mlir::Value emitWideSin(MathEmitter &emitter, mlir::Value x);
mlir::Value emitWideCos(MathEmitter &emitter, mlir::Value x);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_WIDETRIGONOMETRY_H
