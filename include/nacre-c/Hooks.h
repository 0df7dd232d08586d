/*===- Hooks.h - What an instrumented model calls -----------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* NAME.h repeats it for every model that is compiled with --instrument.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_HOOKS_H
#define NACRE_C_HOOKS_H

#include <stdint.h>

/* What a step does with an operand, and what the operand is: a sum of these.
   What is neither a constant nor an input or output is in the arena, or memory
   that the run has allocated. */
enum {
  NACRE_READ = 1,
  NACRE_WRITTEN = 2,
  NACRE_CONSTANT = 4,
  NACRE_INPUT = 8,
  NACRE_OUTPUT = 16
};

/* Gets the step's number in NAME.steps.json, and of each of its operands the
   first element, the bytes from there to the end of the last element, and its
   roles. The arrays are the callee's until it returns. */
typedef void nacre_hook(void *user, uint64_t step, uint64_t operand_count,
                        const void *const *pointers, const uint64_t *bytes,
                        const uint8_t *roles);

/* Both are called on the thread that runs the model; either may be NULL. */
struct nacre_hooks {
  void *user; /* the first argument of both */
  nacre_hook *before;
  nacre_hook *after;
};

#endif /* NACRE_C_HOOKS_H */
