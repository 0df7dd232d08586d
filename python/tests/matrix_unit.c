/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tiles of a matrix unit (AMX) in plain C, for machines that have none, and
 * a program that runs one kernel with them:
 *
 *   program KERNEL RESULT-BYTES OPERAND-FILE OPERAND-FILE > RESULT-FILE
 *
 * Each instruction checks what the hardware would fault on, or what it would
 * silently compute otherwise: the configuration, the numbers of tiles, and that
 * the sizes of multiplied tiles agree. Each operand ends where a page without
 * access begins. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TILES = 8, ROWS = 16, ROW_BYTES = 64, MAX_OPERANDS = 3, GUARD = 0x5A };

static uint8_t tiles[TILES][ROWS][ROW_BYTES];
static int rows[TILES], row_bytes[TILES];
static int configured;

static void fail(const char *message) {
  fprintf(stderr, "matrix unit: %s\n", message);
  exit(3);
}

void emulated_ldtilecfg(const uint8_t *from) {
  if (from[0] != 1) {
    fail("unknown palette");
  }
  for (int i = 0; i < TILES; ++i) {
    row_bytes[i] = from[16 + 2 * i] | from[17 + 2 * i] << 8;
    rows[i] = from[48 + i];
    if (rows[i] > ROWS || row_bytes[i] > ROW_BYTES || row_bytes[i] % 4 != 0 ||
        (rows[i] == 0) != (row_bytes[i] == 0)) {
      fail("a tile of no valid size");
    }
  }
  /* What no kernel may rely on: the hardware clears them. */
  memset(tiles, GUARD, sizeof(tiles));
  configured = 1;
}

void emulated_tilerelease(void) { configured = 0; }

static void check_tile(int tile) {
  if (!configured || tile < 0 || tile >= TILES || rows[tile] == 0) {
    fail("a tile that is not configured");
  }
}

void emulated_tilezero(int8_t tile) {
  check_tile(tile);
  memset(tiles[tile], 0, sizeof(tiles[tile]));
}

void emulated_tileload(int8_t tile, const uint8_t *from, int64_t stride) {
  check_tile(tile);
  memset(tiles[tile], 0, sizeof(tiles[tile]));
  for (int row = 0; row < rows[tile]; ++row) {
    memcpy(tiles[tile][row], from + row * stride, row_bytes[tile]);
  }
}

void emulated_tilestore(int8_t tile, uint8_t *to, int64_t stride) {
  check_tile(tile);
  for (int row = 0; row < rows[tile]; ++row) {
    memcpy(to + row * stride, tiles[tile][row], row_bytes[tile]);
  }
}

static void check_product(int sum, int left, int right) {
  check_tile(sum);
  check_tile(left);
  check_tile(right);
  if (rows[sum] != rows[left] || row_bytes[left] != 4 * rows[right] ||
      row_bytes[sum] != row_bytes[right]) {
    fail("tiles of other sizes are multiplied");
  }
}

/* Adds unsigned bytes of `left` times signed ones of `right`, four a lane. */
void emulated_tdpbusd(int8_t sum, int8_t left, int8_t right) {
  check_product(sum, left, right);
  for (int row = 0; row < rows[sum]; ++row) {
    for (int byte = 0; byte < row_bytes[sum]; byte += 4) {
      int32_t lane;
      memcpy(&lane, &tiles[sum][row][byte], 4);
      for (int k = 0; k < row_bytes[left]; ++k) {
        lane += tiles[left][row][k] * (int8_t)tiles[right][k / 4][byte + k % 4];
      }
      memcpy(&tiles[sum][row][byte], &lane, 4);
    }
  }
}

static float bfloat16(const uint8_t *from) {
  uint32_t bits = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 24;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/* Adds products of bf16, two a lane. */
void emulated_tdpbf16ps(int8_t sum, int8_t left, int8_t right) {
  check_product(sum, left, right);
  for (int row = 0; row < rows[sum]; ++row) {
    for (int byte = 0; byte < row_bytes[sum]; byte += 4) {
      float lane;
      memcpy(&lane, &tiles[sum][row][byte], 4);
      for (int k = 0; k < row_bytes[left]; k += 2) {
        lane += bfloat16(&tiles[left][row][k]) *
                bfloat16(&tiles[right][k / 4][byte + k % 4]);
      }
      memcpy(&tiles[sum][row][byte], &lane, 4);
    }
  }
}

/* Memory that ends at a page without access; `gap` filler bytes precede it,
 * and another such page those. */
static uint8_t *guarded(size_t bytes, size_t *gap) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t whole = (bytes + page - 1) / page * page;
  uint8_t *start = mmap(NULL, whole + 2 * page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED ||
      mprotect(start + page, whole, PROT_READ | PROT_WRITE) != 0) {
    fail("no memory");
  }
  memset(start + page, GUARD, whole);
  *gap = whole - bytes;
  return start + page + *gap;
}

int main(int count, char **arguments) {
  if (count != 2 + MAX_OPERANDS) {
    fail("usage: program KERNEL RESULT-BYTES OPERAND-FILE OPERAND-FILE");
  }
  uint8_t *operands[MAX_OPERANDS];
  size_t gap;
  for (int i = 3; i < count; ++i) {
    FILE *file = fopen(arguments[i], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
      fail("an operand is missing");
    }
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    operands[i - 3] = guarded(bytes, &gap);
    if (fread(operands[i - 3], 1, bytes, file) != bytes) {
      fail("an operand is cut short");
    }
    fclose(file);
  }
  size_t bytes = strtoul(arguments[2], NULL, 10);
  uint8_t *result = operands[count - 3] = guarded(bytes, &gap);
  memset(result, 0xFF, bytes);

  void (*kernel)(void *, void *, void *);
  *(void **)&kernel = dlsym(dlopen(NULL, RTLD_NOW), arguments[1]);
  if (!kernel) {
    fail("no such kernel");
  }
  kernel(operands[0], operands[1], operands[2]);
  for (size_t i = 1; i <= gap; ++i) {
    if (result[-(ptrdiff_t)i] != GUARD) {
      fail("written before the result");
    }
  }
  if (configured) {
    fail("the tiles are not released");
  }
  return fwrite(result, 1, bytes, stdout) == bytes ? 0 : 1;
}
