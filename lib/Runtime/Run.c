/*===- Run.c - Memory and failures of a run -------------------------------===*\
|*
|* A run owns the memory and the values that it creates, so that it can end
|* anywhere.
|*
\*===----------------------------------------------------------------------===*/

#include "Pool.h"
#include "Value.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Precedes each block of a run, in the list of all of them. */
struct block {
  struct block *previous;
  struct block *next;
};

struct nacre_run {
  struct nacre_run *outer;
  struct block *blocks;
  struct nacre_pool *pool; /* of the large ones */
  nacre_value *values;     /* that it made and that live, the newest first */
  jmp_buf end;
};

static __thread struct nacre_run *current;
/* Of a thread that has no run and works for that of another. */
static __thread struct nacre_pool *own;
static __thread char error[256];

static void *allocate_aligned(size_t size, size_t alignment) {
  size_t rounded = (size + alignment - 1) / alignment * alignment;
  return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static struct nacre_allocator allocator = {allocate_aligned, free};

NACRE_PUBLIC void nacre_set_allocator(void *(*alloc)(size_t, size_t),
                                      void (*dealloc)(void *)) {
  nacre_pools_delete();
  allocator.allocate = alloc;
  allocator.deallocate = dealloc;
}

NACRE_PUBLIC void nacre_trim(void) { nacre_pools_delete(); }

NACRE_PUBLIC const char *nacre_error(void) { return error; }

NACRE_PUBLIC void nacre_fail(const char *message) {
  if (!current) {
    fprintf(stderr, "nacre: error: %s\n", message);
    abort();
  }
  snprintf(error, sizeof error, "%s", message);
  longjmp(current->end, 1);
}

/*===----------------------------------------------------------------------===*\
|* Memory
\*===----------------------------------------------------------------------===*/

NACRE_PUBLIC void *nacre_block_new(size_t size) {
  void *result = allocator.allocate(size ? size : 1, ALIGNMENT);
  if (!result) {
    nacre_fail("out of memory");
  }
  return result;
}

NACRE_PUBLIC void nacre_block_delete(void *block) {
  if (block) {
    allocator.deallocate(block);
  }
}

static struct nacre_pool **get_pool(void) {
  return current ? &current->pool : &own;
}

static void *alloc_in_pool(size_t size) {
  struct nacre_pool **pool = get_pool();
  if (!*pool) {
    *pool = nacre_pool_acquire(current ? NACRE_POOL_RUN : NACRE_POOL_THREAD,
                               allocator);
  }
  void *memory = *pool ? nacre_pool_allocate(*pool, size) : NULL;
  if (!memory) {
    nacre_fail("out of memory");
  }
  return memory;
}

/* 0 where the block is not of the pool. */
static int free_in_pool(void *block) {
  struct nacre_pool *pool = *get_pool();
  if (!pool || !nacre_pool_free(pool, block)) {
    return 0;
  }
  if (!current && nacre_pool_is_empty(pool)) {
    own = NULL;
    nacre_pool_release(pool);
  }
  return 1;
}

NACRE_PUBLIC void *nacre_alloc(size_t size) {
  if (size > SIZE_MAX - ALIGNMENT) {
    nacre_fail("out of memory");
  }
  if (size >= NACRE_POOL_LEAST) {
    return alloc_in_pool(size);
  }
  struct block *block = nacre_block_new(size + ALIGNMENT);
  block->previous = NULL;
  block->next = current ? current->blocks : NULL;
  if (block->next) {
    block->next->previous = block;
  }
  if (current) {
    current->blocks = block;
  }
  return (char *)block + ALIGNMENT;
}

NACRE_PUBLIC void nacre_free(void *memory) {
  if (!memory || free_in_pool(memory)) {
    return;
  }
  struct block *block = (struct block *)((char *)memory - ALIGNMENT);
  if (block->next) {
    block->next->previous = block->previous;
  }
  if (block->previous) {
    block->previous->next = block->next;
  } else if (current) {
    current->blocks = block->next;
  }
  allocator.deallocate(block);
}

/*===----------------------------------------------------------------------===*\
|* Values
\*===----------------------------------------------------------------------===*/

NACRE_PUBLIC nacre_value *nacre_value_new(enum nacre_kind kind, int64_t rank) {
  size_t size = sizeof(nacre_value) + (size_t)rank * sizeof(int64_t);
  nacre_value *value = nacre_block_new(size);
  memset(value, 0, size);
  value->kind = kind;
  value->owners = 1;
  value->rank = rank;
  if (current) {
    value->run = current;
    value->held = 1;
    value->next = current->values;
    if (value->next) {
      value->next->previous = value;
    }
    current->values = value;
  }
  return value;
}

NACRE_PUBLIC void nacre_value_leave(nacre_value *value) {
  if (!value->run) {
    return;
  }
  if (value->next) {
    value->next->previous = value->previous;
  }
  if (value->previous) {
    value->previous->next = value->next;
  } else {
    value->run->values = value->next;
  }
  value->run = NULL;
  value->previous = value->next = NULL;
}

/* What this run did not make belongs to its caller, and outlives it. */
static int is_own(const nacre_value *value) {
  return value && current && value->run == current;
}

NACRE_PUBLIC void nacre_keep(nacre_value *value) {
  if (is_own(value) && value->held++ == 0) {
    nacre_retain(value);
  }
}

NACRE_PUBLIC void nacre_value_drop(nacre_value *value) {
  if (is_own(value) && value->held > 0 && --value->held == 0) {
    nacre_release(value);
  }
}

NACRE_PUBLIC void nacre_drop(nacre_value *value) {
  int has_strings =
      value && value->kind == NACRE_KIND_TENSOR && value->type == NACRE_STRING;
  if (!has_strings) {
    nacre_value_drop(value);
  }
}

NACRE_PUBLIC int nacre_value_is_free(const nacre_value *value) {
  return is_own(value) && value->held == 1 && value->owners == 1;
}

/*===----------------------------------------------------------------------===*\
|* Runs
\*===----------------------------------------------------------------------===*/

static void finish(struct nacre_run *run) {
  while (run->values) {
    nacre_value *value = run->values;
    nacre_value_leave(value);
    if (value->held > 0) {
      value->held = 0;
      nacre_release(value);
    }
  }
  while (run->blocks) {
    struct block *block = run->blocks;
    run->blocks = block->next;
    allocator.deallocate(block);
  }
  if (run->pool) {
    nacre_pool_release(run->pool);
  }
  current = run->outer;
}

NACRE_PUBLIC int nacre_run(void (*body)(void *), void *argument) {
  struct nacre_run run;
  memset(&run, 0, sizeof run);
  run.outer = current;
  current = &run;
  error[0] = '\0';
  if (setjmp(run.end)) {
    finish(&run);
    return 3;
  }
  body(argument);
  finish(&run);
  return 0;
}
