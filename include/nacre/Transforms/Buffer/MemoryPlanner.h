//===- MemoryPlanner.h - Offsets for buffers with lifetimes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocation algorithm behind plan-memory, free of IR.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_BUFFER_MEMORYPLANNER_H
#define NACRE_TRANSFORMS_BUFFER_MEMORYPLANNER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace nacre {

/// A buffer alive from step `first` to step `last`, both included.
struct BufferLifetime {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
  /// Filled in by planMemory, unless it is fixed.
  int64_t offset = 0;
  bool isFixed = false;
};

struct MemoryPlan {
  /// Bytes that hold all buffers at their offsets.
  int64_t bytes = 0;
  /// Largest sum of (aligned) sizes alive at one step: no plan is smaller.
  int64_t lowerBound = 0;
};

/// Gives each buffer an offset, a multiple of `alignment` (a power of two), so
/// that buffers alive at the same step do not overlap. Those of fixed offsets
/// must not overlap each other.
MemoryPlan planMemory(llvm::MutableArrayRef<BufferLifetime> buffers,
                      int64_t alignment);

} // namespace nacre

#endif // NACRE_TRANSFORMS_BUFFER_MEMORYPLANNER_H
