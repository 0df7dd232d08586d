/*===- Trials.c - Whether a step takes less time unshared -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A trial is two runs of a step in the other way, of which the first brings the
|* data to the cores that will have them in the second, and two as usual again.
|* The second of each is compared. Where those as usual before and after differ
|* much, something else has changed, perhaps the size of the data.
|*
\*===----------------------------------------------------------------------===*/

#include "Trials.h"
#include "Value.h"

enum stage { USUAL, MOVES, TRIES, MOVES_BACK, CONFIRMS };

/* For each thread, how often a step is done as usual before the first trial and
   at most between two: a trial of doing it alone may take so many times as
   long. */
enum { LEAST_PATIENCE = 8, MOST_PATIENCE = 256 };

NACRE_PUBLIC struct nacre_trial *nacre_trials_find(struct nacre_trials *trials,
                                                   nacre_part part,
                                                   uint64_t count,
                                                   uint32_t threads) {
  /* Functions begin at multiples of 16. */
  uint64_t place = ((uint64_t)(uintptr_t)part >> 4) + count * 31;
  struct nacre_trial *trial = &trials->of[place % NACRE_TRIALS];
  if (trial->part != part || trial->count != count ||
      trial->threads != threads) {
    *trial = (struct nacre_trial){.part = part,
                                  .count = count,
                                  .threads = threads,
                                  .rest = LEAST_PATIENCE * threads,
                                  .patience = LEAST_PATIENCE * threads};
  }
  return trial;
}

NACRE_PUBLIC int nacre_trial_is_alone(const struct nacre_trial *trial) {
  int is_other = trial->stage == MOVES || trial->stage == TRIES;
  return is_other ? !trial->is_alone : (int)trial->is_alone;
}

/* Whether a step is to be done alone, which then has to take half the time at
   most: what follows finds its data with one core, and has to move half of them
   where it is shared. */
static int gains_alone(const struct nacre_trial *trial, uint64_t after) {
  uint64_t low = trial->before < after ? trial->before : after;
  uint64_t high = trial->before < after ? after : trial->before;
  if (high > low + low / 2) {
    return 0;
  }
  uint64_t alone = trial->is_alone ? high : trial->other;
  uint64_t shared = trial->is_alone ? trial->other : low;
  return alone <= shared / 2;
}

NACRE_PUBLIC void nacre_trial_enter(struct nacre_trial *trial,
                                    uint64_t nanoseconds) {
  switch ((enum stage)trial->stage) {
  case USUAL:
    trial->before = nanoseconds;
    if (--trial->rest == 0) {
      trial->stage = MOVES;
    }
    return;
  case TRIES:
    trial->other = nanoseconds;
    break;
  case MOVES:
  case MOVES_BACK:
    break;
  case CONFIRMS: {
    uint32_t is_alone = (uint32_t)gains_alone(trial, nanoseconds);
    if (is_alone != trial->is_alone) {
      trial->is_alone = is_alone;
      trial->patience = LEAST_PATIENCE * trial->threads;
    } else if (trial->patience < MOST_PATIENCE * trial->threads) {
      trial->patience *= 2;
    }
    trial->rest = trial->patience;
    trial->stage = USUAL;
    return;
  }
  }
  ++trial->stage;
}
