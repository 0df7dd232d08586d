/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls the models of two libraries that have one prefix, both global, the
   second through its stable names. */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int run_function(void *const *, void *const *, void *);

static float call(void *library, const char *name) {
  static char arena[1 << 16] __attribute__((aligned(64)));
  run_function *run;
  void *address = dlsym(library, name);
  memcpy(&run, &address, sizeof(run));
  float x[2] = {-1, 2}, y[2] = {0, 0};
  void *inputs[] = {x}, *outputs[] = {y};
  return run(inputs, outputs, arena) ? -100 : y[0];
}

/* What the library calls of the runtime, as seen by its model. */
static const char *why(void *library) {
  const char *(*error)(void);
  void *address = dlsym(library, "net_error");
  memcpy(&error, &address, sizeof(error));
  return error();
}

int main(int argc, char **argv) {
  void *a = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  void *b = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
  if (argc != 3 || !a || !b) {
    return 1;
  }
  if (!dlsym(a, "net_error")) {
    printf("%g %g\n", call(a, "net_run"), call(b, "nacre_model_run"));
    return 0;
  }
  /* A value that is no tensor of the first's type: only its run fails. */
  void *(*wrap)(long, long, const long *, void *);
  void *address = dlsym(b, "nacre_tensor_wrap");
  memcpy(&wrap, &address, sizeof(wrap));
  long shape[] = {2};
  char data[16] = {0};
  void *inputs[] = {wrap(2, 1, shape, data)}, *outputs[] = {0};
  run_function *run;
  address = dlsym(b, "net_run");
  memcpy(&run, &address, sizeof(run));
  int status = run(inputs, outputs, data);
  printf("%d, first: %d, second: %d\n", status, why(a)[0] != 0, why(b)[0] != 0);
  return 0;
}
