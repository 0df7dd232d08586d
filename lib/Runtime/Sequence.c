/*===- Sequence.c - Operators on sequences and optionals ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A sequence is a list of references, so that a copy of one is cheap.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include <stdio.h>
#include <string.h>

static const nacre_value *expect_list(const nacre_value *value,
                                      enum nacre_kind kind) {
  if (value->kind != kind) {
    char found[NACRE_DESCRIPTION];
    nacre_describe(value, found);
    nacre_failf("expected %s, found %s",
                kind == NACRE_KIND_SEQUENCE ? "a sequence" : "an optional",
                found);
  }
  return value;
}

/* A position in [0, limit], where negative ones count from the end. */
static int64_t get_position(const nacre_value *sequence, int64_t given,
                            int64_t limit) {
  int64_t position = given < 0 ? given + sequence->length : given;
  if (position < 0 || position > limit) {
    nacre_failf(
        "expected a position in a sequence of %lld elements, found %lld",
        (long long)sequence->length, (long long)given);
  }
  return position;
}

static int64_t get_axis(int64_t axis, int64_t rank) {
  int64_t normalized = axis < 0 ? axis + rank : axis;
  if (normalized < 0 || normalized >= rank) {
    nacre_failf("expected an axis of a tensor of %lld dimensions, found %lld",
                (long long)rank, (long long)axis);
  }
  return normalized;
}

NACRE_PUBLIC nacre_value *nacre_sequence_empty(void) {
  return nacre_sequence_new(0, NULL);
}

/* Ends the run with `what`, and with the types of the two tensors that do not
   fit each other, such as float32[2,3]. */
__attribute__((noreturn)) static void
fail_with_types(const char *what, const nacre_value *first,
                const nacre_value *other) {
  enum { ROOM = 64 };
  const nacre_value *tensors[] = {first, other};
  char types[2][ROOM];
  for (int i = 0; i < 2; ++i) {
    const nacre_value *tensor = tensors[i];
    int length = snprintf(types[i], ROOM, "%s[", nacre_type_name(tensor->type));
    for (int64_t d = 0; d < tensor->rank && length < ROOM; ++d) {
      length += snprintf(types[i] + length, (size_t)(ROOM - length), "%s%lld",
                         d == 0 ? "" : ",", (long long)tensor->shape[d]);
    }
    /* Of more dimensions than there is room for, the first. */
    int end = length < ROOM - 1 ? length : ROOM - 2;
    types[i][end] = ']';
    types[i][end + 1] = '\0';
  }
  nacre_failf("%s, found %s and %s", what, types[0], types[1]);
}

static void check_element(const nacre_value *sequence,
                          const nacre_value *element) {
  if (element->kind != NACRE_KIND_TENSOR) {
    char found[NACRE_DESCRIPTION];
    nacre_describe(element, found);
    nacre_failf("expected a tensor as an element of a sequence, found %s",
                found);
  }
  if (sequence->length > 0 && sequence->elements[0]->type != element->type) {
    fail_with_types("expected elements of one type in a sequence",
                    sequence->elements[0], element);
  }
}

/* `sequence` with `element` in front of the one at `position`. */
static nacre_value *insert(const nacre_value *sequence, nacre_value *element,
                           int64_t position) {
  check_element(sequence, element);
  nacre_value *value =
      nacre_list_new(NACRE_KIND_SEQUENCE, sequence->length + 1);
  for (int64_t i = 0; i < value->length; ++i) {
    value->elements[i] =
        nacre_retain(i < position    ? sequence->elements[i]
                     : i == position ? element
                                     : sequence->elements[i - 1]);
  }
  return value;
}

NACRE_PUBLIC nacre_value *nacre_sequence_append(const nacre_value *sequence,
                                                nacre_value *element) {
  return insert(expect_list(sequence, NACRE_KIND_SEQUENCE), element,
                sequence->length);
}

