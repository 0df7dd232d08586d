//===- Clock.h - Times of a command -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock that times what a command does.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CLOCK_H
#define NACRE_LIB_DRIVER_CLOCK_H

#include <chrono>

namespace nacre::driver {

using Clock = std::chrono::steady_clock;

inline double getMilliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CLOCK_H
