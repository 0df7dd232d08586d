/*===- Spare.h - Memory that results leave to later ones ---------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A result belongs to the caller, so it cannot lie in the pool of its run. When
|* its owner releases it, its memory stays here for results of later runs, for
|* the reason that pools have. What two runs in a row did not need is freed.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_SPARE_H
#define NACRE_LIB_RUNTIME_SPARE_H

#include <stddef.h>

/* A block of `*size` bytes or somewhat more, which becomes the new `*size`, or
   null. */
void *nacre_spare_take(size_t *size);
/* Keeps a block. Returns one that is to be freed in its place, or null. */
void *nacre_spare_keep(void *block, size_t size);
/* Frees what was there before this run and the one before it. */
void nacre_spares_age(void (*deallocate)(void *));
/* Frees all of it. */
void nacre_spares_delete(void (*deallocate)(void *));

#endif /* NACRE_LIB_RUNTIME_SPARE_H */
