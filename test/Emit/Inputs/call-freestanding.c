/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a model on Linux for RISC-V or ARM with no C library, and exits with 0
   if its result is right: a network that sums 16 channels of ones, weighted by
   0.5. */

#include "net.h"

#include <stddef.h>

/* What compilers take for granted. */
void *memcpy(void *to, const void *from, size_t size) {
  char *t = to;
  const char *f = from;
  while (size--) {
    *t++ = *f++;
  }
  return to;
}
void *memset(void *to, int value, size_t size) {
  char *t = to;
  while (size--) {
    *t++ = (char)value;
  }
  return to;
}

#ifdef __arm__
/* The names that ARM's ABI has for them. */
void __aeabi_memcpy(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}
void __aeabi_memcpy4(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}
void __aeabi_memcpy8(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}
void __aeabi_memclr(void *to, size_t size) { memset(to, 0, size); }
void __aeabi_memclr4(void *to, size_t size) { memset(to, 0, size); }
void __aeabi_memclr8(void *to, size_t size) { memset(to, 0, size); }
#endif

static void leave(long status) {
#ifdef __arm__
  register long r0 __asm__("r0") = status;
  register long r7 __asm__("r7") = 1;
  __asm__ volatile("svc 0" : : "r"(r0), "r"(r7));
#else
  register long a0 __asm__("a0") = status;
  register long a7 __asm__("a7") = 93;
  __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
#endif
}

static char arena[net_ARENA_BYTES + 1] __attribute__((aligned(64)));
static float x[net_INPUT_x_ELEMENTS], y[net_OUTPUT_y_ELEMENTS];

void _start(void) {
  for (int i = 0; i < net_INPUT_x_ELEMENTS; ++i) {
    x[i] = 1;
  }
  struct net_inputs inputs = {x};
  struct net_outputs outputs = {y};
  long status = net_run(&inputs, &outputs, arena);
  for (int i = 0; i < net_OUTPUT_y_ELEMENTS; ++i) {
    status |= y[i] != 8;
  }
  for (;;) {
    leave(status);
  }
}
