//===- MemoryPlanner.cpp - Offsets for buffers with lifetimes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy by size: large buffers constrain the plan most, so they choose first.
// Where that is not good enough, those that had no luck choose before them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Buffer/MemoryPlanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
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

/// Puts each buffer, in this order, at the lowest offset that is free for as
/// long as it lives; fixed ones, which come first, stay where they are. Returns
/// the bytes that all of them take.
static int64_t place(llvm::ArrayRef<BufferLifetime *> order) {
  int64_t bytes = 0;
  // Placed buffers in order of offset, so that gaps are found in one sweep.
  llvm::SmallVector<BufferLifetime *> placed;
  for (BufferLifetime *buffer : order) {
    int64_t offset = buffer->isFixed ? buffer->offset : 0;
    for (BufferLifetime *other : placed) {
      if (buffer->isFixed || !overlapInTime(*buffer, *other)) {
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
    bytes = std::max(bytes, offset + buffer->bytes);
  }
  return bytes;
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
    if (a->isFixed != b->isFixed) {
      return a->isFixed;
    }
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  auto chooses = llvm::find_if(
      order, [](const BufferLifetime *buffer) { return !buffer->isFixed; });

  MemoryPlan plan;
  plan.lowerBound = computeLowerBound(buffers);
  plan.bytes = place(order);
  // A buffer that ends up on top chose too late: it gets the first choice in
  // another try. A plan costs the square of the number of buffers.
  constexpr int64_t kMostSteps = int64_t(1) << 25, kMostTries = 100;
  auto count = static_cast<int64_t>(buffers.size());
  int64_t tries =
      std::min(kMostTries, kMostSteps / std::max<int64_t>(count * count, 1));
  auto getOffsets = [&] {
    return llvm::map_to_vector(
        buffers, [](const BufferLifetime &buffer) { return buffer.offset; });
  };
  llvm::SmallVector<int64_t> best = getOffsets();
  int64_t bytes = plan.bytes;
  for (; tries > 0 && plan.bytes > plan.lowerBound; --tries) {
    auto top =
        std::find_if(chooses, order.end(), [&](const BufferLifetime *buffer) {
          return buffer->offset + buffer->bytes == bytes;
        });
    if (top == order.end()) {
      break;
    }
    std::rotate(chooses, top, std::next(top));
    bytes = place(order);
    if (bytes < plan.bytes) {
      plan.bytes = bytes;
      best = getOffsets();
    }
  }
  for (auto [buffer, offset] : llvm::zip_equal(buffers, best)) {
    buffer.offset = offset;
  }
  return plan;
}
