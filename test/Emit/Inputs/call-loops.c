/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs the loops of loops.mlir and counts the memory that they take. */

#include "loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Precedes each block, whose alignment is that of the largest type needed. */
enum { HEADER = 64 };

static size_t used, most, total;

static void *allocate(size_t size, size_t alignment) {
  (void)alignment;
  char *block =
      aligned_alloc(HEADER, (size + 2 * HEADER - 1) / HEADER * HEADER);
  memcpy(block, &size, sizeof size);
  used += size;
  total += size;
  most = used > most ? used : most;
  return block + HEADER;
}

static void deallocate(void *block) {
  char *start = (char *)block - HEADER;
  size_t size;
  memcpy(&size, start, sizeof size);
  used -= size;
  free(start);
}

/* `trips` runs of each loop's body. */
static void run(int64_t trips) {
  static float data[1000];
  int64_t size = 1000;
  most = total = 0;
  nacre_value *x = nacre_tensor_wrap(NACRE_FLOAT32, 1, &size, data);
  struct loops_inputs inputs = {&trips, x};
  struct loops_outputs outputs = {NULL, NULL, NULL};
  int status = loops_run(&inputs, &outputs, NULL);
  if (status != 0) {
    printf("status %d: %s\n", status, nacre_error());
    exit(1);
  }
  printf("%d trips: %d in the window, %d in all, carried %d; kept %s, "
         "took %s\n",
         (int)trips, (int)nacre_length(outputs.window),
         (int)nacre_length(outputs.all),
         (int)nacre_tensor_dim(outputs.carried, 0),
         most < 60000 + (size_t)trips * 300 ? "little" : "much",
         total < (size_t)trips * 20000 + 100000 ? "little" : "much");
  nacre_release(outputs.window);
  nacre_release(outputs.all);
  nacre_release(outputs.carried);
  nacre_release(x);
  nacre_trim();
  if (used != 0) {
    printf("%d bytes are lost\n", (int)used);
  }
}

int main(void) {
  nacre_set_allocator(allocate, deallocate);
  run(10);
  run(1000);
  run(10000);
  return 0;
}