NACRE_PUBLIC nacre_value *nacre_sequence_insert(const nacre_value *sequence,
                                                nacre_value *element,
                                                int64_t position) {
  expect_list(sequence, NACRE_KIND_SEQUENCE);
  return insert(sequence, element,
                get_position(sequence, position, sequence->length));
}

/* Twice the room, so that the moves of many insertions are as many as they. */
static void grow(nacre_value *sequence) {
  int64_t capacity = sequence->capacity ? 2 * sequence->capacity : 4;
  nacre_value **elements = nacre_block_new(
      (size_t)nacre_multiply(capacity, (int64_t)sizeof *elements));
  if (sequence->length > 0) {
    memcpy(elements, sequence->elements,
           (size_t)sequence->length * sizeof *elements);
  }
  nacre_block_delete(sequence->elements);
  sequence->elements = elements;
  sequence->capacity = capacity;
}

static nacre_value *insert_in_place(nacre_value *sequence, nacre_value *element,
                                    int64_t position) {
  if (!nacre_value_is_free(sequence)) {
    nacre_value *value = insert(sequence, element, position);
    nacre_drop(sequence);
    return value;
  }
  check_element(sequence, element);
  if (sequence->length == sequence->capacity) {
    grow(sequence);
  }
  nacre_value **place = sequence->elements + position;
  memmove(place + 1, place,
          (size_t)(sequence->length - position) * sizeof(nacre_value *));
  *place = nacre_retain(element);
  ++sequence->length;
  return sequence;
}

NACRE_PUBLIC nacre_value *nacre_sequence_append_in_place(nacre_value *sequence,
                                                         nacre_value *element) {
  expect_list(sequence, NACRE_KIND_SEQUENCE);
  return insert_in_place(sequence, element, sequence->length);
}

NACRE_PUBLIC nacre_value *nacre_sequence_insert_in_place(nacre_value *sequence,
                                                         nacre_value *element,
                                                         int64_t position) {
  expect_list(sequence, NACRE_KIND_SEQUENCE);
  return insert_in_place(sequence, element,
                         get_position(sequence, position, sequence->length));
}

NACRE_PUBLIC nacre_value *nacre_sequence_erase(const nacre_value *sequence,
                                               int64_t position) {
  expect_list(sequence, NACRE_KIND_SEQUENCE);
  int64_t erased = get_position(sequence, position, sequence->length - 1);
  nacre_value *value =
      nacre_list_new(NACRE_KIND_SEQUENCE, sequence->length - 1);
  for (int64_t i = 0; i < value->length; ++i) {
    value->elements[i] = nacre_retain(sequence->elements[i + (i >= erased)]);
  }
  return value;
}

NACRE_PUBLIC nacre_value *nacre_sequence_erase_in_place(nacre_value *sequence,
                                                        int64_t position) {
  if (!nacre_value_is_free(expect_list(sequence, NACRE_KIND_SEQUENCE))) {
    nacre_value *value = nacre_sequence_erase(sequence, position);
    nacre_drop(sequence);
    return value;
  }
  int64_t erased = get_position(sequence, position, sequence->length - 1);
  nacre_value **place = sequence->elements + erased, *element = *place;
  --sequence->length;
  memmove(place, place + 1,
          (size_t)(sequence->length - erased) * sizeof(nacre_value *));
  nacre_release(element);
  return sequence;
}

static void expect_elements(const nacre_value *sequence) {
  if (expect_list(sequence, NACRE_KIND_SEQUENCE)->length == 0) {
    nacre_failf("expected a sequence of an element at least");
  }
}

NACRE_PUBLIC nacre_value *
nacre_sequence_erase_last(const nacre_value *sequence) {
  expect_elements(sequence);
  return nacre_sequence_erase(sequence, -1);
}

NACRE_PUBLIC nacre_value *
nacre_sequence_erase_last_in_place(nacre_value *sequence) {
  expect_elements(sequence);
  return nacre_sequence_erase_in_place(sequence, -1);
}

