/*===- List.c - Sequences, optionals and strings as values ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* How values that are no tensors of numbers are made and looked at.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

NACRE_PUBLIC void nacre_failf(const char *format, ...) {
  char message[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  nacre_fail(message);
}

NACRE_PUBLIC int64_t nacre_multiply(int64_t a, int64_t b) {
  /* Of what an address tells apart, which may be less than an int64_t. */
  if (a != 0 && b > PTRDIFF_MAX / a) {
    nacre_fail("a tensor of an impossible size");
  }
  return a * b;
}

NACRE_PUBLIC void *nacre_alloc_array(int64_t count, size_t element) {
  return nacre_alloc((uint64_t)nacre_multiply(count, (int64_t)element));
}

NACRE_PUBLIC int64_t nacre_count_elements(int64_t rank, const int64_t *shape) {
  int64_t count = 1;
  for (int64_t i = 0; i < rank; ++i) {
    /* Of no elements along one dimension, there are none. */
    if (shape[i] == 0) {
      return 0;
    }
  }
  for (int64_t i = 0; i < rank; ++i) {
    count = nacre_multiply(count, shape[i]);
  }
  return count;
}

NACRE_PUBLIC int64_t nacre_tensor_count(const nacre_value *tensor) {
  return nacre_count_elements(tensor->rank, tensor->shape);
}

NACRE_PUBLIC nacre_value *nacre_tensor_make(int64_t type, int64_t rank,
                                            const int64_t *shape) {
  nacre_value *tensor = nacre_tensor_new(type, rank);
  for (int64_t i = 0; i < rank; ++i) {
    nacre_tensor_set_dim(tensor, i, shape[i]);
  }
  nacre_tensor_allocate(tensor);
  return tensor;
}

NACRE_PUBLIC nacre_value *nacre_tensor_create(int64_t type, int64_t rank,
                                              const int64_t *shape) {
  nacre_value *tensor = nacre_tensor_make(type, rank, shape);
  memset(tensor->data, 0,
         (size_t)(nacre_tensor_count(tensor) * nacre_type_size(type)));
  return tensor;
}

NACRE_PUBLIC const char *const *
nacre_expect_strings(const nacre_value *tensor) {
  if (tensor->kind != NACRE_KIND_TENSOR || tensor->type != NACRE_STRING) {
    nacre_fail("expected a tensor of strings");
  }
  return (const char *const *)(const void *)tensor->data;
}

/* Zeroed memory is a tensor of empty strings. */
static const char *get_text(const char *string) { return string ? string : ""; }

/* Copies of the strings, and pointers to them, in one block. */
static char *copy_strings(int64_t count, const char *const *strings) {
  size_t characters = 0;
  for (int64_t i = 0; i < count; ++i) {
    characters += strlen(get_text(strings[i])) + 1;
  }
  size_t pointers = (size_t)count * sizeof(char *);
  char *block = nacre_block_new(pointers + characters);
  const char **out = (const char **)(void *)block;
  char *next = block + pointers;
  for (int64_t i = 0; i < count; ++i) {
    size_t bytes = strlen(get_text(strings[i])) + 1;
    memcpy(next, get_text(strings[i]), bytes);
    out[i] = next;
    next += bytes;
  }
  return block;
}

NACRE_PUBLIC nacre_value *nacre_tensor_of_strings(int64_t rank,
                                                  const int64_t *shape,
                                                  const char *const *strings) {
  nacre_value *tensor = nacre_tensor_new(NACRE_STRING, rank);
  for (int64_t i = 0; i < rank; ++i) {
    nacre_tensor_set_dim(tensor, i, shape[i]);
  }
  tensor->data = copy_strings(nacre_count_elements(rank, shape), strings);
  tensor->owns_data = 1;
  return tensor;
}

NACRE_PUBLIC void nacre_tensor_own_strings(nacre_value *tensor) {
  char *before = tensor->data;
  tensor->data =
      copy_strings(nacre_tensor_count(tensor), nacre_expect_strings(tensor));
  tensor->data_size = 0;
  nacre_block_delete(before);
}

NACRE_PUBLIC nacre_value *nacre_list_new(enum nacre_kind kind, int64_t length) {
  nacre_value *list = nacre_value_new(kind, 0);
  size_t bytes =
      (size_t)nacre_multiply(length, (int64_t)sizeof *list->elements);
  list->elements = nacre_block_new(bytes);
  memset(list->elements, 0, bytes);
  list->length = list->capacity = length;
  return list;
}

NACRE_PUBLIC nacre_value *nacre_sequence_new(int64_t length,
                                             nacre_value *const *elements) {
  nacre_value *list = nacre_list_new(NACRE_KIND_SEQUENCE, length);
  for (int64_t i = 0; i < length; ++i) {
    list->elements[i] = nacre_retain(elements[i]);
  }
  return list;
}

NACRE_PUBLIC nacre_value *nacre_optional_new(nacre_value *value) {
  nacre_value *list = nacre_list_new(NACRE_KIND_OPTIONAL, value ? 1 : 0);
  if (value) {
    list->elements[0] = nacre_retain(value);
  }
  return list;
}

NACRE_PUBLIC int64_t nacre_length(const nacre_value *list) {
  return list->length;
}

NACRE_PUBLIC nacre_value *nacre_element(const nacre_value *list, int64_t i) {
  return i >= 0 && i < list->length ? list->elements[i] : NULL;
}

NACRE_PUBLIC int64_t nacre_is_tensor(const nacre_value *value) {
  return value->kind == NACRE_KIND_TENSOR;
}

NACRE_PUBLIC void nacre_describe(const nacre_value *value, char *text) {
  switch (value->kind) {
  case NACRE_KIND_TENSOR:
    snprintf(text, NACRE_DESCRIPTION, "a tensor of %s and rank %lld",
             nacre_type_name(value->type), (long long)value->rank);
    return;
  case NACRE_KIND_MAP:
    snprintf(text, NACRE_DESCRIPTION, "a map of %s to %s",
             nacre_type_name(nacre_map_keys(value)->type),
             nacre_type_name(nacre_map_values(value)->type));
    return;
  default:
    snprintf(text, NACRE_DESCRIPTION, "%s",
             value->kind == NACRE_KIND_SEQUENCE ? "a sequence" : "an optional");
  }
}

static void check_kind(const nacre_value *value, enum nacre_kind kind,
                       const char *what, const char *name) {
  if (value->kind != kind) {
    char found[NACRE_DESCRIPTION];
    nacre_describe(value, found);
    nacre_failf("expected for '%s' %s, found %s", name, what, found);
  }
}

NACRE_PUBLIC void nacre_check_sequence(const nacre_value *value,
                                       const char *name) {
  check_kind(value, NACRE_KIND_SEQUENCE, "a sequence", name);
}

NACRE_PUBLIC void nacre_check_optional(const nacre_value *value,
                                       const char *name) {
  check_kind(value, NACRE_KIND_OPTIONAL, "an optional", name);
}
