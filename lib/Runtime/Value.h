/*===- Value.h - What a value consists of ------------------------*- C -*-===*\
|*
|* Shared by the files of the runtime.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_VALUE_H
#define NACRE_LIB_RUNTIME_VALUE_H

#include "nacre-c/Runtime.h"

/* Several artifacts in one program may each bring the runtime along. */
#define NACRE_PUBLIC __attribute__((weak, visibility("default")))

enum nacre_kind { NACRE_KIND_TENSOR };

struct nacre_value {
  enum nacre_kind kind;
  int64_t owners;

  /* Of a tensor. */
  int64_t type;
  int64_t rank;
  char *data;
  int owns_data;
  int64_t shape[];
};

/* A value with room for `rank` sizes, all zero, that the run owns, or the
   caller where there is none. */
nacre_value *nacre_value_new(enum nacre_kind kind, int64_t rank);

/* Memory for what values own, independent of the run. Fails the run, or ends
   the program where there is none, if there is no more. */
void *nacre_block_new(size_t size);
void nacre_block_delete(void *block);

#endif /* NACRE_LIB_RUNTIME_VALUE_H */
