//===- PoolTest.cpp - Memory that runs leave to later ones ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large buffers of a run are found again by the next one.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

#include <cstring>

using namespace nacre::testing;

namespace {

constexpr size_t kLarge = 1 << 20;

TEST_F(Runtime, LargeBuffers_SecondRunOfSameSizes_AllocatesNothing) {
  auto body = [] {
    void *a = nacre_alloc(kLarge), *b = nacre_alloc(2 * kLarge);
    nacre_free(a);
    void *c = nacre_alloc(kLarge / 2);
    std::memset(b, 1, 2 * kLarge);
    std::memset(c, 2, kLarge / 2);
    nacre_free(b);
  };
  run(body);
  run(body); // in one region by now
  int64_t before = live;
  run([&] {
    body();
    EXPECT_EQ(live, before);
  });
  EXPECT_EQ(live, before);
}

TEST_F(Runtime, LargeBuffers_AliveTogether_DoNotOverlap) {
  for (int round = 0; round < 3; ++round) {
    run([] {
      std::vector<char *> blocks;
      for (size_t i = 0; i < 8; ++i) {
        blocks.push_back(static_cast<char *>(nacre_alloc(kLarge + 100 * i)));
        EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks[i]) % 64, 0u);
        std::memset(blocks[i], static_cast<int>(i), kLarge + 100 * i);
      }
      for (size_t i = 0; i < 8; i += 2) {
        nacre_free(blocks[i]);
      }
      // Where two neighbours were, or in between.
      blocks[0] = static_cast<char *>(nacre_alloc(kLarge - 100));
      blocks[2] = static_cast<char *>(nacre_alloc(3 * kLarge));
      std::memset(blocks[0], 0, kLarge - 100);
      std::memset(blocks[2], 2, 3 * kLarge);
      for (size_t i : {0, 1, 2, 3, 5, 7}) {
        EXPECT_EQ(blocks[i][0], static_cast<char>(i));
        EXPECT_EQ(blocks[i][kLarge - 101], static_cast<char>(i));
      }
      blocks.clear();
      blocks.shrink_to_fit();
    });
  }
}

TEST_F(Runtime, LargeBuffers_NextRunIsMuchSmaller_AreGivenBack) {
  static size_t bytes;
  bytes = 0;
  nacre_set_allocator(
      [](size_t size, size_t alignment) -> void * {
        ++live;
        bytes = std::max(bytes, size);
        return std::aligned_alloc(alignment, (size + alignment - 1) /
                                                 alignment * alignment);
      },
      [](void *block) {
        --live;
        std::free(block);
      });
  run([] { nacre_alloc(64 * kLarge); });
  run([] { nacre_alloc(kLarge); });
  bytes = 0;
  run([] { nacre_alloc(kLarge); });
  EXPECT_LT(bytes, 2 * kLarge);
}

TEST_F(Runtime, LargeBuffers_RunFails_AreThereForTheNext) {
  auto fail = [] {
    nacre_alloc(kLarge);
    nacre_fail("on purpose");
  };
  EXPECT_EQ(run(fail), NACRE_FAILED);
  int64_t before = live;
  EXPECT_EQ(run(fail), NACRE_FAILED);
  EXPECT_EQ(live, before);
}

TEST_F(Runtime, LargeBuffersOfPart_SecondTime_AllocateNothing) {
  auto work = [] {
    for (size_t size : {8 * kLarge, kLarge, 8 * kLarge}) {
      void *a = nacre_alloc(size), *b = nacre_alloc(size);
      std::memset(a, 1, size);
      std::memset(b, 2, size);
      EXPECT_EQ(static_cast<char *>(a)[size - 1], 1);
      nacre_free(a);
      nacre_free(b);
    }
  };
  run([&] {
    runPartElsewhere(work);
    runPartElsewhere(work); // in one region by now
    int64_t before = live;
    size_t blocks = left;
    runPartElsewhere(work);
    EXPECT_EQ(live, before);
    EXPECT_EQ(left, blocks);
  });
}

TEST_F(Runtime, LargeBuffersOfPart_LeftByOne_AreNotOfARun) {
  run([] {
    nacre_alloc(64 * kLarge);
    runPartElsewhere([] { nacre_free(nacre_alloc(kLarge)); });
  });
  size_t blocks = left;
  run([] { nacre_alloc(64 * kLarge); });
  EXPECT_EQ(left, blocks);
}

TEST_F(Runtime, LargeBuffersOfPart_OnTheThreadOfItsRun_AreOfTheRunsPool) {
  auto body = [] {
    nacre_free(nacre_alloc(kLarge));
    runPart([] { nacre_free(nacre_alloc(kLarge)); });
  };
  run(body);
  size_t blocks = left;
  run(body);
  EXPECT_EQ(left, blocks);
}

TEST_F(Runtime, LargeBuffers_Trimmed_AreFreed) {
  run([] { nacre_alloc(kLarge); });
  EXPECT_GT(live, 0);
  nacre_trim();
  EXPECT_EQ(live, 0);
}

} // namespace
