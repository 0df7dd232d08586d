/*===- Weights.c - What of large weights stays in memory ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Weights are pages of a file. Of those that a run has used it can do without
|* the mapping until the next one, which finds them in the system's cache. That
|* costs next to nothing where a page is huge, one entry of a table for 2 MB.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE

#include "Value.h"

#include <fcntl.h>
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

NACRE_PUBLIC void nacre_map_weights(const char *weights, uint64_t bytes) {
  struct region pages = get_pages(weights, bytes);
  advise(pages.begin, pages.end, MADV_HUGEPAGE);
}

NACRE_PUBLIC void nacre_release_weights(const char *weights, uint64_t bytes) {
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
    for (int i = 0; i < count; ++i) {
      advise(regions[i].begin, regions[i].end, MADV_DONTNEED);
    }
    if (count < 0 || scan.reached <= scan.begin) {
      break;
    }
  }
  close(pagemap);
}
