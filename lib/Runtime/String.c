/*===- String.c - Operators on strings ------------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each builds an array of strings that belong to others or to the run, which
|* the resulting tensor copies.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include "nacre-c/Regex.h"

#include <stdlib.h>
#include <string.h>

static const char **alloc_strings(int64_t count) {
  return nacre_alloc_array(count, sizeof(char *));
}

NACRE_PUBLIC nacre_value *nacre_string_constant(const char *texts,
                                                int64_t count) {
  const char **strings = alloc_strings(count);
  for (int64_t i = 0; i < count; ++i) {
    strings[i] = texts;
    texts += strlen(texts) + 1;
  }
  nacre_value *tensor = nacre_tensor_of_strings(1, &count, strings);
  nacre_free(strings);
  return tensor;
}

/* NumPy's broadcasting: the shape that both tensors take, in `dims`, and its
   rank. */
static int64_t broadcast(const nacre_value *a, const nacre_value *b,
                         int64_t *dims) {
  int64_t rank = a->rank > b->rank ? a->rank : b->rank;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t inA = d - (rank - a->rank), inB = d - (rank - b->rank);
    int64_t ofA = inA < 0 ? 1 : a->shape[inA];
    int64_t ofB = inB < 0 ? 1 : b->shape[inB];
    if (ofA != ofB && ofA != 1 && ofB != 1) {
      nacre_failf("expected shapes that broadcast, found dimensions %lld and "
                  "%lld",
                  (long long)ofA, (long long)ofB);
    }
    dims[d] = ofA == 1 ? ofB : ofA;
  }
  return rank;
}

/* The element of `tensor` at row-major position `i` of a tensor of that
   shape. */
static int64_t broadcast_position(const nacre_value *tensor, int64_t rank,
                                  const int64_t *dims, int64_t i) {
  int64_t position = 0, stride = 1;
  for (int64_t d = rank - 1; d >= rank - tensor->rank; --d) {
    int64_t own = tensor->shape[d - (rank - tensor->rank)];
    position += own == 1 ? 0 : i % dims[d] * stride;
    stride *= own;
    i /= dims[d];
  }
  return position;
}

NACRE_PUBLIC nacre_value *nacre_string_equal(const nacre_value *a,
                                             const nacre_value *b) {
  const char *const *textsA = nacre_expect_strings(a), *const *textsB =
                                                           nacre_expect_strings(
                                                               b);
  int64_t *dims = nacre_alloc_array(a->rank + b->rank, sizeof(int64_t));
  int64_t rank = broadcast(a, b, dims);
  nacre_value *result = nacre_tensor_create(NACRE_BOOL, rank, dims);
  char *equal = result->data;
  int64_t count = nacre_tensor_count(result);
  for (int64_t i = 0; i < count; ++i) {
    equal[i] = strcmp(textsA[broadcast_position(a, rank, dims, i)],
                      textsB[broadcast_position(b, rank, dims, i)]) == 0;
  }
  nacre_free(dims);
  return result;
}

NACRE_PUBLIC nacre_value *nacre_string_concat(const nacre_value *a,
                                              const nacre_value *b) {
  const char *const *textsA = nacre_expect_strings(a), *const *textsB =
                                                           nacre_expect_strings(
                                                               b);
  int64_t *dims = nacre_alloc_array(a->rank + b->rank, sizeof(int64_t));
  int64_t rank = broadcast(a, b, dims);
  int64_t count = nacre_count_elements(rank, dims);
  const char **joined = alloc_strings(count);
  for (int64_t i = 0; i < count; ++i) {
    const char *head = textsA[broadcast_position(a, rank, dims, i)];
    const char *tail = textsB[broadcast_position(b, rank, dims, i)];
    size_t size = strlen(head);
    char *text = nacre_alloc(size + strlen(tail) + 1);
    memcpy(text, head, size);
    memcpy(text + size, tail, strlen(tail) + 1);
    joined[i] = text;
  }
  nacre_value *result = nacre_tensor_of_strings(rank, dims, joined);
  for (int64_t i = 0; i < count; ++i) {
    nacre_free((char *)(uintptr_t)joined[i]);
  }
  nacre_free(joined);
  nacre_free(dims);
  return result;
}

/* The text in one case, in memory of its own. */
static char *alloc_in_case(const char *text, int to_upper) {
  char *out = nacre_alloc(2 * strlen(text) + 1);
  nacre_map_case(text, to_upper, out);
  return out;
}

/* Whether the text is one of the words; in lower case, so are they. */
static int contains(const nacre_value *words, const char *const *texts,
                    const char *text) {
  for (int64_t i = 0; words && i < nacre_tensor_count(words); ++i) {
    if (strcmp(texts[i], text) == 0) {
      return 1;
    }
  }
  return 0;
}

NACRE_PUBLIC nacre_value *nacre_string_normalize(const nacre_value *texts,
                                                 int64_t action,
                                                 int64_t is_case_sensitive,
                                                 const nacre_value *stopwords) {
  const char *const *all = nacre_expect_strings(texts);
  int64_t numWords = stopwords ? nacre_tensor_count(stopwords) : 0;
  const char **words = alloc_strings(numWords);
  for (int64_t i = 0; i < numWords; ++i) {
    const char *word = nacre_expect_strings(stopwords)[i];
    words[i] = is_case_sensitive ? word : alloc_in_case(word, 0);
  }
  const char **kept = alloc_strings(nacre_tensor_count(texts) + 1);
  int64_t count = 0;
  for (int64_t i = 0; i < nacre_tensor_count(texts); ++i) {
    const char *key =
        is_case_sensitive ? all[i] : alloc_in_case(all[i], /*to_upper=*/0);
    if (!contains(stopwords, words, key)) {
      kept[count++] = action == 0 ? all[i] : alloc_in_case(all[i], action == 2);
    }
  }
  if (count == 0) {
    kept[count++] = "";
  }
  int64_t dims[] = {1, count};
  /* A vector, or a matrix of one row. */
  return nacre_tensor_of_strings(texts->rank, dims + (texts->rank == 1), kept);
}

