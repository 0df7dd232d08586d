/*===- RegexReader.c - Reads regular expressions --------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* RE2's syntax as a tree, by recursive descent.
|*
\*===----------------------------------------------------------------------===*/

#include "Regex.h"
#include "Value.h"

#include <string.h>

enum { MAX_DEPTH = 200, MAX_REPEAT = 1000 };

struct flags {
  int ignores_case, dot_takes_lines, has_lines;
};

struct reader {
  const char *rest;
  struct tree *tree;
  struct flags flags;
  const char *problem; /* the first one */
  int depth;
};

NACRE_PUBLIC void *nacre_array_add(struct array *array, size_t element) {
  if (array->count == array->capacity) {
    size_t capacity = array->capacity ? 2 * array->capacity : 16;
    void *data = nacre_block_new(capacity * element);
    if (array->count) {
      memcpy(data, array->data, array->count * element);
    }
    nacre_block_delete(array->data);
    array->data = data;
    array->capacity = capacity;
  }
  void *added = (char *)array->data + array->count++ * element;
  memset(added, 0, element);
  return added;
}

NACRE_PUBLIC int32_t nacre_next_code_point(const char **text) {
  const unsigned char *at = (const unsigned char *)*text;
  int size = at[0] < 0x80   ? 1
             : at[0] < 0xc2 ? 0
             : at[0] < 0xe0 ? 2
             : at[0] < 0xf0 ? 3
             : at[0] < 0xf5 ? 4
                            : 0;
  static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  int32_t point = size == 1 ? at[0] : at[0] & (0x7f >> size);
  for (int i = 1; i < size; ++i) {
    if ((at[i] & 0xc0) != 0x80) {
      size = 0;
      break;
    }
    point = point << 6 | (at[i] & 0x3f);
  }
  if (!size || point < least[size] || point > LAST_CODE_POINT ||
      (point >= 0xd800 && point < 0xe000)) {
    ++*text;
    return NO_CODE_POINT;
  }
  *text += size;
  return point;
}

/* The node's number; its address changes as nodes are added. */
static size_t add_node(struct reader *r, enum node_kind kind) {
  struct node *node = nacre_array_add(&r->tree->nodes, sizeof *node);
  node->kind = kind;
  node->first_range = node->end_range = r->tree->ranges.count;
  return r->tree->nodes.count - 1;
}

static struct node *get_node(struct reader *r, size_t number) {
  return (struct node *)r->tree->nodes.data + number;
}

static size_t fail(struct reader *r, const char *problem) {
  if (!r->problem) {
    r->problem = problem;
  }
  return 0;
}

static int take(struct reader *r, const char *prefix) {
  size_t size = strlen(prefix);
  if (strncmp(r->rest, prefix, size) != 0) {
    return 0;
  }
  r->rest += size;
  return 1;
}

static int32_t take_code_point(struct reader *r) {
  int32_t point = nacre_next_code_point(&r->rest);
  if (point == NO_CODE_POINT) {
    fail(r, "it is no UTF-8");
  }
  return point;
}

/*===----------------------------------------------------------------------===*\
|* Sets
\*===----------------------------------------------------------------------===*/

static void add_plain_range(struct reader *r, int32_t low, int32_t high) {
  struct range *range = nacre_array_add(&r->tree->ranges, sizeof *range);
  range->low = low;
  range->high = high;
}

static int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }

/* Adds the other case of those letters of the range that are from `first` to
   `last`, which is `distance` away. */
static void add_folded(struct reader *r, int32_t low, int32_t high,
                       int32_t first, int32_t last, int32_t distance) {
  low = max(low, first);
  high = min(high, last);
  if (low <= high) {
    add_plain_range(r, low + distance, high + distance);
  }
}

static int contains(int32_t low, int32_t high, int32_t point) {
  return low <= point && point <= high;
}

