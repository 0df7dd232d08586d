/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a bundle called "net" on one image and prints its scores, the bits of
 * one float in a line.
 */
#include "board.h"
#include "net.h"

#include <string.h>

/* In flash. */
static const uint8_t
    weights[NET_CONSTANT_MEM_SIZE] NACRE_MEM_ALIGN(NET_MEM_ALIGN) = {
#include "net.weights.txt"
};
static const uint8_t image[NET_image_BYTES] = {
#include "image.txt"
};
/* In RAM. */
static uint8_t
    placeholders[NET_MUTABLE_MEM_SIZE] NACRE_MEM_ALIGN(NET_MEM_ALIGN);
static uint8_t
    activations[NET_ACTIVATIONS_MEM_SIZE] NACRE_MEM_ALIGN(NET_MEM_ALIGN);

static void printBits(uint32_t bits) {
  char line[10];
  for (int i = 7; i >= 0; --i) {
    line[i] = "0123456789abcdef"[bits & 15];
    bits >>= 4;
  }
  line[8] = '\n';
  line[9] = '\0';
  printText(line);
}

int main(void) {
  memcpy(NACRE_GET_ADDR(placeholders, NET_image), image, NET_image_BYTES);
  int status = net(weights, placeholders, activations);
  if (status != 0) {
    return status;
  }
  for (int i = 0; i < NET_scores_ELEMENTS; ++i) {
    uint32_t bits;
    memcpy(&bits, NACRE_GET_ADDR(placeholders, NET_scores) + 4 * i, 4);
    printBits(bits);
  }
  return 0;
}