NACRE_PUBLIC nacre_value *nacre_sequence_at(const nacre_value *sequence,
                                            int64_t position) {
  expect_list(sequence, NACRE_KIND_SEQUENCE);
  int64_t place = get_position(sequence, position, sequence->length - 1);
  nacre_keep(sequence->elements[place]);
  return sequence->elements[place];
}

/*===----------------------------------------------------------------------===*\
|* Parts of tensors
\*===----------------------------------------------------------------------===*/

/* Copies between a tensor and the section of another from `offset` on along
   `axis`, whose length there is `size`. */
static void copy_section(const nacre_value *whole, const nacre_value *section,
                         int64_t axis, int64_t offset, int64_t size,
                         int to_whole) {
  size_t outer = 1, inner = (size_t)nacre_type_size(whole->type);
  for (int64_t d = 0; d < whole->rank; ++d) {
    if (d < axis) {
      outer *= (size_t)whole->shape[d];
    } else if (d > axis) {
      inner *= (size_t)whole->shape[d];
    }
  }
  size_t run = inner * (size_t)size;
  for (size_t i = 0; run > 0 && i < outer; ++i) {
    char *there =
        whole->data + (i * (size_t)whole->shape[axis] + (size_t)offset) * inner;
    char *here = section->data + i * run;
    memcpy(to_whole ? there : here, to_whole ? here : there, run);
  }
}

/* Copies of strings' pointers become copies of the strings. */
static nacre_value *own_strings(nacre_value *tensor) {
  if (tensor->type == NACRE_STRING) {
    nacre_tensor_own_strings(tensor);
  }
  return tensor;
}

static nacre_value *take_section(const nacre_value *tensor, int64_t axis,
                                 int64_t offset, int64_t size, int keeps_axis) {
  int64_t *dims = nacre_alloc_array(tensor->rank + 1, sizeof(int64_t));
  int64_t rank = 0;
  for (int64_t d = 0; d < tensor->rank; ++d) {
    if (d != axis || keeps_axis) {
      dims[rank++] = d == axis ? size : tensor->shape[d];
    }
  }
  nacre_value *section = nacre_tensor_make(tensor->type, rank, dims);
  nacre_free(dims);
  copy_section(tensor, section, axis, offset, size, /*to_whole=*/0);
  return own_strings(section);
}

/* Parts of `sizes[i]` elements, or of `size` where that is NULL. */
static nacre_value *split(const nacre_value *tensor, int64_t axis,
                          int64_t count, const int64_t *sizes, int64_t size,
                          int keeps_axis) {
  nacre_value *value = nacre_list_new(NACRE_KIND_SEQUENCE, count);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = tensor->shape[axis] - offset;
    int64_t own = sizes ? sizes[i] : size < left ? size : left;
    nacre_value *part = take_section(tensor, axis, offset, own, keeps_axis);
    value->elements[i] = nacre_retain(part);
    nacre_value_drop(part);
    offset += own;
  }
  return value;
}

NACRE_PUBLIC nacre_value *nacre_sequence_split_each(const nacre_value *tensor,
                                                    int64_t axis,
                                                    int64_t keeps_axis) {
  axis = get_axis(axis, tensor->rank);
  return split(tensor, axis, tensor->shape[axis], NULL, 1, keeps_axis != 0);
}

NACRE_PUBLIC nacre_value *nacre_sequence_split_evenly(const nacre_value *tensor,
                                                      int64_t axis,
                                                      int64_t size) {
  axis = get_axis(axis, tensor->rank);
  if (size <= 0) {
    nacre_failf("expected parts of a positive size, found %lld",
                (long long)size);
  }
  int64_t length = tensor->shape[axis];
  return split(tensor, axis, length / size + (length % size != 0), NULL, size,
               /*keeps_axis=*/1);
}