static void add_range(struct reader *r, int32_t low, int32_t high) {
  add_plain_range(r, low, high);
  if (!r->flags.ignores_case) {
    return;
  }
  enum { LONG_S = 0x17f, KELVIN = 0x212a };
  add_folded(r, low, high, 'a', 'z', 'A' - 'a');
  add_folded(r, low, high, 'A', 'Z', 'a' - 'A');
  /* What else folds to an ASCII letter. */
  if (contains(low, high, 'k') || contains(low, high, 'K')) {
    add_plain_range(r, KELVIN, KELVIN);
  }
  if (contains(low, high, 's') || contains(low, high, 'S')) {
    add_plain_range(r, LONG_S, LONG_S);
  }
  if (high >= 0x80 && high != LAST_CODE_POINT) {
    fail(r, "letters beyond ASCII regardless of their case are not supported");
  }
}

/* Adds all code points but those of pairs of ASCII characters. */
static void add_ascii(struct reader *r, const char *pairs, int is_negated) {
  if (!is_negated) {
    for (; *pairs; pairs += 2) {
      add_range(r, pairs[0], pairs[1]);
    }
    return;
  }
  /* The pairs are in ascending order. */
  int32_t next = 0;
  for (; *pairs; pairs += 2) {
    if (next < pairs[0]) {
      add_plain_range(r, next, pairs[0] - 1);
    }
    next = pairs[1] + 1;
  }
  add_plain_range(r, next, LAST_CODE_POINT);
}

/* \d, \w, \s and their complements; 0 for other letters. */
static int add_letter_class(struct reader *r, char letter) {
  switch (letter) {
  case 'd':
  case 'D':
    add_ascii(r, "09", letter == 'D');
    return 1;
  case 'w':
  case 'W':
    add_ascii(r, "09AZ__az", letter == 'W');
    return 1;
  case 's':
  case 'S':
    add_ascii(r, "\t\n\f\r  ", letter == 'S');
    return 1;
  default:
    return 0;
  }
}

/* [:alpha:] and the like, behind the "[:". */
static void add_named_class(struct reader *r) {
  static const struct {
    const char *name, *pairs;
  } classes[] = {{"alnum:]", "09AZaz"},
                 {"alpha:]", "AZaz"},
                 {"ascii:]", "\001\177"},
                 {"blank:]", "\t\t  "},
                 {"cntrl:]", "\001\037\177\177"},
                 {"digit:]", "09"},
                 {"graph:]", "!~"},
                 {"lower:]", "az"},
                 {"print:]", " ~"},
                 {"punct:]", "!/:@[`{~"},
                 {"space:]", "\t\r  "},
                 {"upper:]", "AZ"},
                 {"word:]", "09AZ__az"},
                 {"xdigit:]", "09AFaf"}};
  int is_negated = take(r, "^");
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) {
    if (take(r, classes[i].name)) {
      add_ascii(r, classes[i].pairs, is_negated);
      return;
    }
  }
  fail(r, "it has an unknown class of characters");
}

static int is_digit(char c, int base) {
  int letter = c | 0x20;
  return (c >= '0' && c < '0' + min(base, 10)) ||
         (base == 16 && letter >= 'a' && letter <= 'f');
}

