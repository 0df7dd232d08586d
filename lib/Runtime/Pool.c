/*===- Pool.c - Memory that runs leave to later ones ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A pool consists of regions, each cut into blocks without gaps in the order of
|* their addresses. A block is found by going through them: there are few, as
|* the smallest ones are not kept here.
|*
\*===----------------------------------------------------------------------===*/

#include "Pool.h"
#include "Value.h"

#include <stdatomic.h>
#include <stdint.h>

enum { ALIGNMENT = 64 };

/* Precedes each block; `size` counts both. */
struct piece {
  size_t size;
  int is_used;
};

struct region {
  struct region *next;
  size_t size; /* of the pieces, which follow */
};

struct nacre_pool {
  struct nacre_pool *next;
  enum nacre_pool_user user;
  struct nacre_allocator allocator;
  struct region *regions;
  size_t wanted; /* bytes that the last run took from the operating system */
  size_t used, most;
};

static struct nacre_pool *idle[NACRE_POOL_THREAD + 1];
static atomic_flag is_busy = ATOMIC_FLAG_INIT;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&is_busy, memory_order_acquire)) {
  }
}

static void unlock(void) {
  atomic_flag_clear_explicit(&is_busy, memory_order_release);
}

static struct piece *first_piece(struct region *region) {
  return (struct piece *)((char *)region + ALIGNMENT);
}

static struct piece *next_piece(struct piece *piece) {
  return (struct piece *)((char *)piece + piece->size);
}

static struct piece *end_of(struct region *region) {
  return (struct piece *)((char *)first_piece(region) + region->size);
}

/* A region with room for one block of `size`, header included. */
static struct region *add_region(struct nacre_pool *pool, size_t size) {
  struct region *region =
      size > SIZE_MAX - ALIGNMENT
          ? NULL
          : pool->allocator.allocate(size + ALIGNMENT, ALIGNMENT);
  if (!region) {
    return NULL;
  }
  region->next = pool->regions;
  region->size = size;
  pool->regions = region;
  first_piece(region)->size = size;
  first_piece(region)->is_used = 0;
  return region;
}

static void delete_regions(struct nacre_pool *pool) {
  while (pool->regions) {
    struct region *region = pool->regions;
    pool->regions = region->next;
    pool->allocator.deallocate(region);
  }
}

/* The first of the idle ones, which no longer is in their list, or null. */
static struct nacre_pool *take_idle(enum nacre_pool_user user) {
  lock();
  struct nacre_pool *pool = idle[user];
  if (pool) {
    idle[user] = pool->next;
  }
  unlock();
  return pool;
}

NACRE_PUBLIC struct nacre_pool *
nacre_pool_acquire(enum nacre_pool_user user,
                   struct nacre_allocator allocator) {
  struct nacre_pool *pool = take_idle(user);
  if (pool) {
    return pool;
  }
  pool = allocator.allocate(sizeof *pool, ALIGNMENT);
  if (pool) {
    *pool = (struct nacre_pool){.user = user, .allocator = allocator};
  }
  return pool;
}

NACRE_PUBLIC void nacre_pool_release(struct nacre_pool *pool) {
  size_t total = 0;
  for (struct region *region = pool->regions; region; region = region->next) {
    total += region->size;
  }
  /* One region in place of several, and not of much more than is needed. */
  int is_fit = pool->regions && !pool->regions->next && total / 4 <= pool->most;
  if (!is_fit) {
    pool->wanted = total / 4 <= pool->most ? total : pool->most;
    delete_regions(pool);
  } else {
    first_piece(pool->regions)->size = total;
    first_piece(pool->regions)->is_used = 0;
  }
  pool->used = 0;
  if (pool->user == NACRE_POOL_RUN) {
    pool->most = 0;
  }
  lock();
  pool->next = idle[pool->user];
  idle[pool->user] = pool;
  unlock();
}

NACRE_PUBLIC void nacre_pools_delete(void) {
  for (int user = 0; user <= NACRE_POOL_THREAD; ++user) {
    struct nacre_pool *pool;
    while ((pool = take_idle(user))) {
      delete_regions(pool);
      pool->allocator.deallocate(pool);
    }
  }
}

/* The first piece of `size` that is free, behind which the rest stays free. */
static struct piece *take(struct region *region, size_t size) {
  for (struct piece *piece = first_piece(region); piece != end_of(region);
       piece = next_piece(piece)) {
    if (piece->is_used) {
      continue;
    }
    /* Neighbours that became free at different times. */
    for (struct piece *next = next_piece(piece);
         next != end_of(region) && !next->is_used; next = next_piece(piece)) {
      piece->size += next->size;
    }
    if (piece->size < size) {
      continue;
    }
    if (piece->size > size) {
      struct piece *rest = (struct piece *)((char *)piece + size);
      rest->size = piece->size - size;
      rest->is_used = 0;
      piece->size = size;
    }
    piece->is_used = 1;
    return piece;
  }
  return NULL;
}

NACRE_PUBLIC void *nacre_pool_allocate(struct nacre_pool *pool, size_t size) {
  if (size > SIZE_MAX / 2) {
    return NULL;
  }
  size_t whole = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
  struct piece *piece = NULL;
  for (struct region *region = pool->regions; region && !piece;
       region = region->next) {
    piece = take(region, whole);
  }
  if (!piece) {
    int is_first = !pool->regions && pool->wanted > whole;
    struct region *region = add_region(pool, is_first ? pool->wanted : whole);
    piece = region ? take(region, whole) : NULL;
  }
  if (!piece) {
    return NULL;
  }
  pool->used += whole;
  if (pool->most < pool->used) {
    pool->most = pool->used;
  }
  return (char *)piece + ALIGNMENT;
}

NACRE_PUBLIC int nacre_pool_free(struct nacre_pool *pool, void *block) {
  for (struct region *region = pool->regions; region; region = region->next) {
    char *start = (char *)first_piece(region);
    if ((char *)block > start && (char *)block < start + region->size) {
      struct piece *piece = (struct piece *)((char *)block - ALIGNMENT);
      piece->is_used = 0;
      pool->used -= piece->size;
      return 1;
    }
  }
  return 0;
}
