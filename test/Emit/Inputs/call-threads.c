/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads the library of threads.mlir, runs it, and lets it go: in this process
 * and in one that it forks, as often as the second argument says. */

#include "threads.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 256 };

static float x[SIZE * SIZE], first[SIZE * SIZE], y[SIZE * SIZE];

static int count_threads(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  while (folder && readdir(folder)) {
    ++count;
  }
  closedir(folder);
  return count - 2; /* . and .. */
}

typedef int run_function(const struct threads_inputs *,
                         struct threads_outputs *, void *);

static int run(run_function *function, float *result) {
  void *arena = aligned_alloc(64, threads_ARENA_BYTES + 64);
  struct threads_inputs inputs = {x};
  struct threads_outputs outputs = {result};
  int status = function(&inputs, &outputs, arena);
  free(arena);
  return status;
}

static int runs = 200;

static void run_often(run_function *function, const char *where) {
  int differing = 0;
  for (int i = 0; i < runs; ++i) {
    differing +=
        run(function, y) != NACRE_OK || memcmp(first, y, sizeof y) != 0;
  }
  printf("%s: %d differ, %d threads\n", where, differing, count_threads());
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc > 2) {
    runs = atoi(argv[2]);
  }
  for (int i = 0; i < SIZE * SIZE; ++i) {
    x[i] = (float)(i * 37 % 101) / 101;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  run_function *function =
      library ? (run_function *)dlsym(library, "threads_run") : NULL;
  if (!function) {
    printf("cannot load the library: %s\n", dlerror());
    return 1;
  }
  if (run(function, first) != NACRE_OK) {
    printf("cannot run the library\n");
    return 1;
  }
  run_often(function, "here");
  pid_t child = fork();
  if (child == 0) {
    run_often(function, "in a fork");
    exit(0); /* ends its threads, and only these */
  }
  int status = 1;
  waitpid(child, &status, 0);
  printf("the fork ended with %d\n", status);
  run_often(function, "here again");
  dlclose(library);
  /* A thread that has been joined is in the folder for a moment still. */
  for (int i = 0; i < 1000 && count_threads() > 1; ++i) {
    usleep(1000);
  }
  printf("without the library: %d threads\n", count_threads());
  return 0;
}
