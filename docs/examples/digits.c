/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recognises a handwritten digit with a model that nacre compiled:
 *
 *   nacre compile python/models/digits/digits.onnx -o digits.a
 *   clang-22 digits.c digits.a -lm -o digits
 */
#include "digits.h"
#include <stdio.h>

/* The arena is the model's working memory. It is the caller's, so that a
 * program can have several, one per thread, or none on the heap. */
static _Alignas(digits_ARENA_ALIGNMENT) char arena[digits_ARENA_BYTES];

int main(void) {
  static const float pixels[8][8] = {
      {0, 0, 6, 14, 1, 0, 0, 0},    {0, 0, 12, 10, 0, 0, 0, 0},
      {0, 3, 16, 1, 0, 0, 0, 0},    {0, 5, 14, 0, 4, 2, 0, 0},
      {0, 7, 16, 16, 16, 16, 5, 0}, {0, 4, 16, 6, 0, 9, 11, 0},
      {0, 0, 14, 8, 5, 13, 9, 0},   {0, 0, 5, 13, 16, 12, 1, 0}};
  float image[64], scores[10];
  for (int i = 0; i < 64; ++i) {
    image[i] = pixels[i / 8][i % 8] / 16;
  }

  struct digits_inputs inputs = {.image = image};
  struct digits_outputs outputs = {.scores = scores};
  if (digits_run(&inputs, &outputs, arena) != NACRE_OK) {
    return 1;
  }

  int best = 0;
  for (int i = 1; i < 10; ++i) {
    best = scores[i] > scores[best] ? i : best;
  }
  printf("this is a %d\n", best);
  return 0;
}