static int32_t take_number(struct reader *r, int base, int most_digits) {
  int32_t value = 0;
  for (int i = 0; i < most_digits && is_digit(*r->rest, base); ++i) {
    int c = *r->rest++;
    value = value * base + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

/* The code point of an escape, behind the backslash. */
static int32_t take_escape(struct reader *r) {
  char c = *r->rest;
  if (!c) {
    return (int32_t)fail(r, "it ends with a backslash");
  }
  if (c == 'x') {
    ++r->rest;
    int is_long = take(r, "{");
    const char *start = r->rest;
    int32_t point = take_number(r, 16, is_long ? 6 : 2);
    if (r->rest == start || (is_long && !take(r, "}")) ||
        (!is_long && r->rest - start != 2) || point > LAST_CODE_POINT) {
      fail(r, "it has a malformed \\x");
    }
    return point;
  }
  /* A digit alone would refer to a group. */
  if (c == '0' || (c >= '1' && c <= '7' && is_digit(r->rest[1], 8))) {
    return take_number(r, 8, 3);
  }
  static const char letters[] = "afnrtv", codes[] = "\a\f\n\r\t\v";
  const char *found = strchr(letters, c);
  if (found) {
    ++r->rest;
    return codes[found - letters];
  }
  if (is_digit(c, 10) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) {
    fail(r, c == 'p' || c == 'P' ? "classes of Unicode's properties (\\p) are "
                                   "not supported"
            : is_digit(c, 10)    ? "references to groups are not supported"
                                 : "it has an escape that is not supported");
    return 0;
  }
  return take_code_point(r);
}

/* A set in brackets, behind the first one. */
static size_t read_brackets(struct reader *r) {
  size_t set = add_node(r, NODE_SET);
  get_node(r, set)->is_negated = take(r, "^");
  for (int is_first = 1; !r->problem && (is_first || *r->rest != ']');
       is_first = 0) {
    if (!*r->rest) {
      return fail(r, "a bracket is not closed");
    }
    if (take(r, "[:")) {
      add_named_class(r);
      continue;
    }
    int is_escape = take(r, "\\");
    if (is_escape && add_letter_class(r, *r->rest)) {
      ++r->rest;
      continue;
    }
    int32_t low = is_escape ? take_escape(r) : take_code_point(r), high = low;
    if (r->rest[0] == '-' && r->rest[1] != ']') {
      ++r->rest;
      high = !*r->rest       ? (int32_t)fail(r, "a bracket is not closed")
             : take(r, "\\") ? take_escape(r)
                             : take_code_point(r);
    }
    if (low > high) {
      fail(r, "it has a range that ends before it begins");
    }
    add_range(r, low, high);
  }
  if (!r->problem) {
    ++r->rest;
  }
  get_node(r, set)->end_range = r->tree->ranges.count;
  return set;
}

static size_t finish_set(struct reader *r, size_t set) {
  get_node(r, set)->end_range = r->tree->ranges.count;
  return set;
}

static size_t read_dot(struct reader *r) {
  size_t set = add_node(r, NODE_SET);
  add_ascii(r, r->flags.dot_takes_lines ? "" : "\n\n", /*is_negated=*/1);
  return finish_set(r, set);
}

static size_t add_literal(struct reader *r, int32_t point) {
  size_t set = add_node(r, NODE_SET);
  add_range(r, point, point);
  return finish_set(r, set);
}

static size_t add_assertion(struct reader *r, enum assertion assertion) {
  size_t node = add_node(r, NODE_ASSERT);
  get_node(r, node)->assertion = assertion;
  return node;
}

static size_t read_escape(struct reader *r) {
  static const char letters[] = "AzbB";
  static const enum assertion assertions[] = {
      AT_TEXT_START, AT_TEXT_END, AT_WORD_BOUNDARY, AT_NO_WORD_BOUNDARY};
  const char *found = *r->rest ? strchr(letters, *r->rest) : NULL;
  if (found) {
    ++r->rest;
    return add_assertion(r, assertions[found - letters]);
  }
  size_t set = add_node(r, NODE_SET);
  if (add_letter_class(r, *r->rest)) {
    ++r->rest;
  } else {
    int32_t point = take_escape(r);
    add_range(r, point, point);
  }
  return finish_set(r, set);
}

/*===----------------------------------------------------------------------===*\
|* Groups
\*===----------------------------------------------------------------------===*/

static size_t read_choice(struct reader *r);

/* The flags of a group, behind "(?"; 1 if its content follows. */
static int read_flags(struct reader *r, struct flags *flags) {
  for (int value = 1; *r->rest; ++r->rest) {
    switch (*r->rest) {
    case 'i':
      flags->ignores_case = value;
      break;
    case 's':
      flags->dot_takes_lines = value;
      break;
    case 'm':
      flags->has_lines = value;
      break;
    case 'U':
      break; /* prefers other matches */
    case '-':
      value = 0;
      break;
    case ':':
    case ')':
      return *r->rest++ == ':';
    default:
      fail(r, "it has a group or a flag that is not supported");
      return 0;
    }
  }
  fail(r, "a group is not closed");
  return 0;
}

/* A group, behind its parenthesis. Flags alone hold for what follows. */
static size_t read_group(struct reader *r) {
  struct flags before = r->flags, inside = before;
  if (++r->depth > MAX_DEPTH) {
    return fail(r, "its groups are too deep");
  }
  if (take(r, "?P<") || take(r, "?<")) {
    const char *name = r->rest;
    while (*r->rest && *r->rest != '>') {
      ++r->rest;
    }
    if (r->rest == name || *name == '=' || *name == '!' || !take(r, ">")) {
      return fail(r, "it has a group that is not supported");
    }
  } else if (take(r, "?")) {
    if (!read_flags(r, &inside)) {
      r->flags = inside;
      --r->depth;
      return add_node(r, NODE_EMPTY);
    }
  }
  r->flags = inside;
  size_t group = read_choice(r);
  if (!take(r, ")")) {
    return fail(r, "a group is not closed");
  }
  r->flags = before;
  --r->depth;
  return group;
}

/* {2}, {2,} or {2,5}, behind the brace; 0 for what is none. */
static int read_counts(struct reader *r, int *least, int *most) {
  const char *start = r->rest;
  if (is_digit(*r->rest, 10)) {
    *least = *most = take_number(r, 10, 5);
    if (take(r, ",")) {
      *most = is_digit(*r->rest, 10) ? take_number(r, 10, 5) : NO_LIMIT;
    }
    if (take(r, "}")) {
      if (*least > MAX_REPEAT || *most > MAX_REPEAT ||
          (*most != NO_LIMIT && *most < *least)) {
        fail(r, "it has a repetition of bad counts");
      }
      return 1;
    }
  }
  r->rest = start;
  return 0;
}

static int read_quantifier(struct reader *r, int *least, int *most) {
  *least = 0;
  *most = NO_LIMIT;
  if (take(r, "*")) {
    return 1;
  }
  if (take(r, "+")) {
    *least = 1;
    return 1;
  }
  if (take(r, "?")) {
    *most = 1;
    return 1;
  }
  const char *start = r->rest;
  if (take(r, "{") && read_counts(r, least, most)) {
    return 1;
  }
  r->rest = start;
  return 0;
}

static size_t read_atom(struct reader *r) {
  int least, most;
  if (read_quantifier(r, &least, &most)) {
    return fail(r, "there is nothing to repeat");
  }
  if (take(r, "(")) {
    return read_group(r);
  }
  if (take(r, "[")) {
    return read_brackets(r);
  }
  if (take(r, ".")) {
    return read_dot(r);
  }
  if (take(r, "\\")) {
    return read_escape(r);
  }
  if (take(r, "^")) {
    return add_assertion(r, r->flags.has_lines ? AT_LINE_START : AT_TEXT_START);
  }
  if (take(r, "$")) {
    return add_assertion(r, r->flags.has_lines ? AT_LINE_END : AT_TEXT_END);
  }
  return add_literal(r, take_code_point(r));
}

static size_t read_repetition(struct reader *r) {
  size_t atom = read_atom(r);
  int least, most;
  if (r->problem || !read_quantifier(r, &least, &most)) {
    return atom;
  }
  take(r, "?"); /* prefers a shorter match */
  size_t repeat = add_node(r, NODE_REPEAT);
  struct node *node = get_node(r, repeat);
  node->child = atom;
  node->least = least;
  node->most = most;
  if (read_quantifier(r, &least, &most)) {
    return fail(r, "it repeats a repetition");
  }
  return repeat;
}

static void append(struct reader *r, size_t parent, size_t *last,
                   size_t child) {
  if (*last) {
    get_node(r, *last)->next = child;
  } else {
    get_node(r, parent)->child = child;
  }
  *last = child;
}

static size_t read_sequence(struct reader *r) {
  size_t all = add_node(r, NODE_ALL), last = 0;
  while (!r->problem && *r->rest && *r->rest != '|' && *r->rest != ')') {
    append(r, all, &last, read_repetition(r));
  }
  return all;
}

static size_t read_choice(struct reader *r) {
  size_t any = add_node(r, NODE_ANY), last = 0;
  do {
    append(r, any, &last, read_sequence(r));
  } while (!r->problem && take(r, "|"));
  return any;
}

NACRE_PUBLIC int nacre_regex_read(const char *pattern, struct tree *tree,
                                  const char **problem) {
  struct reader r = {pattern, tree, {0, 0, 0}, NULL, 0};
  /* Node 0 ends lists. */
  add_node(&r, NODE_EMPTY);
  tree->root = read_choice(&r);
  if (!r.problem && *r.rest) {
    fail(&r, "a group is closed that is not open");
  }
  *problem = r.problem;
  return !r.problem;
}
