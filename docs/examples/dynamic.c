/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls a model of dynamic sizes, as those of an ONNX file with
 * symbolic dimensions:
 *
 *   nacre compile docs/examples/dynamic.mlir -o dynamic.a
 *   clang-22 -I. docs/examples/dynamic.c dynamic.a -lm -o dynamic
 */
#include "dynamic.h"
#include <stdint.h>
#include <stdio.h>

/* With room to align it, since the model may need no arena at all. */
static char memory[dynamic_ARENA_BYTES + dynamic_ARENA_ALIGNMENT];

/* Runs the model on `count` vectors of `width` numbers, and prints what it
 * gives. Returns what the run did. */
static int print_lengths(float *numbers, int64_t count, int64_t width) {
  size_t rest = (uintptr_t)memory % dynamic_ARENA_ALIGNMENT;
  void *arena = memory + (dynamic_ARENA_ALIGNMENT - rest);

  /* A value is a view of the numbers, which have to outlive it. */
  const int64_t shape[] = {count, width};
  nacre_value *vectors = nacre_tensor_wrap(NACRE_FLOAT32, 2, shape, numbers);
  struct dynamic_inputs inputs = {.vectors = vectors};
  struct dynamic_outputs outputs = {.lengths = NULL};
  int status = dynamic_run(&inputs, &outputs, arena);
  nacre_release(vectors);
  if (status != NACRE_OK) {
    printf("%s\n", dynamic_error());
    return status;
  }

  /* The output is a value of its own, and the caller's. */
  const float *lengths =
      (const float *)(void *)nacre_tensor_data(outputs.lengths);
  for (int64_t i = 0; i < nacre_tensor_dim(outputs.lengths, 0); ++i) {
    printf("%g ", lengths[i]);
  }
  printf("are %lld of %s\n", (long long)nacre_tensor_dim(outputs.lengths, 0),
         nacre_type_name(nacre_tensor_type(outputs.lengths)));
  nacre_release(outputs.lengths);
  return status;
}

int main(void) {
  float numbers[] = {1, 2, 2, 0, 3, 4, 2, 3, 6, 1, 4, 8};
  if (print_lengths(numbers, 2, 3) != NACRE_OK ||
      print_lengths(numbers, 4, 3) != NACRE_OK) {
    return 1;
  }
  /* The model has vectors of three numbers. */
  if (print_lengths(numbers, 3, 4) != NACRE_FAILED) {
    return 1;
  }
  nacre_trim(); /* frees what runs keep for the next */
  return 0;
}
