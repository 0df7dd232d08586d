/*===- Pool.h - Memory that runs leave to later ones -------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The blocks of a run that are larger than a page lie in a pool, which the next
|* run finds again: what the operating system gives is new to every page, and
|* costs as much as many a layer. A pool is of one run at a time and as large as
|* the last one needed.
|* The threads that work for a run have pools of their own for each part of it,
|* which stay as large as they ever had to be.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_POOL_H
#define NACRE_LIB_RUNTIME_POOL_H

#include <stddef.h>

struct nacre_pool;

/* Blocks smaller than a page are not worth a place in a pool. Of larger ones, a
   C library may give those that are free back to the operating system: glibc
   does so with what is free at the end of its memory, from 128 KB on. */
enum { NACRE_POOL_LEAST = 1 << 12 };

/* How pools get and return their memory. */
struct nacre_allocator {
  void *(*allocate)(size_t size, size_t alignment);
  void (*deallocate)(void *block);
};

/* Who has a pool. One that a run left is not for a thread, which needs less. */
enum nacre_pool_user { NACRE_POOL_RUN, NACRE_POOL_THREAD };

/* A pool that nobody uses, or a new one; null when there is no memory. */
struct nacre_pool *nacre_pool_acquire(enum nacre_pool_user user,
                                      struct nacre_allocator allocator);
/* Returns a pool with all blocks in it. */
void nacre_pool_release(struct nacre_pool *pool);
/* Frees the memory of all pools that nobody uses. */
void nacre_pools_delete(void);

/* A block of `size` bytes aligned to 64, or null. */
void *nacre_pool_allocate(struct nacre_pool *pool, size_t size);
/* 0, and nothing else, where the block is not of the pool. */
int nacre_pool_free(struct nacre_pool *pool, void *block);

#endif /* NACRE_LIB_RUNTIME_POOL_H */
