/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a model on ones, and prints its status and the last element. */

#include "net.h"
#include <stdio.h>

static char arena[net_ARENA_BYTES + 1] __attribute__((aligned(64)));
static float x[net_INPUT_x_ELEMENTS], y[net_OUTPUT_y_ELEMENTS];

int main(void) {
  for (int i = 0; i < net_INPUT_x_ELEMENTS; ++i) {
    x[i] = 1;
  }
  struct net_inputs inputs = {x};
  struct net_outputs outputs = {y};
  int status = net_run(&inputs, &outputs, arena);
  printf("%d %g\n", status, y[net_OUTPUT_y_ELEMENTS - 1]);
  return 0;
}
