/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls the model of values.mlir with what is no tensor of numbers. */

#include "values.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const char *title, const struct values_outputs *outputs) {
  const float *whole = (const float *)nacre_tensor_data(outputs->whole);
  const char *const *labels =
      (const char *const *)nacre_tensor_data(outputs->labels);
  printf("%s:", title);
  for (int64_t i = 0; i < nacre_tensor_dim(outputs->whole, 0); ++i) {
    printf(" %g", whole[i]);
  }
  printf(" |");
  for (int64_t i = 0; i < nacre_tensor_dim(outputs->labels, 0); ++i) {
    printf(" %s", labels[i]);
  }
  printf(" | %d parts\n", (int)nacre_length(outputs->more));
}

int main(void) {
  float first[] = {1, 2}, second[] = {3, 4, 5};
  int64_t sizes[] = {2, 3}, two = 2;
  const char *texts[] = {"ant", "b\xc3\xa9"};
  nacre_value *parts[] = {
      nacre_tensor_wrap(NACRE_FLOAT32, 1, sizes, first),
      nacre_tensor_wrap(NACRE_FLOAT32, 1, sizes + 1, second)};
  nacre_value *list = nacre_sequence_new(2, parts);
  nacre_value *words = nacre_tensor_of_strings(1, &two, texts);
  struct values_inputs inputs = {list, words};
  struct values_outputs outputs = {NULL, NULL, NULL};
  void *arena =
      aligned_alloc(values_ARENA_ALIGNMENT,
                    (values_ARENA_BYTES / values_ARENA_ALIGNMENT + 1) *
                        values_ARENA_ALIGNMENT);
  int status = values_run(&inputs, &outputs, arena);
  if (status != 0) {
    printf("status %d: %s\n", status, nacre_error());
    return 1;
  }
  /* Outputs outlive the inputs. */
  nacre_release(parts[0]);
  nacre_release(parts[1]);
  show("first", &outputs);

  inputs.parts = outputs.more;
  struct values_outputs again = {NULL, NULL, NULL};
  status = values_run(&inputs, &again, arena);
  show("second", &again);
  nacre_release(again.whole);
  nacre_release(again.labels);
  nacre_release(again.more);

  inputs.parts = words;
  status = values_run(&inputs, &again, arena);
  printf("status %d: %s\n", status, nacre_error());
  inputs.parts = list;
  inputs.words = list;
  status = values_run(&inputs, &again, arena);
  printf("status %d: %s\n", status, values_error());
  int64_t one = 1;
  nacre_value *word = nacre_tensor_of_strings(1, &one, texts);
  inputs.words = word;
  status = values_run(&inputs, &again, arena);
  printf("status %d: %s\n", status, values_error());
  nacre_release(word);
  /* What ends before a run begins has its own reason. */
  inputs.words = NULL;
  status = values_run(&inputs, &again, arena);
  printf("status %d: %s\n", status, values_error());
  inputs.words = words;
  status = values_run(&inputs, NULL, arena);
  printf("status %d: %s\n", status, values_error());
  inputs.parts = nacre_sequence_new(0, NULL);
  status = values_run(&inputs, &again, arena);
  printf("status %d: %s\n", status, nacre_error());
  nacre_release((nacre_value *)inputs.parts);

  nacre_release(outputs.whole);
  nacre_release(outputs.labels);
  nacre_release(outputs.more);
  nacre_release(list);
  nacre_release(words);
  free(arena);
  return 0;
}
