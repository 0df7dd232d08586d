/*===- Half.c - Conversions of float16 that libgcc may lack ---------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compilers call these where a machine has no instruction. gcc's own library
|* has them for RISC-V since version 13; an artifact brings them along.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <string.h>

#define NACRE_OWN __attribute__((weak, visibility("hidden")))

NACRE_OWN float __extendhfsf2(_Float16 half);
NACRE_OWN _Float16 __truncsfhf2(float number);

static float get_float(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint32_t get_bits(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

float __extendhfsf2(_Float16 half) {
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0) {
    /* In units of the least positive number, 2^-24. */
    return get_float(get_bits((float)fraction * 0x1p-24f) | sign);
  }
  if (exponent == 0x1f) {
    uint32_t quiet = fraction ? 0x400000 : 0;
    return get_float(sign | 0x7f800000 | quiet | fraction << 13);
  }
  return get_float(sign | (exponent + 112) << 23 | fraction << 13);
}

/* The bits of the nearest float16, of two the even one, without the sign. */
static uint32_t round_half(uint32_t bits) {
  if (bits > 0x7f800000) {
    return 0x7e00 | (bits >> 13 & 0x3ff);
  }
  if (bits >= 0x477ff000) {
    return 0x7c00; /* from 65520 on, infinity is nearer */
  }
  if (bits < 0x38800000) {
    /* Below 2^-14: floats near 1/2 are 2^-24 apart. */
    return get_bits(get_float(bits) + 0.5f) - get_bits(0.5f);
  }
  uint32_t moved = bits - ((uint32_t)112 << 23);
  return (moved + 0xfff + (moved >> 13 & 1)) >> 13;
}

_Float16 __truncsfhf2(float number) {
  uint32_t bits = get_bits(number);
  uint16_t rounded =
      (uint16_t)((bits >> 16 & 0x8000) | round_half(bits & 0x7fffffff));
  _Float16 half;
  memcpy(&half, &rounded, sizeof half);
  return half;
}
