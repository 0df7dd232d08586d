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
|*   nacre-run-compiled LIBRARY ARENA_BYTES SECONDS INPUT... -- OUTPUT...     *|
|*                                                                            *|
|* INPUT is a file of an input's bytes, or tensor:TYPE:SIZES:FILE where the   *|
|* model takes a value of the runtime, as tensor:1:2x3:FILE of 2x3 floats.    *|
|* OUTPUT is the number of an output's bytes, or `value` where the model      *|
|* makes it.                                                                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <dlfcn.h>
#include <stdint.h>
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

/* A function of the library's runtime, by which it makes and frees values. */
static void *find_function(void *library, const char *symbol) {
  void *address = dlsym(library, symbol);
  if (!address) {
    fail("no such function", symbol);
  }
  return address;
}

/* The bytes of the file `word`, or a tensor of the type, sizes and file that it
 * names. */
static void *read_input(void *library, const char *word) {
  static const char prefix[] = "tensor:";
  enum { kMaxRank = 64 };
  if (strncmp(word, prefix, sizeof(prefix) - 1) != 0) {
    return read_file(word);
  }
  char *rest;
  int64_t type = strtoll(word + sizeof(prefix) - 1, &rest, 10);
  int64_t shape[kMaxRank], rank = 0;
  rest += *rest == ':';
  while (*rest && *rest != ':' && rank < kMaxRank) {
    shape[rank++] = strtoll(rest, &rest, 10);
    rest += *rest == 'x';
  }
  if (*rest != ':') {
    fail("expected tensor:TYPE:SIZES:FILE, found", word);
  }
  void *(*wrap)(int64_t, int64_t, const int64_t *, void *);
  void *address = find_function(library, "nacre_tensor_wrap");
  memcpy(&wrap, &address, sizeof(wrap));
  return wrap(type, rank, shape, read_file(rest + 1));
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
    "usage: nacre-run-compiled LIBRARY ARENA_BYTES SECONDS INPUT... -- "
    "OUTPUT...\n\n"
    "Runs a library that `nacre compile` made and prints what that costs as\n"
    "JSON. INPUT is a file with the bytes of an input; where the model takes "
    "a\n"
    "value of the runtime, tensor:TYPE:SIZES:FILE with the number of its "
    "element\n"
    "type, as tensor:1:2x3:FILE. OUTPUT is the size of an output in bytes, or\n"
    "`value` where the model makes it. `nacre bench` starts it.\n\n"
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
    fail("usage", "LIBRARY ARENA_BYTES SECONDS INPUT... -- OUTPUT...");
  }
  double start = now_ms();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fail("cannot load", dlerror());
  }
  int (*run)(void *const *, void *const *, void *);
  void *address = find_function(library, "nacre_model_run");
  memcpy(&run, &address, sizeof(run));
  void *arena = allocate(strtoull(argv[2], NULL, 10));
  double load_ms = now_ms() - start;
  double seconds = strtod(argv[3], NULL);

  /* There are fewer tensors than arguments. */
  void **inputs = allocate((size_t)argc * sizeof(void *));
  void **outputs = allocate((size_t)argc * sizeof(void *));
  int argument = 4;
  for (int i = 0; argument < argc && strcmp(argv[argument], "--") != 0; ++i) {
    inputs[i] = read_input(library, argv[argument++]);
  }
  ++argument;
  int num_outputs = argc - argument;
  char *is_value = allocate((size_t)argc);
  void (*release)(void *) = NULL;
  for (int i = 0; i < num_outputs; ++i) {
    const char *word = argv[argument + i];
    is_value[i] = strcmp(word, "value") == 0;
    if (is_value[i]) {
      address = find_function(library, "nacre_release");
      memcpy(&release, &address, sizeof(release));
      outputs[i] = NULL;
    } else {
      outputs[i] = allocate(strtoull(word, NULL, 10));
    }
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
    for (int i = 0; i < num_outputs; ++i) {
      if (is_value[i]) {
        release(outputs[i]);
      }
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
