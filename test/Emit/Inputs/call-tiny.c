/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls the model of c-interface.mlir, rightly and wrongly. */

#include "tiny.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float x[tiny_INPUT_x_ELEMENTS] = {1, -2, 3, -4};
  float b[tiny_INPUT_b_ELEMENTS] = {0.5f, 0.5f, 0.5f, 0.5f};
  float y[tiny_OUTPUT_y_ELEMENTS];
  struct tiny_inputs inputs = {x, b};
  struct tiny_outputs outputs = {y};
  /* One unit more than needed: a model may need no arena at all. */
  void *arena = aligned_alloc(tiny_ARENA_ALIGNMENT,
                              (tiny_ARENA_BYTES / tiny_ARENA_ALIGNMENT + 1) *
                                  tiny_ARENA_ALIGNMENT);
  int status = tiny_run(&inputs, &outputs, arena);
  printf("status %d: %g %g %g %g\n", status, y[0], y[1], y[2], y[3]);
  printf("null inputs: %d\n", tiny_run(NULL, &outputs, arena));
  inputs.b = NULL;
  printf("null tensor: %d\n", tiny_run(&inputs, &outputs, arena));
  printf("metadata: %.2s\n", tiny_metadata);
  free(arena);
  return 0;
}
