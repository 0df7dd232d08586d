//===- Constants.h - What starting a part costs -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What options of passes have as their default.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_CONSTANTS_H
#define NACRE_DIALECT_VPU_COST_CONSTANTS_H

#include <cstdint>

namespace nacre::VPU {

/// The cycles of a part that pay for waking a thread for it. A convolution of
/// 10,000 cycles for each of two cores, alone between steps of one thread, took
/// longer than on one core (Sapphire Rapids, `bench.py --threads=1 --threads=2`
/// on the light_* models): what it reads and what reads it comes from the other
/// core's cache.
constexpr int64_t kPartCycles = 12000;

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_CONSTANTS_H
