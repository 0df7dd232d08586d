//===- Memory.cpp - Memory that a process may have ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Memory.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

int64_t nacre::getMemoryLimit() {
  int64_t page = sysconf(_SC_PAGESIZE);
  int64_t limit = page * sysconf(_SC_PHYS_PAGES);
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    int64_t used = 0;
    if (auto file = MemoryBuffer::getFileAsStream("/proc/self/statm")) {
      StringRef pages = (*file)->getBuffer().split(' ').first;
      used = pages.getAsInteger(10, used) ? 0 : used * page;
    }
    limit = std::min(limit, static_cast<int64_t>(space.rlim_cur) - used);
  }
  return limit;
}
