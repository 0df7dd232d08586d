/*===- Regex.h - What a pattern consists of -----------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Shared by the reader of patterns and the machine that matches them.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_REGEX_H
#define NACRE_LIB_RUNTIME_REGEX_H

#include "nacre-c/Regex.h"

#include <stddef.h>
#include <stdint.h>

enum { LAST_CODE_POINT = 0x10ffff, NO_CODE_POINT = -1, NO_LIMIT = -1 };

/* Code points from `low` to `high`. */
struct range {
  int32_t low, high;
};

enum node_kind {
  NODE_EMPTY,
  NODE_SET,    /* one of a set of code points */
  NODE_ALL,    /* its children, one after the other */
  NODE_ANY,    /* one of its children */
  NODE_REPEAT, /* its child, again and again */
  NODE_ASSERT  /* a place in the text */
};

enum assertion {
  AT_TEXT_START,
  AT_TEXT_END,
  AT_LINE_START,
  AT_LINE_END,
  AT_WORD_BOUNDARY,
  AT_NO_WORD_BOUNDARY
};

/* A part of a pattern, by its number; siblings form a list, which ends with
   0. */
struct node {
  enum node_kind kind;
  enum assertion assertion;
  int is_negated;                /* of a set: its complement */
  size_t first_range, end_range; /* of a set */
  size_t child, next;
  int least, most; /* of a repetition */
};

/* What a growing array consists of. */
struct array {
  void *data;
  size_t count, capacity;
};
void *nacre_array_add(struct array *array, size_t element);

/* A pattern as a tree. */
struct tree {
  struct array nodes, ranges;
  size_t root;
};

/* Reads a pattern; on failure the result is 0, and `problem` says why. */
int nacre_regex_read(const char *pattern, struct tree *tree,
                     const char **problem);

/* The code point at *text, which is moved behind it; NO_CODE_POINT for a byte
   that is no UTF-8. Not at the end of the text. */
int32_t nacre_next_code_point(const char **text);

#endif /* NACRE_LIB_RUNTIME_REGEX_H */
