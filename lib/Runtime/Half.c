/*===- Half.c - Conversions of float16 that libraries may lack ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compilers call these where a machine has no instruction. gcc's own library
|* has them, for some machines only in recent versions, for ARM only to link
|* programs with: an artifact, which is linked with no library of a compiler,
|* brings them along.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <string.h>

#define NACRE_OWN __attribute__((weak, visibility("hidden")))

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

static uint32_t extend_half(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0) {
    /* In units of the least positive number, 2^-24. */
    return get_bits((float)fraction * 0x1p-24f) | sign;
  }
  if (exponent == 0x1f) {
    uint32_t quiet = fraction ? 0x400000 : 0;
    return sign | 0x7f800000 | quiet | fraction << 13;
  }
  return sign | (exponent + 112) << 23 | fraction << 13;
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

static uint16_t truncate_float(uint32_t bits) {
  return (uint16_t)((bits >> 16 & 0x8000) | round_half(bits & 0x7fffffff));
}

#if defined(__arm__)
/* Bits in integer registers, whatever the machine passes floats in. */
NACRE_OWN uint32_t __gnu_h2f_ieee(uint16_t half);
NACRE_OWN uint16_t __gnu_f2h_ieee(uint32_t number);

uint32_t __gnu_h2f_ieee(uint16_t half) { return extend_half(half); }

uint16_t __gnu_f2h_ieee(uint32_t number) { return truncate_float(number); }
#else
NACRE_OWN float __extendhfsf2(_Float16 half);
NACRE_OWN _Float16 __truncsfhf2(float number);

float __extendhfsf2(_Float16 half) {
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return get_float(extend_half(bits));
}

_Float16 __truncsfhf2(float number) {
  uint16_t rounded = truncate_float(get_bits(number));
  _Float16 half;
  memcpy(&half, &rounded, sizeof half);
  return half;
}
#endif
