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

/* What trials may cost: so many nanoseconds, for which some steps of a small
   model are tried at once, and one in so many of the time of all steps. */
enum { FREE_NS = 2 * 1000 * 1000, USUAL_FOR_TRIALS = 256 };

/* Nothing is tried that may take longer alone, in nanoseconds: a run should not
   wait for it, and what moving data costs is less then. */
enum { MOST_TRIAL_NS = 4 * 1000 * 1000 };

NACRE_PUBLIC struct nacre_trial *nacre_trials_find(struct nacre_trials *trials,
                                                   nacre_part step,
                                                   uint64_t count,
                                                   uint32_t threads) {
  /* Functions begin at multiples of 16. */
  uint64_t place = ((uint64_t)(uintptr_t)step >> 4) + count * 31;
  struct nacre_trial *trial = &trials->of[place % NACRE_TRIALS];
  if (trial->step != step || trial->count != count ||
      trial->threads != threads) {
    uint32_t patience = LEAST_PATIENCE * threads;
    trials->spent -= trial->reserved;
    /* Not all steps of a model in one run of it. */
    *trial = (struct nacre_trial){.step = step,
                                  .count = count,
                                  .threads = threads,
                                  .rest = patience + place % patience,
                                  .patience = patience};
  }
  return trial;
}

NACRE_PUBLIC int nacre_trial_is_alone(const struct nacre_trial *trial) {
  int is_other = trial->stage == MOVES || trial->stage == TRIES;
  return is_other ? !trial->is_alone : (int)trial->is_alone;
}

static void end_trial(struct nacre_trial *trial, uint64_t after) {
  uint64_t low = trial->before < after ? trial->before : after;
  uint64_t high = trial->before < after ? after : trial->before;
  /* What a step takes as usual is about the same before a trial and behind. */
  int is_known = high <= low + low / 2;
  /* Alone it has to take less than half the time: what follows finds its data
     with one core then, and has to move half of them where it is shared. */
  int gains_alone =
      trial->is_alone ? high < trial->other / 2 : trial->other < low / 2;
  /* Sharing is what needs no proof. */
  uint32_t is_alone = is_known && gains_alone;
  if (is_alone != trial->is_alone) {
    trial->is_alone = is_alone;
    trial->patience = LEAST_PATIENCE * trial->threads;
  } else if (is_known && trial->patience < MOST_PATIENCE * trial->threads) {
    trial->patience *= 2;
  }
  trial->rest = trial->patience;
  trial->stage = USUAL;
}

/* Whether a trial may begin of a step that takes so long as usual. If so, it
   has a reserve: to do a step alone that is shared as usual, twice. */
static int reserve(struct nacre_trials *trials, struct nacre_trial *trial,
                   uint64_t nanoseconds) {
  if (trial->is_alone) {
    return 1;
  }
  uint64_t most = 2 * trial->threads * nanoseconds;
  if (trials->spent + most > FREE_NS + trials->usual / USUAL_FOR_TRIALS) {
    return 0;
  }
  trial->reserved = most;
  trials->spent += most;
  return 1;
}

static void account(struct nacre_trials *trials,
                    const struct nacre_trial *trial, uint64_t nanoseconds) {
  if (trial->stage == USUAL) {
    trials->usual += nanoseconds;
  } else if (nanoseconds > trial->before) {
    trials->spent += nanoseconds - trial->before;
  }
}

NACRE_PUBLIC void nacre_trial_enter(struct nacre_trials *trials,
                                    struct nacre_trial *trial,
                                    uint64_t nanoseconds) {
  account(trials, trial, nanoseconds);
  switch ((enum stage)trial->stage) {
  case USUAL:
    trial->before = nanoseconds;
    if (--trial->rest > 0) {
      return;
    }
    if (!trial->is_alone && nanoseconds > MOST_TRIAL_NS / trial->threads) {
      trial->rest = trial->patience;
      return;
    }
    if (!reserve(trials, trial, nanoseconds)) {
      /* As soon as it may. */
      trial->rest = 1;
      return;
    }
    break;
  case TRIES:
    trial->other = nanoseconds;
    trials->spent -= trial->reserved;
    trial->reserved = 0;
    break;
  case MOVES:
  case MOVES_BACK:
    break;
  case CONFIRMS:
    end_trial(trial, nanoseconds);
    return;
  }
  ++trial->stage;
}
