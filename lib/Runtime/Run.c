/*===- Run.c - Memory and failures of a run -------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A run owns the memory and the values that it creates, so that it can end
|* anywhere. So does each part of it that threads share: a part ends by itself,
|* and the run when all of them have.
|*
\*===----------------------------------------------------------------------===*/

#include "Pool.h"
#include "Spare.h"
#include "Value.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Precedes each block of a run, in the list of all of them. */
struct block {
  struct block *previous;
  struct block *next;
};

enum { MESSAGE = 256 };

struct nacre_run {
  struct nacre_run *outer;
  struct block *blocks;
  struct nacre_pool *pool; /* of those larger than a page */
  enum nacre_pool_user user;
  nacre_value *values; /* that it made and that live, the newest first */
  jmp_buf end;
  /* Of the first of its parts that failed. */
  atomic_int has_failed;
  char failure[MESSAGE];
};

static __thread struct nacre_run *current;
static __thread char error[MESSAGE];

static void *allocate_aligned(size_t size, size_t alignment) {
  size_t rounded = (size + alignment - 1) / alignment * alignment;
  return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static struct nacre_allocator allocator = {allocate_aligned, free};

NACRE_PUBLIC void nacre_set_allocator(void *(*alloc)(size_t, size_t),
                                      void (*dealloc)(void *)) {
  nacre_trim();
  allocator.allocate = alloc;
  allocator.deallocate = dealloc;
}

NACRE_PUBLIC void nacre_trim(void) {
  nacre_pools_delete();
  nacre_spares_delete(allocator.deallocate);
}

/* When the library goes, so does what it kept. */
__attribute__((destructor)) static void trim_at_exit(void) { nacre_trim(); }

NACRE_PUBLIC const char *nacre_error(void) { return error; }

NACRE_PUBLIC int nacre_refuse(int status, const char *reason) {
  snprintf(error, sizeof error, "%s", reason);
  return status;
}

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

NACRE_PUBLIC void *nacre_data_new(size_t *size) {
  void *block = *size >= NACRE_POOL_LEAST ? nacre_spare_take(size) : NULL;
  return block ? block : nacre_block_new(*size);
}

NACRE_PUBLIC void nacre_data_delete(void *data, size_t size,
                                    void (*deallocate)(void *)) {
  /* Other allocators' blocks are not for runs of this one. */
  if (size >= NACRE_POOL_LEAST && deallocate == allocator.deallocate) {
    data = nacre_spare_keep(data, size);
  }
  if (data) {
    deallocate(data);
  }
}

static void *alloc_in_pool(size_t size) {
  if (!current->pool) {
    current->pool = nacre_pool_acquire(current->user, allocator);
  }
  void *memory =
      current->pool ? nacre_pool_allocate(current->pool, size) : NULL;
  if (!memory) {
    nacre_fail("out of memory");
  }
  return memory;
}

NACRE_PUBLIC void *nacre_alloc(uint64_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT) {
    nacre_fail("out of memory");
  }
  size_t size = (size_t)bytes;
  if (size >= NACRE_POOL_LEAST) {
    return alloc_in_pool(size);
  }
  struct block *block = nacre_block_new(size + ALIGNMENT);
  block->previous = NULL;
  block->next = current->blocks;
  if (block->next) {
    block->next->previous = block;
  }
  current->blocks = block;
  return (char *)block + ALIGNMENT;
}

NACRE_PUBLIC void nacre_free(void *memory) {
  if (!memory || (current->pool && nacre_pool_free(current->pool, memory))) {
    return;
  }
  struct block *block = (struct block *)((char *)memory - ALIGNMENT);
  if (block->next) {
    block->next->previous = block->previous;
  }
  if (block->previous) {
    block->previous->next = block->next;
  } else {
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
  value->deallocate = allocator.deallocate;
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

/* Calls `body` as what `current` is meanwhile. Returns 0 if it failed. */
static int call(struct nacre_run *run, void (*body)(void *), void *argument) {
  run->outer = current;
  current = run;
  if (setjmp(run->end)) {
    return 0;
  }
  body(argument);
  return 1;
}

NACRE_PUBLIC int nacre_run(void (*body)(void *), void *argument) {
  struct nacre_run run;
  memset(&run, 0, sizeof run);
  run.user = NACRE_POOL_RUN;
  error[0] = '\0';
  int is_done = call(&run, body, argument);
  finish(&run);
  nacre_spares_age(allocator.deallocate);
  return is_done ? NACRE_OK : NACRE_FAILED;
}

NACRE_PUBLIC struct nacre_run *nacre_run_current(void) { return current; }

NACRE_PUBLIC void nacre_run_part(struct nacre_run *whole, void (*body)(void *),
                                 void *argument) {
  if (atomic_load_explicit(&whole->has_failed, memory_order_relaxed)) {
    return;
  }
  struct nacre_run part;
  memset(&part, 0, sizeof part);
  part.user = NACRE_POOL_THREAD;
  /* The thread that shares the work goes on with the pool that it has. */
  int has_pool = whole == current;
  if (has_pool) {
    part.pool = whole->pool;
    part.user = whole->user;
  }
  int is_done = call(&part, body, argument);
  if (has_pool) {
    whole->pool = part.pool;
    part.pool = NULL;
  }
  finish(&part);
  if (!is_done && !atomic_exchange(&whole->has_failed, 1)) {
    memcpy(whole->failure, error, sizeof error);
  }
}

NACRE_PUBLIC void nacre_run_join(struct nacre_run *whole) {
  if (atomic_load_explicit(&whole->has_failed, memory_order_relaxed)) {
    nacre_fail(whole->failure);
  }
}

/* A step of parts that may fail. */
struct step {
  struct nacre_run *whole;
  void (*part)(void *frame, uint64_t index);
  void *frame;
};

struct part {
  const struct step *step;
  uint64_t index;
};

static void do_part(void *argument) {
  const struct part *part = argument;
  part->step->part(part->step->frame, part->index);
}

static void run_part(void *frame, uint64_t index) {
  struct part part = {frame, index};
  nacre_run_part(part.step->whole, do_part, &part);
}

NACRE_PUBLIC void
nacre_run_share(void (*share)(void (*step)(void *frame, uint64_t index),
                              void (*part)(void *frame, uint64_t index),
                              void *frame, uint64_t count, uint32_t threads),
                void (*part)(void *frame, uint64_t index), void *frame,
                uint64_t count, uint32_t threads) {
  struct step step = {current, part, frame};
  share(part, run_part, &step, count, threads);
  nacre_run_join(step.whole);
}
