/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a compiled model on CPUs of which each lacks something. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void model_check_cpu(void);
const char *model_architecture(void);
int model_run(const void *inputs, void *outputs, void *arena);
const char model_weights[1];

struct cpu {
  const char *what;
  uint32_t last_leaf, leaf1_ecx, leaf7_ebx, leaf7_ecx, extended_ecx, saved;
};

enum {
  OSXSAVE = 1u << 27,
  /* sse3 ssse3 fma cx16 sse4.1 sse4.2 movbe popcnt avx f16c */
  LEAF1 = 1 | 1 << 9 | 1 << 12 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 22 |
          1 << 23 | 1 << 28 | 1 << 29,
  BMI = 1 << 3,
  AVX2 = BMI | 1 << 5 | 1 << 8,
  LZCNT = 1 << 5,
};
/* avx512 f dq cd bw vl */
#define AVX512 (1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31)

static struct cpu cpu;

uint32_t fake_cpuid_register(uint32_t leaf, uint32_t subleaf, uint32_t reg) {
  if (leaf == 0) {
    return reg == 0 ? cpu.last_leaf : 0;
  }
  if (leaf == 0x80000000u) {
    return reg == 0 ? 0x80000008u : 0;
  }
  if (leaf == 0x80000001u) {
    return reg == 2 ? cpu.extended_ecx : 0;
  }
  if (leaf == 1) {
    return reg == 2 ? cpu.leaf1_ecx : 0;
  }
  /* A leaf that the CPU does not know is answered with something. */
  if (leaf > cpu.last_leaf) {
    return ~0u;
  }
  return leaf == 7 && subleaf == 0 && reg == 1 ? cpu.leaf7_ebx : 0;
}

uint32_t fake_saved_state(void) {
  if (!(cpu.leaf1_ecx & OSXSAVE)) {
    puts("xgetbv without OSXSAVE");
    abort();
  }
  return cpu.saved;
}

int main(void) {
  static const struct cpu cpus[] = {
      {"avx512", 7, LEAF1 | OSXSAVE, AVX2 | AVX512, 0, LZCNT, 0xe7},
      {"avx2", 7, LEAF1 | OSXSAVE, AVX2, 0, LZCNT, 0x7},
      {"avx512 not saved", 7, LEAF1 | OSXSAVE, AVX2 | AVX512, 0, LZCNT, 0x7},
      {"avx512 without cd", 7, LEAF1 | OSXSAVE, AVX2 | (AVX512 ^ 1u << 28), 0,
       LZCNT, 0xe7},
      {"no bmi", 7, LEAF1 | OSXSAVE, AVX2 ^ BMI, 0, LZCNT, 0x7},
      {"no lzcnt", 7, LEAF1 | OSXSAVE, AVX2, 0, 0, 0x7},
      {"nothing saved", 7, LEAF1, AVX2 | AVX512, 0, LZCNT, 0},
      {"no leaf 7", 1, LEAF1 | OSXSAVE, 0, 0, LZCNT, 0x7},
  };
  for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); ++i) {
    cpu = cpus[i];
    model_check_cpu();
    const char *name = model_architecture();
    printf("%s: %s\n", cpu.what, name ? name : "none");
    if (!name) {
      printf("%s: run returns %d\n", cpu.what, model_run(0, 0, 0));
    }
  }
  return 0;
}
