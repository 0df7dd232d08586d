/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a compiled model on a CPU that has everything, under a Linux that
 * refuses tile registers to the process, and one that grants them. */

#include <stdint.h>
#include <stdio.h>

void model_check_cpu(void);
const char *model_architecture(void);
const char model_weights[1 << 12];

static long refusal;

uint32_t fake_cpuid_register(uint32_t leaf, uint32_t subleaf, uint32_t reg) {
  (void)leaf, (void)subleaf, (void)reg;
  return ~0u;
}

uint32_t fake_saved_state(void) { return ~0u; }

long fake_syscall(long number, long request, long component) {
  printf("syscall %ld %#lx %ld\n", number, request, component);
  return refusal;
}

int main(void) {
  for (refusal = -1; refusal <= 0; ++refusal) {
    model_check_cpu();
    puts(model_architecture());
  }
  return 0;
}
