/*===- Team.h - Threads that share the steps of a run ------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A team is a thread that calls and workers. Whoever is free takes a part of
|* the step that the caller shares: a worker its own ones first, which are the
|* same in every step, so that it finds in its cache what it wrote there, then
|* those that others have not begun. So the caller waits for parts that a worker
|* has begun, and never for a worker.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_TEAM_H
#define NACRE_LIB_RUNTIME_TEAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C. */

struct nacre_team;

/* A team with room for `most` threads, the caller among them, that has no
   worker yet; null when there is no memory. */
struct nacre_team *nacre_team_new(unsigned most);

/* Ends the workers. For who has the team. */
void nacre_team_end(struct nacre_team *team);
/* The same, and frees the team. */
void nacre_team_delete(struct nacre_team *team);

/* Makes the team the calling thread's for a step. Returns 0 where it is another
   one's. */
int nacre_team_try_acquire(struct nacre_team *team);
void nacre_team_release(struct nacre_team *team);

/* Starts workers until the team has `threads` threads, or has no room for more,
   or the system refuses. For who has the team. */
void nacre_team_start(struct nacre_team *team, unsigned threads);

/* Calls `part` once for each index below `count`, on at most `threads` threads,
   and returns when all calls have. `step` is a function that stands for the
   step, mostly `part`. Workers need not have been started. For who has the
   team. */
void nacre_team_share(struct nacre_team *team, unsigned threads,
                      void (*step)(void *frame, uint64_t index),
                      void (*part)(void *frame, uint64_t index), void *frame,
                      uint64_t count);

/* What worker `member`, counted from 1, does with the step under way: takes
   parts until none is left that nobody has begun. Returns how many groups of
   parts that were. */
unsigned nacre_team_help(struct nacre_team *team, unsigned member);

/* Enters what a step gained by being shared, or lost where that is negative, as
   nacre_team_share does when it finds it. When losses outweigh what was gained
   lately, the caller does its steps alone for a while. For who has the team. */
void nacre_team_account(struct nacre_team *team, int64_t nanoseconds);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* NACRE_LIB_RUNTIME_TEAM_H */
