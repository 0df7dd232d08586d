/*===- Spare.c - Memory that results leave to later ones ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A few blocks, as models have few results.
|*
\*===----------------------------------------------------------------------===*/

#include "Spare.h"
#include "Value.h"

#include <stdatomic.h>

enum { MOST = 16 };

static struct spare {
  void *block; /* null where there is none */
  size_t size;
  int runs; /* that have ended since */
} spares[MOST];

static atomic_flag is_busy = ATOMIC_FLAG_INIT;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&is_busy, memory_order_acquire)) {
  }
}

static void unlock(void) {
  atomic_flag_clear_explicit(&is_busy, memory_order_release);
}

NACRE_PUBLIC void *nacre_spare_take(size_t *size) {
  void *block = NULL;
  lock();
  struct spare *best = NULL;
  for (struct spare *spare = spares; spare != spares + MOST; ++spare) {
    /* Not much more than is needed. */
    int fits = spare->block && spare->size >= *size &&
               spare->size - *size <= *size / 4;
    if (fits && (!best || spare->size < best->size)) {
      best = spare;
    }
  }
  if (best) {
    block = best->block;
    *size = best->size;
    best->block = NULL;
  }
  unlock();
  return block;
}

NACRE_PUBLIC void *nacre_spare_keep(void *block, size_t size) {
  lock();
  /* A free place, or that of the smallest, if it is smaller. */
  struct spare *place = spares;
  for (struct spare *spare = spares; spare != spares + MOST && place->block;
       ++spare) {
    if (!spare->block || spare->size < place->size) {
      place = spare;
    }
  }
  void *replaced = block;
  if (!place->block || place->size < size) {
    replaced = place->block;
    *place = (struct spare){block, size, 0};
  }
  unlock();
  return replaced;
}

/* Frees what as many runs did not need. */
static void delete_unused(int runs, void (*deallocate)(void *)) {
  lock();
  for (struct spare *spare = spares; spare != spares + MOST; ++spare) {
    if (spare->block && spare->runs++ >= runs) {
      deallocate(spare->block);
      spare->block = NULL;
    }
  }
  unlock();
}

NACRE_PUBLIC void nacre_spares_age(void (*deallocate)(void *)) {
  delete_unused(1, deallocate);
}

NACRE_PUBLIC void nacre_spares_delete(void (*deallocate)(void *)) {
  delete_unused(0, deallocate);
}
