/*===- Regex.c - Matches regular expressions ------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Thompson's machine: all ways through the pattern are followed at once, each
|* state at most once per code point.
|*
\*===----------------------------------------------------------------------===*/

#include "Regex.h"
#include "Value.h"

#include <string.h>

enum { MAX_INSTRUCTIONS = 1 << 20 };

enum operation {
  OP_SET,    /* takes one code point of the node's set */
  OP_ASSERT, /* goes on at the node's places */
  OP_SPLIT,  /* goes on at both targets */
  OP_DONE
};

struct instruction {
  enum operation operation;
  size_t node;
  size_t targets[2]; /* the first is that of all operations */
};

struct nacre_regex {
  struct tree tree;
  struct array code;
  size_t start;
};

/*===----------------------------------------------------------------------===*\
|* Code
\*===----------------------------------------------------------------------===*/

static struct node *get_node(const nacre_regex *regex, size_t number) {
  return (struct node *)regex->tree.nodes.data + number;
}

static struct instruction *get_code(const nacre_regex *regex, size_t number) {
  return (struct instruction *)regex->code.data + number;
}

static size_t add_code(nacre_regex *regex, enum operation operation,
                       size_t node, size_t first, size_t second) {
  if (regex->code.count >= MAX_INSTRUCTIONS) {
    return 0;
  }
  struct instruction *code = nacre_array_add(&regex->code, sizeof *code);
  code->operation = operation;
  code->node = node;
  code->targets[0] = first;
  code->targets[1] = second;
  return regex->code.count - 1;
}

static size_t emit(nacre_regex *regex, size_t number, size_t next);

/* Code for a list of nodes, one after the other, in front of `next`: from the
   last to the first. */
static size_t emit_all(nacre_regex *regex, size_t first, size_t next) {
  size_t count = 0;
  for (size_t i = first; i; i = get_node(regex, i)->next) {
    ++count;
  }
  size_t *list = nacre_block_new(count * sizeof *list);
  count = 0;
  for (size_t i = first; i; i = get_node(regex, i)->next) {
    list[count++] = i;
  }
  while (count > 0) {
    next = emit(regex, list[--count], next);
  }
  nacre_block_delete(list);
  return next;
}

static size_t emit_any(nacre_regex *regex, size_t first, size_t next) {
  size_t start = emit(regex, first, next);
  for (size_t i = get_node(regex, first)->next; i;
       i = get_node(regex, i)->next) {
    size_t other = emit(regex, i, next);
    start = add_code(regex, OP_SPLIT, 0, start, other);
  }
  return start;
}

static size_t emit_repeat(nacre_regex *regex, const struct node *repeat,
                          size_t next) {
  size_t child = repeat->child, start = next;
  int least = repeat->least;
  if (repeat->most == NO_LIMIT) {
    size_t split = add_code(regex, OP_SPLIT, 0, next, next);
    size_t body = emit(regex, child, split);
    get_code(regex, split)->targets[1] = body;
    start = split;
  } else {
    for (int i = least; i < repeat->most; ++i) {
      start = add_code(regex, OP_SPLIT, 0, emit(regex, child, start), next);
    }
  }
  for (int i = 0; i < least; ++i) {
    start = emit(regex, child, start);
  }
  return start;
}

/* Code for a node, which goes on with `next`; where it begins. */
static size_t emit(nacre_regex *regex, size_t number, size_t next) {
  struct node node = *get_node(regex, number);
  if (regex->code.count >= MAX_INSTRUCTIONS) {
    return next;
  }
  switch (node.kind) {
  case NODE_EMPTY:
    return next;
  case NODE_SET:
    return add_code(regex, OP_SET, number, next, next);
  case NODE_ASSERT:
    return add_code(regex, OP_ASSERT, number, next, next);
  case NODE_ALL:
    return emit_all(regex, node.child, next);
  case NODE_ANY:
    return emit_any(regex, node.child, next);
  case NODE_REPEAT:
    return emit_repeat(regex, &node, next);
  }
  return next;
}

NACRE_PUBLIC nacre_regex *nacre_regex_new(const char *pattern,
                                          const char **problem) {
  nacre_regex *regex = nacre_block_new(sizeof *regex);
  memset(regex, 0, sizeof *regex);
  if (nacre_regex_read(pattern, &regex->tree, problem)) {
    size_t done = add_code(regex, OP_DONE, 0, 0, 0);
    regex->start = emit(regex, regex->tree.root, done);
    if (regex->code.count < MAX_INSTRUCTIONS) {
      return regex;
    }
    *problem = "it is too large";
  }
  nacre_regex_delete(regex);
  return NULL;
}

