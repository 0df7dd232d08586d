/*===- nacre-run-compiled.c - What a compiled model costs a program -------===*\
|*                                                                            *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|* Loads a library that `nacre compile` made, as any C program would, runs it *|
|* for a while and prints one JSON line: time, the peak of resident memory    *|
|* and what of it is private at the end, which no file backs. Nothing else is *|
|* in the process: no compiler, no importer. `nacre bench` starts it, which   *|
|* knows the sizes.                                                           *|
|*                                                                            *|
|*   nacre-run-compiled LIBRARY ARENA_BYTES SECONDS FILE... -- BYTES...       *|
|*                                                                            *|
|* FILE holds an input's bytes; BYTES is the size of an output.               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMaxRuns = 1 << 20, kAlignment = 64, kAtLeast = 5 };

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "nacre-run-compiled: %s: %s\n", what, detail);
  exit(3);
}

static void *allocate(size_t bytes) {
  size_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
  void *memory = aligned_alloc(kAlignment, rounded);
  if (!memory) {
    fail("out of memory", "");
  }
  return memory;
}

static void *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    fail("cannot read", path);
  }
  long size = ftell(file);
  rewind(file);
  void *data = allocate((size_t)size);
  if (fread(data, 1, (size_t)size, file) != (size_t)size) {
    fail("cannot read", path);
  }
  fclose(file);
  return data;
}

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* A line of /proc/self/status in MB. */
static double status_mb(const char *key) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  double result = 0;
  while (file && fgets(line, sizeof(line), file)) {
    if (strncmp(line, key, strlen(key)) == 0) {
      result = strtod(line + strlen(key), NULL) / 1024;
    }
  }
  if (file) {
    fclose(file);
  }
  return result;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const char kUsage[] =
    "usage: nacre-run-compiled LIBRARY ARENA_BYTES SECONDS FILE... -- "
    "BYTES...\n\n"
    "Runs a library that `nacre compile` made and prints what that costs as\n"
    "JSON. FILE holds the bytes of an input, BYTES is the size of an output.\n"
    "`nacre bench` starts it.\n\n"
    "  -h, --help   this text\n"
    "  --version    the versions of nacre and LLVM, and the architectures\n";

static int is_either(const char *word, const char *a, const char *b) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && is_either(argv[1], "-h", "--help")) {
    fputs(kUsage, stdout);
    return 0;
  }
  if (argc == 2 && is_either(argv[1], "-version", "--version")) {
    puts("nacre " NACRE_VERSION "\nLLVM " LLVM_VERSION
         "\narchitectures: " NACRE_ARCHITECTURES);
    return 0;
  }
  if (argc < 5) {
    fail("usage", "LIBRARY ARENA_BYTES SECONDS FILE... -- BYTES...");
  }
  double start = now_ms();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fail("cannot load", dlerror());
  }
  const char *symbol = "nacre_model_run";
  int (*run)(void *const *, void *const *, void *);
  void *address = dlsym(library, symbol);
  if (!address) {
    fail("no such function", symbol);
  }
  memcpy(&run, &address, sizeof(run));
  void *arena = allocate(strtoull(argv[2], NULL, 10));
  double load_ms = now_ms() - start;
  double seconds = strtod(argv[3], NULL);

  /* There are fewer tensors than arguments. */
  void **inputs = allocate((size_t)argc * sizeof(void *));
  void **outputs = allocate((size_t)argc * sizeof(void *));
  int argument = 4;
  for (int i = 0; argument < argc && strcmp(argv[argument], "--") != 0; ++i) {
    inputs[i] = read_file(argv[argument++]);
  }
  ++argument;
  for (int i = 0; argument < argc; ++i) {
    outputs[i] = allocate(strtoull(argv[argument++], NULL, 10));
  }

  static double times[kMaxRuns];
  int runs = 0;
  double end = now_ms() + seconds * 1e3;
  while (runs < kMaxRuns && (runs < kAtLeast || now_ms() < end)) {
    double before = now_ms();
    int status = run(inputs, outputs, arena);
    times[runs++] = now_ms() - before;
    if (status != 0) {
      fail("the model refused to run", status == 1 ? "CPU" : "arguments");
    }
  }
  double first_ms = times[0];
  qsort(times, (size_t)runs, sizeof(*times), compare);
  printf("{\"runs\":%d,\"median_ms\":%g,\"first_ms\":%g,\"load_ms\":%g,"
         "\"rss_mb\":%.2f,\"private_mb\":%.2f}\n",
         runs, times[runs / 2], first_ms, load_ms, status_mb("VmHWM:"),
         status_mb("RssAnon:"));
  return 0;
}
