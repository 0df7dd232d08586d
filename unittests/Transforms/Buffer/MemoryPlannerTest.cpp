//===- MemoryPlannerTest.cpp - Tests of the allocation algorithm ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Buffer/MemoryPlanner.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace nacre;

/// True when no two buffers that are alive together share a byte and all fit.
static bool isValid(llvm::ArrayRef<BufferLifetime> buffers, MemoryPlan plan) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferLifetime &a = buffers[i];
    if (a.offset < 0 || a.offset + a.bytes > plan.bytes) {
      return false;
    }
    for (size_t j = 0; j < i; ++j) {
      const BufferLifetime &b = buffers[j];
      bool inTime = a.first <= b.last && b.first <= a.last;
      bool inSpace =
          a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
      if (inTime && inSpace) {
        return false;
      }
    }
  }
  return true;
}

TEST(MemoryPlanner, PlanMemory_NoBuffers_IsEmpty) {
  MemoryPlan plan = planMemory({}, 64);
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_EQ(plan.lowerBound, 0);
}

TEST(MemoryPlanner, PlanMemory_DisjointLifetimes_ShareBytes) {
  llvm::SmallVector<BufferLifetime> buffers = {{100, 0, 1}, {100, 2, 3}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(plan.bytes, 128);
  EXPECT_EQ(buffers[0].offset, buffers[1].offset);
}

TEST(MemoryPlanner, PlanMemory_LifetimesTouchingInOneStep_DoNotShare) {
  llvm::SmallVector<BufferLifetime> buffers = {{64, 0, 1}, {64, 1, 2}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(plan.bytes, 128);
  EXPECT_TRUE(isValid(buffers, plan));
}

TEST(MemoryPlanner, PlanMemory_SmallBufferBesideLarge_FillsTheGap) {
  // The third fits under the second while the first is dead.
  llvm::SmallVector<BufferLifetime> buffers = {
      {256, 0, 1}, {512, 1, 2}, {256, 2, 3}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(plan.bytes, 768);
  EXPECT_TRUE(isValid(buffers, plan));
}

TEST(MemoryPlanner, PlanMemory_FixedBuffers_StayAndOthersFillTheGaps) {
  llvm::SmallVector<BufferLifetime> buffers = {
      {192, 0, 1}, {64, 0, 0, 0, true}, {64, 0, 0, 256, true}, {128, 1, 1}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(buffers[0].offset, 64);
  EXPECT_EQ(buffers[1].offset, 0);
  EXPECT_EQ(buffers[2].offset, 256);
  EXPECT_EQ(plan.bytes, 384);
  EXPECT_TRUE(isValid(buffers, plan));
}

TEST(MemoryPlanner, PlanMemory_FixedBufferOnTop_EndsTheSearch) {
  llvm::SmallVector<BufferLifetime> buffers = {{64, 0, 0, 640, true},
                                               {64, 0, 0}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(plan.bytes, 704);
  EXPECT_EQ(plan.lowerBound, 128);
}

TEST(MemoryPlanner, PlanMemory_EmptyBuffer_TakesNoSpace) {
  llvm::SmallVector<BufferLifetime> buffers = {{0, 0, 5}, {64, 0, 5}};
  MemoryPlan plan = planMemory(buffers, 64);
  EXPECT_EQ(plan.bytes, 64);
}

TEST(MemoryPlanner, PlanMemory_RandomLifetimes_IsValidAndNearTheBound) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    llvm::SmallVector<BufferLifetime> buffers;
    for (int i = 0; i < 60; ++i) {
      int64_t first = random() % 100;
      buffers.push_back({static_cast<int64_t>(random() % 5000), first,
                         first + static_cast<int64_t>(random() % 10)});
    }
    MemoryPlan plan = planMemory(buffers, 64);
    EXPECT_TRUE(isValid(buffers, plan));
    EXPECT_GE(plan.bytes, plan.lowerBound);
    EXPECT_LE(plan.bytes, plan.lowerBound * 1.2);
    for (const BufferLifetime &buffer : buffers) {
      EXPECT_EQ(buffer.offset % 64, 0);
    }
  }
}
