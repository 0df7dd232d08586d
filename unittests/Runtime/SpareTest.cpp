//===- SpareTest.cpp - Memory that results leave to later ones ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large results that their owner released are found again by later runs.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

using namespace nacre::testing;

namespace {

constexpr int64_t kLarge = 1 << 20;

class Spare : public Runtime {
protected:
  /// A run with one result, a vector of bytes.
  nacre_value *makeResult(int64_t size) {
    nacre_value *result = nullptr;
    run([&] {
      result = nacre_retain(nacre_tensor_new(NACRE_UINT8, 1));
      nacre_tensor_set_dim(result, 0, size);
      nacre_tensor_allocate(result);
    });
    return result;
  }
};

TEST_F(Spare, LargeResult_OfSizeThatWasReleased_HasItsMemory) {
  nacre_value *first = makeResult(kLarge);
  char *data = nacre_tensor_data(first);
  nacre_release(first);
  nacre_value *second = makeResult(kLarge - 100);
  EXPECT_EQ(nacre_tensor_data(second), data);
  nacre_release(second);
}

TEST_F(Spare, LargeResult_FirstIsStillOwned_HasMemoryOfItsOwn) {
  nacre_value *first = makeResult(kLarge), *second = makeResult(kLarge);
  EXPECT_NE(nacre_tensor_data(first), nacre_tensor_data(second));
  nacre_release(first);
  nacre_release(second);
}

TEST_F(Spare, MuchSmallerResult_LargeOneWasReleased_LeavesItsMemory) {
  nacre_value *first = makeResult(kLarge);
  char *data = nacre_tensor_data(first);
  nacre_release(first);
  nacre_value *second = makeResult(kLarge / 2);
  EXPECT_NE(nacre_tensor_data(second), data);
  nacre_release(second);
}

TEST_F(Spare, ReleasedMemory_TwoRunsWithoutUse_IsFreed) {
  nacre_release(makeResult(kLarge));
  EXPECT_EQ(live, 1);
  run([] {});
  EXPECT_EQ(live, 1);
  run([] {});
  EXPECT_EQ(live, 0);
}

TEST_F(Spare, ManyReleasedResults_LargestAreKept) {
  std::vector<nacre_value *> results;
  for (int64_t i = 0; i < 40; ++i) {
    results.push_back(makeResult(kLarge << (i % 2)));
  }
  for (nacre_value *result : results) {
    nacre_release(result);
  }
  EXPECT_EQ(live, 16);
  nacre_trim();
  EXPECT_EQ(live, 0);
}

TEST_F(Spare, SmallResult_Released_IsFreed) {
  nacre_release(makeResult(1000));
  EXPECT_EQ(live, 0);
}

TEST_F(Spare, Result_AllocatorSetMeanwhile_IsFreedByItsOwn) {
  nacre_value *result = makeResult(kLarge);
  nacre_set_allocator(
      [](size_t size, size_t alignment) -> void * {
        return std::aligned_alloc(alignment, (size + alignment - 1) /
                                                 alignment * alignment);
      },
      std::free);
  nacre_release(result);
  EXPECT_EQ(live, 0);
}

} // namespace
