/*===- Threads.c - Which threads a run has --------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A run takes a team for a step, and gives it back. Runs at the same time have
|* a team each as long as there are cores for them; one that finds none does its
|* step alone.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE

#include "Team.h"
#include "Value.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_TEAMS = 64, MOST_THREADS = 1024 };

/* Zero in a process that this one forks, where its threads are not, either;
   where the system has no such memory, the process works alone. */
struct registry {
  pid_t owner; /* the process with the threads, where that is known */
  _Atomic(struct nacre_team *) teams[MOST_TEAMS];
};

static struct registry *registry;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned most_threads; /* of all runs together, and of each */
static atomic_int is_closed;

static unsigned count_cores(void) {
  cpu_set_t allowed;
  if (!sched_getaffinity(0, sizeof allowed, &allowed)) {
    return (unsigned)CPU_COUNT(&allowed);
  }
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (unsigned)cores : 1;
}

static void initialize(void) {
  const char *text = getenv("NACRE_THREADS");
  char *end = NULL;
  long named = text ? strtol(text, &end, 10) : 0;
  int is_number = text && end != text && *end == '\0' && named > 0;
  most_threads = is_number
                     ? (unsigned)(named < MOST_THREADS ? named : MOST_THREADS)
                     : count_cores();
  void *page = mmap(NULL, sizeof *registry, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    registry = page;
    registry->owner = getpid();
    (void)madvise(page, sizeof *registry, MADV_WIPEONFORK);
  }
}

/* When the library goes, so do its threads. A thread of the program that still
   runs a model when the process ends keeps its team, or finds none: what a team
   consists of stays. */
__attribute__((destructor)) static void end_threads(void) {
  atomic_store(&is_closed, 1);
  if (!registry || (registry->owner != 0 && registry->owner != getpid())) {
    return;
  }
  for (int i = 0; i < MOST_TEAMS; ++i) {
    struct nacre_team *team = atomic_load(&registry->teams[i]);
    if (team && nacre_team_try_acquire(team)) {
      nacre_team_end(team);
    }
  }
}

/* The team at `place`, which is made if there is none yet. */
static struct nacre_team *get_team(unsigned place) {
  struct nacre_team *team =
      atomic_load_explicit(&registry->teams[place], memory_order_acquire);
  if (team || atomic_load_explicit(&is_closed, memory_order_relaxed)) {
    return team;
  }
  struct nacre_team *made = nacre_team_new(most_threads);
  if (made &&
      !atomic_compare_exchange_strong(&registry->teams[place], &team, made)) {
    nacre_team_delete(made);
    return team;
  }
  return made;
}

/* A team that is this thread's from now on, or null. */
static struct nacre_team *acquire_team(unsigned threads) {
  unsigned most_teams = most_threads / threads;
  for (unsigned i = 0; i < most_teams && i < MOST_TEAMS; ++i) {
    struct nacre_team *team = get_team(i);
    if (team && nacre_team_try_acquire(team)) {
      return team;
    }
  }
  return NULL;
}

NACRE_PUBLIC void nacre_share(void (*step)(void *frame, uint64_t index),
                              void (*part)(void *frame, uint64_t index),
                              void *frame, uint64_t count, uint32_t threads) {
  pthread_once(&once, initialize);
  if (threads > most_threads) {
    threads = most_threads;
  }
  struct nacre_team *team =
      threads > 1 && count > 1 && registry ? acquire_team(threads) : NULL;
  if (!team) {
    for (uint64_t i = 0; i < count; ++i) {
      part(frame, i);
    }
    return;
  }
  nacre_team_start(team, threads);
  nacre_team_share(team, threads, step, part, frame, count);
  nacre_team_release(team);
}
