/*===- Team.c - Threads that share the steps of a run ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each member has a range of parts in one word, from whose front it takes its
|* own and from whose back others take what it has not begun. Who takes a part
|* takes it of the step that is under way then, whatever it has seen before; and
|* until it reports the part the step does not end. So what describes the step
|* is read after taking a part, and nobody who comes late does any harm.
|*
|* Whether a step gains by being shared is measured (Trials.h).
|*
|* A thread that the system stops in the middle of a part costs the others the
|* time until it goes on, often a slice of some milliseconds. So the caller has
|* an account of what sharing gains and loses, and works alone for a while when
|* it has lost more: a slice is more than two threads gain in its time, and much
|* less than sixteen do.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE

#include "Team.h"
#include "Clock.h"
#include "Trials.h"
#include "Value.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 128 };

/* A range: the first of its groups of parts, the one behind the last, and
   whether its owner sleeps until there is a range. */
enum { MOST_GROUPS = (1 << 15) - 1, END_SHIFT = 15 };
#define ASLEEP (1u << 31)

/* Of the number of groups to be done: whether the caller sleeps until then. */
#define IS_AWAITED (1u << 31)

/* How long to look for work without giving the core away, and how long before
   sleeping, in nanoseconds: a step comes within microseconds of the one before,
   and a run that pauses for longer can do with workers that wake up late. */
enum { SPIN_NS = 30 * 1000, AWAKE_NS = 2 * 1000 * 1000 };
/* How long the caller waits for others before another thread may have its core:
   perhaps the one that it waits for. */
enum { WAIT_NS = 50 * 1000 };
/* Without looking at the clock. */
enum { SHORT_SPINS = 32 };

/* What sharing loses may be a part in so many of all time. What it has gained
   makes up for losses later on, as far as this: for a slice. */
enum { LOSS_SHARE = 16, MOST_GAIN_NS = 4 * 1000 * 1000 };
/* A step cannot lose more: a program that was stopped for a minute is no reason
   to work alone for a quarter of an hour. */
enum { MOST_LOSS_NS = 20 * 1000 * 1000 };
/* Times that may have a slice of another process in them. */
enum { LONG_NS = 100 * 1000 };

struct member {
  _Alignas(LINE) _Atomic uint32_t range;
  /* The number of the step of which this member last did groups and for how
     many nanoseconds, and when it ended that. */
  _Atomic uint64_t work;
  _Atomic uint64_t end;
  struct nacre_team *team;
  pthread_t thread;
};

struct nacre_team {
  /* The step under way. */
  void (*part)(void *frame, uint64_t index);
  void *frame;
  uint64_t count;
  uint32_t groups;
  uint32_t float_mode;

  _Atomic uint32_t sharers; /* members that have a range */
  _Atomic uint32_t step;    /* its number */

  unsigned room;        /* for members */
  unsigned most;        /* as far as the system gives threads */
  unsigned threads;     /* the caller and the workers that were started */
  int64_t gained;       /* nanoseconds, less what was lost */
  uint64_t alone_until; /* when losses will be small enough a share */
  struct nacre_trials trials;
  atomic_int is_over;

  _Alignas(LINE) atomic_flag is_taken;
  _Alignas(LINE) _Atomic uint32_t left; /* groups that are not done */
  struct member members[];              /* the caller is the first */
};

/*===----------------------------------------------------------------------===*\
|* The machine
\*===----------------------------------------------------------------------===*/

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

/* How a thread rounds and whether it keeps denormal numbers: the results of a
   part must not depend on who computes it. */
static uint32_t get_float_mode(void) {
#if defined(__x86_64__)
  enum { STATUS = 0x3f };
  return __builtin_ia32_stmxcsr() & ~(uint32_t)STATUS;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return (uint32_t)mode;
#elif defined(__arm__) && defined(__ARM_FP)
  enum { STATUS = 0x9f };
  uint32_t mode;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
  return mode & 0x0fffffffu & ~(uint32_t)STATUS;
#elif defined(__riscv_flen)
  uint32_t mode;
  __asm__ volatile("frrm %0" : "=r"(mode));
  return mode;
#else
  return 0;
#endif
}

