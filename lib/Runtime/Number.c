/*===- Number.c - Numbers as text -----------------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* NumPy's notation: as few digits as tell a float from its neighbours, and an
|* exponent only where the number is very small or very large.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for any number in either notation. */
#define NUMBER_BYTES ((size_t)40)

/*===----------------------------------------------------------------------===*\
|* Halves
\*===----------------------------------------------------------------------===*/

static float widen(uint16_t bits, bool is_bfloat) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  if (is_bfloat) {
    memcpy(&value, &wide, sizeof(value));
    return value;
  }
  int exponent = bits >> 10 & 31;
  int mantissa = bits & 1023;
  value = exponent == 31  ? (mantissa ? NAN : INFINITY)
          : exponent == 0 ? ldexpf((float)mantissa, -24)
                          : ldexpf((float)(mantissa + 1024), exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/* Rounded to the nearest, to even between two. */
static uint16_t narrow(float value, bool is_bfloat) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  if (is_bfloat) {
    return (uint16_t)(isnan(value) ? bits >> 16 | 0x40
                                   : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  float magnitude = fabsf(value);
  if (isnan(value)) {
    return sign | 0x7e00;
  }
  if (magnitude == 0) {
    return sign;
  }
  if (magnitude >= 65520) {
    return sign | 0x7c00;
  }
  int exponent;
  frexpf(magnitude, &exponent);
  /* The unit in the last place is a power of two, so that division is exact. */
  int unit = (exponent < -13 ? -13 : exponent) - 11;
  float units = ldexpf(magnitude, -unit);
  int whole = (int)units;
  float rest = units - (float)whole;
  whole += rest > 0.5f || (rest == 0.5f && (whole & 1));
  /* Below the smallest normal number the exponent's bits are 0; a carry out of
     the mantissa makes the next exponent. */
  return (uint16_t)(sign + ((unit + 24) << 10) + whole);
}

/*===----------------------------------------------------------------------===*\
|* Writing
\*===----------------------------------------------------------------------===*/

/* Reads back digits of a number of type `type`. */
static double read_back(const char *text, int64_t type) {
  switch (type) {
  case NACRE_FLOAT64:
    return strtod(text, NULL);
  case NACRE_FLOAT32:
    return (double)strtof(text, NULL);
  default:
    return (double)widen(
        narrow((float)strtod(text, NULL), type == NACRE_BFLOAT16),
        type == NACRE_BFLOAT16);
  }
}

static void write_float(double value, int64_t type, char *out) {
  const char *sign = signbit(value) ? "-" : "";
  double magnitude = fabs(value);
  if (isnan(value)) {
    strcpy(out, "nan");
    return;
  }
  if (isinf(value) || value == 0) {
    sprintf(out, "%s%s", sign, value == 0 ? "0.0" : "inf");
    return;
  }
  char scientific[NUMBER_BYTES];
  int precision = -1;
  do {
    snprintf(scientific, sizeof(scientific), "%.*e", ++precision, magnitude);
  } while (precision < 17 && read_back(scientific, type) != magnitude);
  /* What separates the digits is the locale's choice. */
  char digits[NUMBER_BYTES];
  int count = 0, power = 0;
  for (const char *c = scientific; *c; ++c) {
    if (*c == 'e') {
      power = atoi(c + 1);
      break;
    }
    if (isdigit((unsigned char)*c)) {
      digits[count++] = *c;
    }
  }
  /* NumPy looks at the number, not at its digits. */
  if (magnitude < 1e-4 || magnitude >= 1e16) {
    sprintf(out, "%s%c%s%.*se%c%02d", sign, digits[0], count > 1 ? "." : "",
            count - 1, digits + 1, power < 0 ? '-' : '+', abs(power));
    return;
  }
  out += sprintf(out, "%s", sign);
  if (power < 0) {
    sprintf(out, "0.%.*s%.*s", -power - 1, "0000", count, digits);
    return;
  }
  for (int i = 0; i <= power; ++i) {
    *out++ = i < count ? digits[i] : '0';
  }
  sprintf(out, ".%.*s", count > power + 1 ? count - power - 1 : 1,
          count > power + 1 ? digits + power + 1 : "0");
}

static void write_number(const nacre_value *numbers, int64_t i, char *out) {
  const void *data = numbers->data;
  switch (numbers->type) {
  case NACRE_FLOAT32:
    write_float((double)((const float *)data)[i], NACRE_FLOAT32, out);
    return;
  case NACRE_FLOAT64:
    write_float(((const double *)data)[i], NACRE_FLOAT64, out);
    return;
  case NACRE_FLOAT16:
  case NACRE_BFLOAT16:
    write_float((double)widen(((const uint16_t *)data)[i],
                              numbers->type == NACRE_BFLOAT16),
                numbers->type, out);
    return;
  case NACRE_BOOL:
    strcpy(out, ((const uint8_t *)data)[i] ? "True" : "False");
    return;
  case NACRE_INT8:
    sprintf(out, "%d", ((const int8_t *)data)[i]);
    return;
  case NACRE_INT16:
    sprintf(out, "%d", ((const int16_t *)data)[i]);
    return;
  case NACRE_INT32:
    sprintf(out, "%ld", (long)((const int32_t *)data)[i]);
    return;
  case NACRE_INT64:
    sprintf(out, "%lld", (long long)((const int64_t *)data)[i]);
    return;
  case NACRE_UINT8:
    sprintf(out, "%u", ((const uint8_t *)data)[i]);
    return;
  case NACRE_UINT16:
    sprintf(out, "%u", ((const uint16_t *)data)[i]);
    return;
  case NACRE_UINT32:
    sprintf(out, "%lu", (unsigned long)((const uint32_t *)data)[i]);
    return;
  case NACRE_UINT64:
    sprintf(out, "%llu", (unsigned long long)((const uint64_t *)data)[i]);
    return;
  case NACRE_STRING:
    break;
  }
  nacre_failf("expected numbers to write as strings");
}

NACRE_PUBLIC nacre_value *nacre_string_write(const nacre_value *numbers) {
  size_t count = (size_t)nacre_tensor_count(numbers);
  char *texts = nacre_alloc_array((int64_t)count, NUMBER_BYTES);
  const char **strings = nacre_alloc_array((int64_t)count, sizeof(char *));
  for (size_t i = 0; i < count; ++i) {
    write_number(numbers, (int64_t)i, texts + i * NUMBER_BYTES);
    strings[i] = texts + i * NUMBER_BYTES;
  }
  nacre_value *result =
      nacre_tensor_of_strings(numbers->rank, numbers->shape, strings);
  nacre_free(strings);
  nacre_free(texts);
  return result;
}

/*===----------------------------------------------------------------------===*\
|* Reading
\*===----------------------------------------------------------------------===*/

static bool equals_ignoring_case(const char *text, size_t size,
                                 const char *word) {
  if (size != strlen(word)) {
    return false;
  }
  for (size_t i = 0; i < size; ++i) {
    if (tolower((unsigned char)text[i]) != word[i]) {
      return false;
    }
  }
  return true;
}

/* The float that the `size` characters say, rounded to float if `is_single`;
   false where they say none. */
static bool read_float(const char *text, size_t size, bool is_single,
                       double *value) {
  bool is_negative = size > 0 && *text == '-';
  if (size > 0 && (*text == '-' || *text == '+')) {
    ++text;
    --size;
  }
  if (equals_ignoring_case(text, size, "nan")) {
    *value = (double)NAN;
  } else if (equals_ignoring_case(text, size, "inf") ||
             equals_ignoring_case(text, size, "infinity")) {
    *value = (double)INFINITY;
  } else {
    /* Neither hexadecimal numbers nor words are numbers here, and the point is
       one whatever the locale. */
    const char *point = localeconv()->decimal_point;
    size_t pointSize = strlen(point);
    char *copy = nacre_alloc(size + pointSize + 1);
    size_t length = 0;
    bool hasDigit = false, isNumber = true;
    for (size_t i = 0; i < size; ++i) {
      char c = text[i];
      hasDigit |= isdigit((unsigned char)c) != 0;
      isNumber &= hasDigit || c == '.';
      isNumber &= strchr("0123456789.eE+-", c) != NULL;
      /* A second point ends the number, which the check below finds. */
      bool isPoint = c == '.' && memchr(text, '.', i) == NULL;
      memcpy(copy + length, isPoint ? point : &text[i],
             isPoint ? pointSize : 1);
      length += isPoint ? pointSize : 1;
    }
    copy[length] = '\0';
    char *end = copy;
    *value = is_single ? (double)strtof(copy, &end) : strtod(copy, &end);
    bool isRead = isNumber && hasDigit && *end == '\0';
    nacre_free(copy);
    if (!isRead) {
      return false;
    }
  }
  *value = is_negative ? -*value : *value;
  return true;
}

/* An integer within [low, high] where low is negative or 0, in the bits that
   both signs share; false where the characters say none. */
static bool read_integer(const char *text, size_t size, int64_t low,
                         uint64_t high, uint64_t *value) {
  bool is_negative = size > 0 && *text == '-';
  size_t i = size > 0 && (*text == '-' || *text == '+') ? 1 : 0;
  uint64_t limit = is_negative ? (uint64_t)0 - (uint64_t)low : high;
  uint64_t magnitude = 0;
  if (i == size) {
    return false;
  }
  for (; i < size; ++i) {
    if (!isdigit((unsigned char)text[i])) {
      return false;
    }
    uint64_t digit = (uint64_t)(text[i] - '0');
    if (magnitude > (limit - digit) / 10 || digit > limit) {
      return false;
    }
    magnitude = magnitude * 10 + digit;
  }
  *value = is_negative ? (uint64_t)0 - magnitude : magnitude;
  return true;
}

struct limits {
  int64_t low;
  uint64_t high;
};

static struct limits get_limits(int64_t type) {
  static const struct limits signedLimits[] = {
      {INT8_MIN, INT8_MAX},
      {INT16_MIN, INT16_MAX},
      {INT32_MIN, INT32_MAX},
      {INT64_MIN, INT64_MAX},
  };
  struct limits limits = {0, 0};
  switch (type) {
  case NACRE_INT8:
    return signedLimits[0];
  case NACRE_INT16:
    return signedLimits[1];
  case NACRE_INT32:
    return signedLimits[2];
  case NACRE_INT64:
    return signedLimits[3];
  case NACRE_UINT8:
    limits.high = UINT8_MAX;
    return limits;
  case NACRE_UINT16:
    limits.high = UINT16_MAX;
    return limits;
  case NACRE_UINT32:
    limits.high = UINT32_MAX;
    return limits;
  default:
    limits.high = UINT64_MAX;
    return limits;
  }
}

/* Truncates like IE.Cast: saturates at 32 or 64 bits and wraps below. */
static uint64_t truncate_float(double value, int64_t type) {
  bool isNarrow = (size_t)nacre_type_size(type) < 4 || type == NACRE_INT32;
  struct limits limits = get_limits(isNarrow               ? NACRE_INT32
                                    : type == NACRE_UINT64 ? NACRE_UINT64
                                                           : NACRE_INT64);
  if (isnan(value)) {
    return 0;
  }
  if (value <= (double)limits.low) {
    return (uint64_t)limits.low;
  }
  if (value >= (double)limits.high) {
    return limits.high;
  }
  return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

static bool read_number(const char *text, size_t size, int64_t type,
                        void *out) {
  double value;
  switch (type) {
  case NACRE_FLOAT32: {
    bool isRead = read_float(text, size, /*is_single=*/true, &value);
    float single = isRead ? (float)value : 0;
    memcpy(out, &single, sizeof(single));
    return isRead;
  }
  case NACRE_FLOAT64:
    return read_float(text, size, /*is_single=*/false, out);
  case NACRE_FLOAT16:
  case NACRE_BFLOAT16: {
    if (!read_float(text, size, /*is_single=*/false, &value)) {
      return false;
    }
    uint16_t bits = narrow((float)value, type == NACRE_BFLOAT16);
    memcpy(out, &bits, sizeof(bits));
    return true;
  }
  case NACRE_BOOL: {
    if (!read_float(text, size, /*is_single=*/false, &value)) {
      return false;
    }
    *(uint8_t *)out = value != 0;
    return true;
  }
  default:
    break;
  }
  struct limits limits = get_limits(type);
  uint64_t bits;
  if (!read_integer(text, size, limits.low, limits.high, &bits)) {
    if (!read_float(text, size, /*is_single=*/false, &value)) {
      return false;
    }
    bits = truncate_float(value, type);
  }
  uint8_t bits8 = (uint8_t)bits;
  uint16_t bits16 = (uint16_t)bits;
  uint32_t bits32 = (uint32_t)bits;
  const void *source[] = {&bits8, &bits16, NULL, &bits32};
  size_t bytes = (size_t)nacre_type_size(type);
  memcpy(out, bytes == 8 ? (const void *)&bits : source[bytes - 1], bytes);
  return true;
}

NACRE_PUBLIC nacre_value *nacre_string_read(const nacre_value *texts,
                                            int64_t type) {
  nacre_value *result = nacre_tensor_create(type, texts->rank, texts->shape);
  const char *const *all = nacre_expect_strings(texts);
  int64_t count = nacre_tensor_count(texts);
  for (int64_t i = 0; i < count; ++i) {
    const char *text = all[i] + strspn(all[i], " \t\n\v\f\r");
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\n\v\f\r", text[size - 1])) {
      --size;
    }
    char *out =
        (char *)result->data + (size_t)i * (size_t)nacre_type_size(type);
    if (!read_number(text, size, type, out)) {
      nacre_failf("expected a number, found the string '%s'", all[i]);
    }
  }
  return result;
}