/* The part of `*text` up to a delimiter, in memory of the run; `*text` is what
   follows, or NULL after the last part. NULL if there is none. */
static const char *take_part(const char **text, const char *delimiter,
                             int is_last) {
  static const char space[] = " \t\n\v\f\r";
  const char *start = *text, *end = NULL;
  if (*delimiter == '\0') {
    start += strspn(start, space);
    if (*start == '\0') {
      *text = NULL;
      return NULL;
    }
    end = is_last ? start + strlen(start) : start + strcspn(start, space);
    *text = is_last ? NULL : end;
  } else {
    const char *found = is_last ? NULL : strstr(start, delimiter);
    end = found ? found : start + strlen(start);
    *text = found ? found + strlen(delimiter) : NULL;
  }
  size_t size = (size_t)(end - start);
  char *part = nacre_alloc(size + 1);
  memcpy(part, start, size);
  part[size] = '\0';
  return part;
}

NACRE_PUBLIC nacre_value *nacre_string_split(const nacre_value *texts,
                                             const char *delimiter,
                                             int64_t limit) {
  const char *const *all = nacre_expect_strings(texts);
  nacre_value *counts =
      nacre_tensor_create(NACRE_INT64, texts->rank, texts->shape);
  int64_t *number = (int64_t *)(void *)counts->data, most = 0, sum = 0;
  int64_t count = nacre_tensor_count(texts);
  /* As many parts as there are characters and texts is more than enough. */
  int64_t room = 0;
  for (int64_t i = 0; i < count; ++i) {
    room += (int64_t)strlen(all[i]) + 1;
  }
  const char **parts = alloc_strings(room);
  for (int64_t i = 0; i < count; ++i) {
    const char *rest = all[i];
    while (rest) {
      int is_last = limit >= 0 && number[i] == limit;
      const char *part = take_part(&rest, delimiter, is_last);
      if (part) {
        parts[sum++] = part;
        ++number[i];
      }
    }
    most = number[i] > most ? number[i] : most;
  }
  int64_t *dims = nacre_alloc_array(texts->rank + 1, sizeof(int64_t));
  memcpy(dims, texts->shape, (size_t)texts->rank * sizeof(int64_t));
  dims[texts->rank] = most;
  const char **table = alloc_strings(nacre_multiply(count, most));
  for (int64_t i = 0, next = 0; i < count; ++i) {
    for (int64_t j = 0; j < most; ++j) {
      table[i * most + j] = j < number[i] ? parts[next++] : "";
    }
  }
  nacre_value *both[] = {nacre_tensor_of_strings(texts->rank + 1, dims, table),
                         counts};
  nacre_value *result = nacre_sequence_new(2, both);
  nacre_value_drop(both[0]);
  nacre_value_drop(both[1]);
  for (int64_t i = 0; i < sum; ++i) {
    nacre_free((char *)(uintptr_t)parts[i]);
  }
  nacre_free(parts);
  nacre_free(dims);
  nacre_free(table);
  return result;
}

NACRE_PUBLIC nacre_value *nacre_string_match(const nacre_value *texts,
                                             const char *pattern) {
  const char *const *all = nacre_expect_strings(texts);
  nacre_value *matches =
      nacre_tensor_create(NACRE_BOOL, texts->rank, texts->shape);
  const char *problem = NULL;
  nacre_regex *regex = nacre_regex_new(pattern, &problem);
  if (!regex) {
    nacre_failf("a bad pattern: %s", problem);
  }
  int64_t count = nacre_tensor_count(texts);
  for (int64_t i = 0; i < count; ++i) {
    const char *text = all[i] ? all[i] : "";
    matches->data[i] = (char)nacre_regex_matches(regex, text, strlen(text));
  }
  nacre_regex_delete(regex);
  return matches;
}

/* A string and where it is. */
struct placed {
  const char *text;
  int64_t position;
};

static int compare_placed(const void *a, const void *b) {
  return strcmp(((const struct placed *)a)->text,
                ((const struct placed *)b)->text);
}

NACRE_PUBLIC nacre_value *nacre_string_ranks(const nacre_value *texts) {
  const char *const *all = nacre_expect_strings(texts);
  int64_t count = nacre_tensor_count(texts);
  struct placed *sorted = nacre_alloc_array(count, sizeof *sorted);
  for (int64_t i = 0; i < count; ++i) {
    sorted[i].text = all[i] ? all[i] : "";
    sorted[i].position = i;
  }
  qsort(sorted, (size_t)count, sizeof *sorted, compare_placed);
  nacre_value *result =
      nacre_tensor_create(NACRE_INT64, texts->rank, texts->shape);
  int64_t *ranks = (int64_t *)(void *)result->data, rank = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0 && strcmp(sorted[i - 1].text, sorted[i].text) != 0) {
      ++rank;
    }
    ranks[sorted[i].position] = rank;
  }
  nacre_free(sorted);
  return result;
}