NACRE_PUBLIC void nacre_regex_delete(nacre_regex *regex) {
  nacre_block_delete(regex->tree.nodes.data);
  nacre_block_delete(regex->tree.ranges.data);
  nacre_block_delete(regex->code.data);
  nacre_block_delete(regex);
}

/*===----------------------------------------------------------------------===*\
|* Matching
\*===----------------------------------------------------------------------===*/

/* States, each once. */
struct states {
  size_t *list, count;
  size_t *round; /* per state: when it was added last */
};

struct machine {
  const nacre_regex *regex;
  struct states current, next;
  size_t *stack;
  size_t number; /* of the round */
};

static int is_word(int32_t point) {
  return (point >= '0' && point <= '9') || point == '_' ||
         (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z');
}

/* Of the code points on both sides of a place; the ends of the text have
   none. */
static int holds(enum assertion assertion, int32_t before, int32_t after,
                 int is_start, int is_end) {
  switch (assertion) {
  case AT_TEXT_START:
    return is_start;
  case AT_TEXT_END:
    return is_end;
  case AT_LINE_START:
    return is_start || before == '\n';
  case AT_LINE_END:
    return is_end || after == '\n';
  case AT_WORD_BOUNDARY:
    return is_word(before) != is_word(after);
  case AT_NO_WORD_BOUNDARY:
    return is_word(before) == is_word(after);
  }
  return 0;
}

static int takes(const nacre_regex *regex, const struct node *set,
                 int32_t point) {
  if (point == NO_CODE_POINT) {
    return 0;
  }
  const struct range *ranges = regex->tree.ranges.data;
  for (size_t i = set->first_range; i < set->end_range; ++i) {
    if (point >= ranges[i].low && point <= ranges[i].high) {
      return !set->is_negated;
    }
  }
  return set->is_negated;
}

/* A place in the text. */
struct place {
  int32_t before, after;
  int is_start, is_end;
};

/* Adds a state and all that follow from it at this place. */
static void add_state(struct machine *m, struct states *states, size_t state,
                      const struct place *place) {
  size_t depth = 0;
  m->stack[depth++] = state;
  while (depth > 0) {
    state = m->stack[--depth];
    if (states->round[state] == m->number) {
      continue;
    }
    states->round[state] = m->number;
    const struct instruction *code = get_code(m->regex, state);
    if (code->operation == OP_SPLIT) {
      m->stack[depth++] = code->targets[1];
      m->stack[depth++] = code->targets[0];
    } else if (code->operation != OP_ASSERT) {
      states->list[states->count++] = state;
    } else if (holds(get_node(m->regex, code->node)->assertion, place->before,
                     place->after, place->is_start, place->is_end)) {
      m->stack[depth++] = code->targets[0];
    }
  }
}

static int run(struct machine *m, const char *text, const char *end) {
  struct place place = {NO_CODE_POINT, NO_CODE_POINT, 1, text == end};
  const char *ahead = text;
  if (text != end) {
    place.after = nacre_next_code_point(&ahead);
  }
  m->number = 1;
  add_state(m, &m->current, m->regex->start, &place);
  while (!place.is_end) {
    int32_t point = place.after;
    text = ahead;
    place.before = point;
    place.is_start = 0;
    place.is_end = text == end;
    place.after = text == end ? NO_CODE_POINT : nacre_next_code_point(&ahead);
    ++m->number;
    m->next.count = 0;
    for (size_t i = 0; i < m->current.count; ++i) {
      const struct instruction *code = get_code(m->regex, m->current.list[i]);
      if (code->operation == OP_SET &&
          takes(m->regex, get_node(m->regex, code->node), point)) {
        add_state(m, &m->next, code->targets[0], &place);
      }
    }
    struct states swapped = m->current;
    m->current = m->next;
    m->next = swapped;
  }
  for (size_t i = 0; i < m->current.count; ++i) {
    if (get_code(m->regex, m->current.list[i])->operation == OP_DONE) {
      return 1;
    }
  }
  return 0;
}

NACRE_PUBLIC int nacre_regex_matches(const nacre_regex *regex, const char *text,
                                     size_t size) {
  size_t count = regex->code.count;
  /* Both lists, when their states were added, and a stack to which each state
     adds at most two. */
  size_t words = 4 * count + 2 * count + 2;
  size_t *memory = nacre_block_new(words * sizeof *memory);
  memset(memory, 0, words * sizeof *memory);
  struct machine machine = {regex,
                            {memory, 0, memory + count},
                            {memory + 2 * count, 0, memory + 3 * count},
                            memory + 4 * count,
                            0};
  int matches = run(&machine, text, text + size);
  nacre_block_delete(memory);
  return matches;
}
