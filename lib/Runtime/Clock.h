/*===- Clock.h - The time ----------------------------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What waiting and mapping memory cost is measured.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_CLOCK_H
#define NACRE_LIB_RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

/* In nanoseconds, from some moment on. */
static inline uint64_t get_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif /* NACRE_LIB_RUNTIME_CLOCK_H */
