/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Runs the bundle net on numbers that it knows. */
#include "net.h"
#include <stdio.h>
#include <string.h>

static uint8_t placeholders[NET_MUTABLE_MEM_SIZE] NACRE_MEM_ALIGN(64);

int main(void) {
  float x[8], z[8], y[8];
  for (int i = 0; i < 8; ++i) {
    x[i] = (float)i + 10;
    z[i] = (float)i * 2;
  }
  memcpy(placeholders + NET_x, x, sizeof x);
  memcpy(placeholders + NET_z, z, sizeof z);
  if (net(0, placeholders, 0) != 0) {
    return 1;
  }
  memcpy(y, placeholders + NET_y, sizeof y);
  for (int i = 0; i < 8; ++i) {
    printf("%g ", (double)y[i]);
  }
  printf("\n");
  return 0;
}