NACRE_PUBLIC nacre_value *nacre_sequence_split(const nacre_value *tensor,
                                               int64_t axis,
                                               const nacre_value *sizes) {
  axis = get_axis(axis, tensor->rank);
  int64_t count = nacre_tensor_count(sizes);
  int64_t *numbers = nacre_alloc_array(count, sizeof(int64_t));
  int64_t left = tensor->shape[axis];
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = sizes->type == NACRE_INT32
                     ? ((const int32_t *)(const void *)sizes->data)[i]
                     : ((const int64_t *)(const void *)sizes->data)[i];
    if (numbers[i] < 0 || numbers[i] > left) {
      nacre_failf("expected sizes that add up to %lld, found %lld where %lld "
                  "are left",
                  (long long)tensor->shape[axis], (long long)numbers[i],
                  (long long)left);
    }
    left -= numbers[i];
  }
  if (left != 0) {
    nacre_failf("expected sizes that add up to %lld, found %lld",
                (long long)tensor->shape[axis],
                (long long)(tensor->shape[axis] - left));
  }
  nacre_value *parts = split(tensor, axis, count, numbers, 0, /*keeps_axis=*/1);
  nacre_free(numbers);
  return parts;
}

/* Joins elements along an axis that they have, or that is new. */
static nacre_value *join(const nacre_value *sequence, int64_t axis,
                         int is_new) {
  expect_elements(sequence);
  const nacre_value *first = sequence->elements[0];
  int64_t rank = first->rank + is_new;
  axis = get_axis(axis, rank);
  int64_t *dims = nacre_alloc_array(rank + 1, sizeof(int64_t));
  for (int64_t d = 0; d < rank; ++d) {
    dims[d] = d == axis ? 0 : first->shape[d - (is_new && d > axis)];
  }
  for (int64_t i = 0; i < sequence->length; ++i) {
    const nacre_value *element = sequence->elements[i];
    int fits = element->type == first->type && element->rank == first->rank;
    for (int64_t d = 0; fits && d < rank; ++d) {
      fits = d == axis || element->shape[d - (is_new && d > axis)] == dims[d];
    }
    if (!fits) {
      char what[NACRE_DESCRIPTION];
      snprintf(what, sizeof what,
               is_new ? "expected elements of one shape to put side by side"
                      : "expected tensors that differ along axis %lld only",
               (long long)axis);
      fail_with_types(what, first, element);
    }
    dims[axis] += is_new ? 1 : element->shape[axis];
  }
  nacre_value *whole = nacre_tensor_make(first->type, rank, dims);
  nacre_free(dims);
  int64_t offset = 0;
  for (int64_t i = 0; i < sequence->length; ++i) {
    const nacre_value *element = sequence->elements[i];
    int64_t size = is_new ? 1 : element->shape[axis];
    copy_section(whole, element, axis, offset, size, /*to_whole=*/1);
    offset += size;
  }
  return own_strings(whole);
}

NACRE_PUBLIC nacre_value *nacre_sequence_concat(const nacre_value *sequence,
                                                int64_t axis) {
  return join(sequence, axis, /*is_new=*/0);
}

NACRE_PUBLIC nacre_value *nacre_sequence_stack(const nacre_value *sequence,
                                               int64_t axis) {
  return join(sequence, axis, /*is_new=*/1);
}

/*===----------------------------------------------------------------------===*\
|* Optionals
\*===----------------------------------------------------------------------===*/

NACRE_PUBLIC nacre_value *nacre_optional_none(void) {
  return nacre_optional_new(NULL);
}

NACRE_PUBLIC nacre_value *nacre_optional_get(const nacre_value *optional) {
  if (expect_list(optional, NACRE_KIND_OPTIONAL)->length == 0) {
    nacre_failf("expected an optional that holds something");
  }
  nacre_keep(optional->elements[0]);
  return optional->elements[0];
}
