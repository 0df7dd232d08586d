/*===- Weights.c - What of large weights stays in memory ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Weights are pages of a file. Of those that a run has used it can do without
|* the mapping until the next one, which finds them in the system's cache. Of a
|* huge page that is one entry of a table for 2 MB, which on most machines
|* costs next to nothing. On a virtual one whose host keeps the tables it may
|* take half as long as reading the page, so it is measured.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE

#include "Clock.h"
#include "Value.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* PAGEMAP_SCAN of Linux 6.7, by names of our own: headers may be older. */
struct region {
  uint64_t begin;
  uint64_t end;
  uint64_t categories;
};

struct scan {
  uint64_t size;
  uint64_t flags;
  uint64_t begin;
  uint64_t end;
  uint64_t reached;
  uint64_t regions;
  uint64_t capacity;
  uint64_t most_pages;
  uint64_t inverted;
  uint64_t all_of;
  uint64_t any_of;
  uint64_t reported;
};

enum { CATEGORY_FILE = 1 << 2, CATEGORY_HUGE = 1 << 6, REGIONS = 16 };
enum { HUGE_PAGE = 2 << 20 };

/* How long it may take to release a huge page and to find it again, in
   nanoseconds: a twelfth of what reading 2 MB takes at 20 GB/s. */
enum { MOST_NS = 8 * 1000, TRIES = 3 };

#define SCAN _IOWR('f', 16, struct scan)

/* The whole pages of a block. */
static struct region get_pages(const char *data, uint64_t bytes) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  struct region result = {((uintptr_t)data + page - 1) / page * page,
                          ((uintptr_t)data + bytes) / page * page, 0};
  return result;
}

static void advise(uint64_t begin, uint64_t end, int advice) {
  if (begin < end) {
    /* Nothing depends on it. */
    (void)madvise((void *)(uintptr_t)begin, (size_t)(end - begin), advice);
  }
}

/* What releasing costs on this machine. */
enum cost { UNKNOWN, CHEAP, DEAR };
static _Atomic int release_cost = UNKNOWN;

static int get_cost(void) {
  return atomic_load_explicit(&release_cost, memory_order_relaxed);
}

/* Finds out by a huge page that starts at `page`. */
static void measure_cost(uint64_t page) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES; ++i) {
    uint64_t start = get_time();
    advise(page, page + HUGE_PAGE, MADV_DONTNEED);
    (void)*(const volatile char *)(uintptr_t)page;
    uint64_t taken = get_time() - start;
    least = taken < least ? taken : least;
  }
  atomic_store_explicit(&release_cost, least <= MOST_NS ? CHEAP : DEAR,
                        memory_order_relaxed);
}

NACRE_PUBLIC void nacre_map_weights(const char *weights, uint64_t bytes) {
  struct region pages = get_pages(weights, bytes);
  advise(pages.begin, pages.end, MADV_HUGEPAGE);
}

NACRE_PUBLIC void nacre_release_weights(const char *weights, uint64_t bytes) {
  if (get_cost() == DEAR) {
    return;
  }
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) {
    return;
  }
  struct region pages = get_pages(weights, bytes), regions[REGIONS];
  struct scan scan = {0};
  scan.size = sizeof scan;
  scan.end = pages.end;
  scan.reached = pages.begin;
  scan.regions = (uintptr_t)regions;
  scan.capacity = REGIONS;
  /* What no file backs would be lost. */
  scan.all_of = scan.reported = CATEGORY_FILE | CATEGORY_HUGE;
  while (scan.reached < scan.end) {
    scan.begin = scan.reached;
    int count = ioctl(pagemap, SCAN, &scan);
    if (count > 0 && get_cost() == UNKNOWN) {
      measure_cost(regions[0].begin);
    }
    for (int i = 0; i < count && get_cost() == CHEAP; ++i) {
      advise(regions[i].begin, regions[i].end, MADV_DONTNEED);
    }
    if (count < 0 || scan.reached <= scan.begin) {
      break;
    }
  }
  close(pagemap);
}