static void set_float_mode(uint32_t mode) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode));
#elif defined(__arm__) && defined(__ARM_FP)
  __asm__ volatile("vmsr fpscr, %0" : : "r"(mode));
#elif defined(__riscv_flen)
  __asm__ volatile("fsrm %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

static void sleep_while(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/*===----------------------------------------------------------------------===*\
|* Parts
\*===----------------------------------------------------------------------===*/

static uint32_t range_begin(uint32_t range) { return range & MOST_GROUPS; }

static uint32_t range_end(uint32_t range) {
  return range >> END_SHIFT & MOST_GROUPS;
}

static uint32_t make_range(uint32_t begin, uint32_t end) {
  return begin | end << END_SHIFT;
}

/* Takes a group of the member's, its first one or the last. Returns 0 if there
   is none. */
static int take(struct member *member, int is_first, uint32_t *group) {
  uint32_t range = atomic_load_explicit(&member->range, memory_order_relaxed);
  while (range_begin(range) < range_end(range)) {
    uint32_t begin = range_begin(range), end = range_end(range);
    uint32_t rest =
        is_first ? make_range(begin + 1, end) : make_range(begin, end - 1);
    if (atomic_compare_exchange_weak_explicit(&member->range, &range, rest,
                                              memory_order_acquire,
                                              memory_order_relaxed)) {
      *group = is_first ? begin : end - 1;
      return 1;
    }
  }
  return 0;
}

static void do_group(const struct nacre_team *team, uint32_t group) {
  if (get_float_mode() != team->float_mode) {
    set_float_mode(team->float_mode);
  }
  uint64_t end = team->count * (group + 1) / team->groups;
  for (uint64_t i = team->count * group / team->groups; i < end; ++i) {
    team->part(team->frame, i);
  }
}

/* Does what `member` finds to do, its own first. What it has not reported yet
   is of one step, which cannot end before. */
static uint32_t do_groups(struct nacre_team *team, unsigned member) {
  uint32_t done = 0, group;
  while (take(&team->members[member], 1, &group)) {
    do_group(team, group);
    ++done;
  }
  uint32_t sharers = atomic_load_explicit(&team->sharers, memory_order_relaxed);
  for (uint32_t i = 1; i < sharers; ++i) {
    struct member *other = &team->members[(member + i) % sharers];
    while (take(other, 0, &group)) {
      do_group(team, group);
      ++done;
    }
  }
  return done;
}

enum { STEP_SHIFT = 32 };

/* While the step is under way. */
static void set_work(struct nacre_team *team, unsigned member, uint64_t begin) {
  uint64_t step = atomic_load_explicit(&team->step, memory_order_relaxed);
  uint64_t end = get_time(), time = end - begin, most = UINT32_MAX;
  struct member *self = &team->members[member];
  atomic_store_explicit(&self->end, end, memory_order_relaxed);
  atomic_store_explicit(&self->work,
                        step << STEP_SHIFT | (time < most ? time : most),
                        memory_order_release);
}

NACRE_PUBLIC unsigned nacre_team_help(struct nacre_team *team,
                                      unsigned member) {
  uint64_t begin = get_time();
  uint32_t done = do_groups(team, member);
  if (done > 0) {
    set_work(team, member, begin);
    uint32_t left =
        atomic_fetch_sub_explicit(&team->left, done, memory_order_acq_rel) -
        done;
    if (left == IS_AWAITED) {
      wake(&team->left);
    }
  }
  return done;
}

/*===----------------------------------------------------------------------===*\
|* Workers
\*===----------------------------------------------------------------------===*/

static int has_range(struct member *member) {
  uint32_t range = atomic_load_explicit(&member->range, memory_order_relaxed);
  return range_begin(range) < range_end(range);
}

static int is_over(struct nacre_team *team) {
  return atomic_load_explicit(&team->is_over, memory_order_acquire);
}

static void sleep_until_range(struct member *member) {
  uint32_t range = atomic_load_explicit(&member->range, memory_order_relaxed);
  if (range_begin(range) == range_end(range) &&
      atomic_compare_exchange_strong(&member->range, &range, ASLEEP) &&
      !is_over(member->team)) {
    sleep_while(&member->range, ASLEEP);
  }
}

/* Returns when there may be something to do. */
static void look_for_range(struct member *member) {
  uint64_t begin = get_time();
  while (!is_over(member->team)) {
    for (int i = 0; i < SHORT_SPINS; ++i) {
      if (has_range(member)) {
        return;
      }
      pause_briefly();
    }
    uint64_t idle = get_time() - begin;
    if (idle > AWAKE_NS) {
      sleep_until_range(member);
      return;
    }
    if (idle > SPIN_NS) {
      sched_yield();
    }
  }
}

static void *work(void *argument) {
  struct member *self = argument;
  while (!is_over(self->team)) {
    nacre_team_help(self->team, (unsigned)(self - self->team->members));
    look_for_range(self);
  }
  return NULL;
}

static int start_worker(struct member *member) {
  /* Kernels have some buffers on the stack. */
  enum { STACK = 4 << 20 };
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) {
    return 0;
  }
  /* Signals are for the program's own threads, which know what to do. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int is_started = !pthread_attr_setstacksize(&attributes, STACK) &&
                   !pthread_create(&member->thread, &attributes, work, member);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return is_started;
}

/*===----------------------------------------------------------------------===*\
|* Teams
\*===----------------------------------------------------------------------===*/

static size_t count_bytes(unsigned most) {
  return sizeof(struct nacre_team) + most * sizeof(struct member);
}

NACRE_PUBLIC struct nacre_team *nacre_team_new(unsigned most) {
  struct nacre_team *team =
      mmap(NULL, count_bytes(most), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (team == MAP_FAILED) {
    return NULL;
  }
  team->room = team->most = most;
  team->threads = 1;
  team->gained = MOST_GAIN_NS;
  for (unsigned i = 0; i < most; ++i) {
    team->members[i].team = team;
  }
  return team;
}

NACRE_PUBLIC void nacre_team_end(struct nacre_team *team) {
  atomic_store(&team->is_over, 1);
  for (unsigned i = 1; i < team->threads; ++i) {
    struct member *member = &team->members[i];
    if (atomic_fetch_and(&member->range, ~ASLEEP) & ASLEEP) {
      wake(&member->range);
    }
    pthread_join(member->thread, NULL);
  }
  team->threads = 1;
}

NACRE_PUBLIC void nacre_team_delete(struct nacre_team *team) {
  nacre_team_end(team);
  munmap(team, count_bytes(team->room));
}

NACRE_PUBLIC int nacre_team_try_acquire(struct nacre_team *team) {
  return !atomic_flag_test_and_set_explicit(&team->is_taken,
                                            memory_order_acquire);
}

NACRE_PUBLIC void nacre_team_release(struct nacre_team *team) {
  atomic_flag_clear_explicit(&team->is_taken, memory_order_release);
}

NACRE_PUBLIC void nacre_team_start(struct nacre_team *team, unsigned threads) {
  while (team->threads < threads && team->threads < team->most) {
    if (!start_worker(&team->members[team->threads])) {
      team->most = team->threads; /* and the system is not asked again */
      return;
    }
    ++team->threads;
  }
}

/*===----------------------------------------------------------------------===*\
|* Steps
\*===----------------------------------------------------------------------===*/

NACRE_PUBLIC void nacre_team_account(struct nacre_team *team,
                                     int64_t nanoseconds) {
  team->gained += nanoseconds > -MOST_LOSS_NS ? nanoseconds : -MOST_LOSS_NS;
  if (team->gained > MOST_GAIN_NS) {
    team->gained = MOST_GAIN_NS;
  } else if (team->gained < 0) {
    team->alone_until = get_time() + (uint64_t)-team->gained * LOSS_SHARE;
    team->gained = 0;
  }
}

/* How long of the time from `begin` to `end`, in which this thread did its
   parts of a step, it had no core, perhaps since a worker had it. A caller that
   computes takes about as long as others do; then it goes on for much longer
   than they find anything to do. */
static uint64_t get_stall(const struct nacre_team *team, uint64_t begin,
                          uint64_t end) {
  if (end - begin < LONG_NS) {
    return 0;
  }
  uint64_t last = 0, work = 0;
  uint32_t step = atomic_load_explicit(&team->step, memory_order_relaxed);
  uint32_t sharers = atomic_load_explicit(&team->sharers, memory_order_relaxed);
  for (uint32_t i = 1; i < sharers; ++i) {
    const struct member *other = &team->members[i];
    uint64_t its = atomic_load_explicit(&other->work, memory_order_acquire);
    uint64_t when = atomic_load_explicit(&other->end, memory_order_relaxed);
    if (its >> STEP_SHIFT == step && when > last) {
      last = when;
      work = (uint32_t)its;
    }
  }
  uint64_t fair = last + work;
  return last > begin && end > fair + WAIT_NS ? end - fair : 0;
}

/* Returns when the other members have done what they have begun. */
static void wait_for_others(struct nacre_team *team) {
  uint64_t begin = get_time();
  uint32_t left;
  while ((left = atomic_load_explicit(&team->left, memory_order_acquire))) {
    if (get_time() - begin < WAIT_NS) {
      pause_briefly();
    } else if (atomic_compare_exchange_weak(&team->left, &left,
                                            left | IS_AWAITED)) {
      while ((left = atomic_load_explicit(&team->left, memory_order_acquire)) !=
             IS_AWAITED) {
        sleep_while(&team->left, left);
      }
      return;
    }
  }
}

/* Gives each of `sharers` members an even share of all groups. */
static void publish(struct nacre_team *team, uint32_t sharers) {
  atomic_store_explicit(&team->sharers, sharers, memory_order_relaxed);
  atomic_fetch_add_explicit(&team->step, 1, memory_order_relaxed);
  atomic_store_explicit(&team->left, team->groups, memory_order_relaxed);
  for (uint32_t i = sharers; i-- > 0;) {
    uint32_t range = make_range(team->groups * i / sharers,
                                team->groups * (i + 1) / sharers);
    uint32_t before = atomic_exchange_explicit(&team->members[i].range, range,
                                               memory_order_acq_rel);
    if (before & ASLEEP) {
      wake(&team->members[i].range);
    }
  }
}

static void do_alone(nacre_part part, void *frame, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    part(frame, i);
  }
}

NACRE_PUBLIC void nacre_team_share(struct nacre_team *team, unsigned threads,
                                   nacre_part step, nacre_part part,
                                   void *frame, uint64_t count) {
  if (threads > team->most) {
    threads = team->most;
  }
  uint64_t begin = get_time();
  if (begin < team->alone_until || threads < 2 || count < 2) {
    do_alone(part, frame, count);
    return;
  }
  struct nacre_trial *trial =
      nacre_trials_find(&team->trials, step, count, threads);
  if (nacre_trial_is_alone(trial)) {
    do_alone(part, frame, count);
    nacre_trial_enter(&team->trials, trial, get_time() - begin);
    return;
  }
  team->part = part;
  team->frame = frame;
  team->count = count;
  team->groups = count < MOST_GROUPS ? (uint32_t)count : MOST_GROUPS;
  team->float_mode = get_float_mode();
  publish(team, threads < team->groups ? threads : team->groups);
  uint64_t published = get_time();
  uint32_t done = do_groups(team, 0);
  uint32_t left =
      atomic_fetch_sub_explicit(&team->left, done, memory_order_acq_rel) - done;
  uint64_t end = get_time();
  for (int i = 0; left > 0 && i < SHORT_SPINS; ++i) {
    pause_briefly();
    left = atomic_load_explicit(&team->left, memory_order_acquire);
  }
  if (left > 0) {
    wait_for_others(team);
  }
  uint64_t time = get_time() - begin;
  nacre_trial_enter(&team->trials, trial, time);
  if (done > 0 && done < team->groups) {
    /* What is left costs this thread as much each as what it did. */
    uint64_t own = end - published - get_stall(team, published, end);
    uint64_t alone = own / done * team->groups;
    nacre_team_account(team, (int64_t)(alone - time));
  }
}
