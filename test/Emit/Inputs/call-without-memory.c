/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs without-memory.mlir with less memory than it needs: with one allocation
 * more each time, until it is enough. */

#define _POSIX_C_SOURCE 200809L

#include "without_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static int left, live, failed_elsewhere;

static void *allocate(size_t size, size_t alignment) {
  void *block = NULL;
  if (pthread_equal(pthread_self(), main_thread)) {
    /* Others have the time to begin their parts. */
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  pthread_mutex_lock(&lock);
  if (left > 0) {
    --left;
    ++live;
    block = aligned_alloc(alignment,
                          (size + alignment - 1) / alignment * alignment);
  } else {
    failed_elsewhere += !pthread_equal(pthread_self(), main_thread);
  }
  pthread_mutex_unlock(&lock);
  return block;
}

static void deallocate(void *block) {
  pthread_mutex_lock(&lock);
  --live;
  pthread_mutex_unlock(&lock);
  free(block);
}

enum { HEADS = 2, ROWS = 600, SIZE = 16 };

static float data[HEADS * ROWS * SIZE], expected[HEADS * ROWS * SIZE];

/* One run with that many allocations; its status. */
static int run(nacre_value *x, int allocations) {
  left = allocations;
  struct without_memory_inputs inputs = {x};
  struct without_memory_outputs outputs = {NULL};
  int status = without_memory_run(&inputs, &outputs, NULL);
  if (status == 3 && strcmp(nacre_error(), "out of memory") != 0) {
    printf("found the error '%s'\n", nacre_error());
  }
  if (status == 0) {
    const void *result = nacre_tensor_data(outputs.y);
    if (allocations == 1000000) {
      memcpy(expected, result, sizeof expected);
    } else if (memcmp(expected, result, sizeof expected) != 0) {
      printf("the results differ\n");
    }
    nacre_release(outputs.y);
  }
  left = 1000000;
  nacre_trim();
  return status;
}

int main(void) {
  main_thread = pthread_self();
  for (int i = 0; i < HEADS * ROWS * SIZE; ++i) {
    data[i] = (float)(i * 37 % 101) / 101;
  }
  nacre_set_allocator(allocate, deallocate);
  left = 1000000;
  int64_t shape[] = {1, HEADS, ROWS, SIZE};
  nacre_value *x = nacre_tensor_wrap(NACRE_FLOAT32, 4, shape, data);
  int before = live;
  printf("with all: status %d\n", run(x, 1000000));
  int status = 3, count = 0;
  for (; status == 3 && count < 1000; ++count) {
    status = run(x, count);
    if (live != before) {
      printf("%d blocks are lost\n", live - before);
    }
  }
  printf("with less: %s, then status %d\n", count > 3 ? "failures" : "none",
         status);
  printf("in other threads: %s\n", failed_elsewhere ? "failures" : "none");
  nacre_release(x);
  return 0;
}
