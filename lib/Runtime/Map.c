/*===- Map.c - Maps as values ---------------------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Keys and the values that belong to them: two vectors of equal length.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include <stdlib.h>
#include <string.h>

static int is_vector(const nacre_value *value) {
  return value->kind == NACRE_KIND_TENSOR && value->rank == 1;
}

NACRE_PUBLIC nacre_value *nacre_map_new(nacre_value *keys,
                                        nacre_value *values) {
  if (!is_vector(keys) || !is_vector(values) ||
      keys->shape[0] != values->shape[0]) {
    nacre_fail("expected as many values as keys in a map");
  }
  nacre_value *map = nacre_list_new(NACRE_KIND_MAP, 2);
  map->elements[0] = nacre_retain(keys);
  map->elements[1] = nacre_retain(values);
  return map;
}

NACRE_PUBLIC int64_t nacre_is_map(const nacre_value *value) {
  return value->kind == NACRE_KIND_MAP;
}

NACRE_PUBLIC nacre_value *nacre_map_keys(const nacre_value *map) {
  return nacre_element(map, 0);
}

NACRE_PUBLIC nacre_value *nacre_map_values(const nacre_value *map) {
  return nacre_element(map, 1);
}

NACRE_PUBLIC void nacre_check_map(const nacre_value *value, int64_t key,
                                  int64_t type, const char *name) {
  if (value->kind != NACRE_KIND_MAP || nacre_map_keys(value)->type != key ||
      nacre_map_values(value)->type != type) {
    char found[NACRE_DESCRIPTION];
    nacre_describe(value, found);
    nacre_failf("expected for '%s' a map of %s to %s, found %s", name,
                nacre_type_name(key), nacre_type_name(type), found);
  }
}

NACRE_PUBLIC nacre_value *nacre_map_zip(nacre_value *labels,
                                        const nacre_value *scores) {
  int64_t rows = scores->rank == 1 ? 1 : scores->shape[0];
  int64_t columns = scores->shape[scores->rank - 1];
  if (!is_vector(labels) || labels->shape[0] != columns) {
    nacre_failf("expected a label for each of %lld columns",
                (long long)columns);
  }
  size_t bytes = (size_t)(columns * nacre_type_size(scores->type));
  nacre_value *sequence = nacre_list_new(NACRE_KIND_SEQUENCE, rows);
  for (int64_t i = 0; i < rows; ++i) {
    nacre_value *values = nacre_tensor_make(scores->type, 1, &columns);
    memcpy(values->data, scores->data + (size_t)i * bytes, bytes);
    nacre_value *map = nacre_map_new(labels, values);
    sequence->elements[i] = nacre_retain(map);
    nacre_value_drop(map);
    nacre_value_drop(values);
  }
  return sequence;
}

/* A key and where it is. A number has no text. */
struct entry {
  const char *text;
  int64_t number;
  int64_t position;
};

static int compare_keys(const struct entry *a, const struct entry *b) {
  if (a->text && b->text) {
    return strcmp(a->text, b->text);
  }
  return (a->number > b->number) - (a->number < b->number);
}

/* Of equal keys, the last comes last. */
static int compare_entries(const void *lhs, const void *rhs) {
  const struct entry *a = lhs, *b = rhs;
  int order = compare_keys(a, b);
  return order ? order
               : (a->position > b->position) - (a->position < b->position);
}

static struct entry get_entry(const nacre_value *keys, int64_t i) {
  struct entry entry = {NULL, 0, i};
  if (keys->type == NACRE_STRING) {
    const char *text = nacre_expect_strings(keys)[i];
    entry.text = text ? text : "";
  } else {
    memcpy(&entry.number, keys->data + (size_t)i * sizeof entry.number,
           sizeof entry.number);
  }
  return entry;
}

/* The map's entries by their keys, of equal ones the last. */
static struct entry *sort_entries(const nacre_value *map, int64_t *count) {
  const nacre_value *keys = nacre_map_keys(map);
  int64_t all = keys->shape[0];
  struct entry *entries = nacre_alloc_array(all, sizeof *entries);
  for (int64_t i = 0; i < all; ++i) {
    entries[i] = get_entry(keys, i);
  }
  qsort(entries, (size_t)all, sizeof *entries, compare_entries);
  *count = 0;
  for (int64_t i = 0; i < all; ++i) {
    if (i + 1 == all || compare_keys(&entries[i], &entries[i + 1]) != 0) {
      entries[(*count)++] = entries[i];
    }
  }
  return entries;
}

/* Copies a value of the map; strings are pointers to another's characters. */
static void copy_value(const nacre_value *map, int64_t from, nacre_value *row,
                       int64_t to) {
  const nacre_value *values = nacre_map_values(map);
  size_t bytes = (size_t)nacre_type_size(values->type);
  memcpy(row->data + (size_t)to * bytes, values->data + (size_t)from * bytes,
         bytes);
}

/* One row of `count` zeros of the type of the map's values. */
static nacre_value *make_row(const nacre_value *map, int64_t count) {
  int64_t shape[] = {1, count};
  return nacre_tensor_create(nacre_map_values(map)->type, 2, shape);
}

static void finish_row(nacre_value *row) {
  if (row->type == NACRE_STRING) {
    nacre_tensor_own_strings(row);
  }
}

NACRE_PUBLIC nacre_value *nacre_map_get(const nacre_value *map,
                                        const nacre_value *keys) {
  int64_t count = 0, wanted = keys->shape[0], shape[] = {1, wanted};
  struct entry *entries = sort_entries(map, &count);
  nacre_value *results[] = {make_row(map, wanted),
                            nacre_tensor_create(NACRE_BOOL, 2, shape)};
  for (int64_t i = 0; i < wanted; ++i) {
    struct entry key = get_entry(keys, i);
    int64_t low = 0, high = count;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (compare_keys(&entries[middle], &key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < count && compare_keys(&entries[low], &key) == 0) {
      copy_value(map, entries[low].position, results[0], i);
      results[1]->data[i] = 1;
    }
  }
  nacre_free(entries);
  finish_row(results[0]);
  nacre_value *both = nacre_sequence_new(2, results);
  nacre_value_drop(results[0]);
  nacre_value_drop(results[1]);
  return both;
}

NACRE_PUBLIC nacre_value *nacre_map_sorted_values(const nacre_value *map) {
  int64_t count = 0;
  struct entry *entries = sort_entries(map, &count);
  nacre_value *row = make_row(map, count);
  for (int64_t i = 0; i < count; ++i) {
    copy_value(map, entries[i].position, row, i);
  }
  nacre_free(entries);
  finish_row(row);
  return row;
}
