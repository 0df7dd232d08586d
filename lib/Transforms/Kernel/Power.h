//===- Power.h - Approximations of powers -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of powers and of the logarithms that they consist of, for
// approximate-math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_POWER_H
#define NACRE_LIB_TRANSFORMS_KERNEL_POWER_H

#include "MathEmitter.h"

namespace nacre {

/// x^y of f32 or f64, with the special cases of C's pow.
mlir::Value emitPower(MathEmitter &emitter, mlir::Value x, mlir::Value y);

/// A positive normal number as value * 2^exponent, the value about 1.
struct Significand {
  Significand(const MathEmitter &wide, mlir::Value x);

  mlir::Value value;    // from the root of 1/2 to that of 2
  mlir::Value exponent; // a whole f64
};

/// The natural logarithm of a positive normal f64, an infinity or a NaN, with
/// 44 bits.
mlir::Value emitShortLog(const MathEmitter &wide, mlir::Value x);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_POWER_H
