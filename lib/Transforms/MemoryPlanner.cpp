//===- MemoryPlanner.cpp - Offsets for buffers with lifetimes -------------===//
//
// Greedy by size: large buffers constrain the plan most, so they choose first.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/MemoryPlanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace nacre;

static bool overlapInTime(const BufferLifetime &a, const BufferLifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

static int64_t computeLowerBound(llvm::ArrayRef<BufferLifetime> buffers) {
  std::map<int64_t, int64_t> change;
  for (const BufferLifetime &buffer : buffers) {
    change[buffer.first] += buffer.bytes;
    change[buffer.last + 1] -= buffer.bytes;
  }
  int64_t alive = 0, bound = 0;
  for (auto [step, delta] : change) {
    alive += delta;
    bound = std::max(bound, alive);
  }
  return bound;
}

MemoryPlan nacre::planMemory(llvm::MutableArrayRef<BufferLifetime> buffers,
                             int64_t alignment) {
  for (BufferLifetime &buffer : buffers) {
    buffer.bytes = llvm::alignTo(buffer.bytes, alignment);
  }
  llvm::SmallVector<BufferLifetime *> order;
  for (BufferLifetime &buffer : buffers) {
    order.push_back(&buffer);
  }
  // Ties keep the given order, so that plans are reproducible.
  llvm::sort(order, [](const BufferLifetime *a, const BufferLifetime *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });

  MemoryPlan plan;
  // Placed buffers in order of offset, so that gaps are found in one sweep.
  llvm::SmallVector<BufferLifetime *> placed;
  for (BufferLifetime *buffer : order) {
    int64_t offset = 0;
    for (BufferLifetime *other : placed) {
      if (!overlapInTime(*buffer, *other)) {
        continue;
      }
      if (other->offset - offset >= buffer->bytes) {
        break;
      }
      offset = std::max(offset, other->offset + other->bytes);
    }
    buffer->offset = offset;
    placed.insert(llvm::upper_bound(
                      placed, buffer,
                      [](auto *a, auto *b) { return a->offset < b->offset; }),
                  buffer);
    plan.bytes = std::max(plan.bytes, offset + buffer->bytes);
  }
  plan.lowerBound = computeLowerBound(buffers);
  return plan;
}
