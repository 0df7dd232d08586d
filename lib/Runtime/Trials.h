/*===- Trials.h - Whether a step takes less time unshared --------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What a second thread costs depends on the machine and on who else uses it:
|* cores that are far from each other take longer to pass on what one of them
|* wrote than to compute it. So each step that is shared is done alone from time
|* to time, on trial. Where that takes less than half of the time, alone is how
|* it is done, and what is on trial is to share it. The more often a trial has
|* the same result, the rarer it becomes, and there are no more trials than are
|* expected to cost a small share of the time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_LIB_RUNTIME_TRIALS_H
#define NACRE_LIB_RUNTIME_TRIALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C. */

typedef void (*nacre_part)(void *frame, uint64_t index);

/* What is known of a step. All zero while nothing is. */
struct nacre_trial {
  /* The step, as far as it can be told from others. */
  nacre_part step;
  uint64_t count;
  uint32_t threads;
  /* How often it is done as usual until the next trial, and in between. */
  uint32_t rest;
  uint32_t patience;
  uint32_t stage;
  uint32_t is_alone;
  /* Nanoseconds as usual before a trial, and in it. */
  uint64_t before;
  uint64_t other;
  /* Nanoseconds that the trial under way may take longer. */
  uint64_t reserved;
};

enum { NACRE_TRIALS = 256 };

/* Those of the steps of one caller. A step that has the place of another one
   takes it, and nothing is known of it then. All zero at first. */
struct nacre_trials {
  struct nacre_trial of[NACRE_TRIALS];
  /* Nanoseconds that steps took as usual, and that trials took beyond that or
     have reserved. */
  uint64_t usual;
  uint64_t spent;
};

/* That of a step. */
struct nacre_trial *nacre_trials_find(struct nacre_trials *trials,
                                      nacre_part step, uint64_t count,
                                      uint32_t threads);

/* Whether the caller does all parts the next time. */
int nacre_trial_is_alone(const struct nacre_trial *trial);

/* Enters how long one of the steps took, done as nacre_trial_is_alone said. */
void nacre_trial_enter(struct nacre_trials *trials, struct nacre_trial *trial,
                       uint64_t nanoseconds);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* NACRE_LIB_RUNTIME_TRIALS_H */
