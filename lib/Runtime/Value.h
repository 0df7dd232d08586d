/*===- Value.h - What a value consists of ------------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Shared by the files of the runtime.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_VALUE_H
#define NACRE_LIB_RUNTIME_VALUE_H

#include "nacre-c/Compiled.h"

/* Several artifacts in one program may each bring the runtime along. */
#define NACRE_PUBLIC __attribute__((weak, visibility("default")))

enum nacre_kind {
  NACRE_KIND_TENSOR,
  NACRE_KIND_SEQUENCE,
  NACRE_KIND_OPTIONAL,
  NACRE_KIND_MAP
};

struct nacre_value {
  enum nacre_kind kind;
  /* Frees what the value consists of. The last owner may be of a library that
     has another allocator. */
  void (*deallocate)(void *block);
  int64_t owners; /* the run that made it is one, as long as `held` is not 0 */

  /* While the run lasts that made it: how often parts of the run own it, and
     its place among the values of that run. */
  struct nacre_run *run;
  int64_t held;
  nacre_value *previous;
  nacre_value *next;

  /* Of a sequence or an optional: what it holds, in one block, which may have
     room for more. Of a map: its keys and its values, two vectors. */
  int64_t length;
  int64_t capacity;
  nacre_value **elements;

  /* Of a tensor. */
  int64_t type;
  int64_t rank;
  char *data;
  int owns_data;
  size_t data_size; /* of the block; 0 where that is not to be kept */
  int64_t shape[];
};

/* A value with room for `rank` sizes, all zero, that the run owns, or the
   caller where there is none. */
nacre_value *nacre_value_new(enum nacre_kind kind, int64_t rank);

/* Takes a value that is to be freed out of its run, if it is in one. */
void nacre_value_leave(nacre_value *value);

/* nacre_drop, of strings, too: for values that compiled code has not seen. */
void nacre_value_drop(nacre_value *value);

/* Whether the run has one owner of the value, and nobody else has any. */
int nacre_value_is_free(const nacre_value *value);

/* Memory for what values own, independent of the run. Fails the run, or ends
   the program where there is none, if there is no more. */
void *nacre_block_new(size_t size);
void nacre_block_delete(void *block);

/* The same for the elements of a tensor: large blocks are kept for later ones.
   One of `*size` bytes or more, which becomes the new `*size`. */
void *nacre_data_new(size_t *size);
void nacre_data_delete(void *data, size_t size, void (*deallocate)(void *));

/* nacre_fail with a message in the manner of printf. */
void nacre_failf(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* Room for what nacre_describe writes. */
enum { NACRE_DESCRIPTION = 96 };

/* Writes what a value is into `text`, for messages: "a tensor of float32 and
   rank 2". */
void nacre_describe(const nacre_value *value, char *text);

/* Memory of the run for `count` elements; fails where that is too much. */
void *nacre_alloc_array(int64_t count, size_t element);
/* a * b; fails where that is too much. */
int64_t nacre_multiply(int64_t a, int64_t b);
int64_t nacre_count_elements(int64_t rank, const int64_t *shape);
int64_t nacre_tensor_count(const nacre_value *tensor);

/* A tensor with memory for its elements, which are undefined, or 0. */
nacre_value *nacre_tensor_make(int64_t type, int64_t rank,
                               const int64_t *shape);
nacre_value *nacre_tensor_create(int64_t type, int64_t rank,
                                 const int64_t *shape);

/* A sequence or an optional with room for `length` values, which are null. */
nacre_value *nacre_list_new(enum nacre_kind kind, int64_t length);

/* The elements of a tensor of strings; fails for another value. */
const char *const *nacre_expect_strings(const nacre_value *tensor);

/* Writes the text in one case, and gives its size with the zero at the end,
   which is at most twice that of `text`. Bytes that are no UTF-8 stay. */
size_t nacre_map_case(const char *text, int to_upper, char *out);

#endif /* NACRE_LIB_RUNTIME_VALUE_H */
