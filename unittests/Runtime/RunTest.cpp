//===- RunTest.cpp - Runs that threads share ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a run that fails ends that part, and then the run.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"

using namespace nacre::testing;

namespace {

constexpr size_t kSmall = 100, kLarge = 1 << 20;

TEST_F(Runtime, Part_WithoutMemoryOnAnotherThread_FailsTheRunThatJoinsIt) {
  for (size_t size : {kSmall, kLarge}) {
    bool isJoined = false;
    EXPECT_EQ(run([&] {
                nacre_alloc(size);
                size_t before = left;
                left = 0;
                runPartElsewhere([&] { nacre_alloc(2 * size); });
                left = before;
                isJoined = true;
                nacre_run_join(nacre_run_current());
                ADD_FAILURE() << "the run goes on";
              }),
              NACRE_FAILED);
    EXPECT_TRUE(isJoined);
    EXPECT_EQ(message, "out of memory");
    nacre_trim();
    EXPECT_EQ(live, 0);
  }
}

TEST_F(Runtime, Part_FailsOnTheThreadOfItsRun_ComesBackFirst) {
  bool isJoined = false;
  EXPECT_EQ(run([&] {
              runPart([] {
                nacre_alloc(kSmall);
                nacre_alloc(kLarge);
                nacre_fail("on purpose");
              });
              isJoined = true;
              nacre_run_join(nacre_run_current());
            }),
            NACRE_FAILED);
  EXPECT_TRUE(isJoined);
  EXPECT_EQ(message, "on purpose");
}

TEST_F(Runtime, Parts_OneFailed_DoNotBegin) {
  int begun = 0;
  EXPECT_EQ(run([&] {
              runPartElsewhere([] { nacre_fail("the first"); });
              runPart([&] { ++begun; });
              runPartElsewhere([&] { ++begun; });
              nacre_run_join(nacre_run_current());
            }),
            NACRE_FAILED);
  EXPECT_EQ(begun, 0);
  EXPECT_EQ(message, "the first");
}

TEST_F(Runtime, Parts_OfAPart_FailIt) {
  EXPECT_EQ(run([] {
              runPartElsewhere([] {
                runPartElsewhere([] { nacre_fail("within"); });
                nacre_run_join(nacre_run_current());
                ADD_FAILURE() << "the part goes on";
              });
              nacre_run_join(nacre_run_current());
            }),
            NACRE_FAILED);
  EXPECT_EQ(message, "within");
}

TEST_F(Runtime, Parts_NoneFails_LetTheRunGoOn) {
  EXPECT_EQ(run([] {
              for (int i = 0; i < 3; ++i) {
                runPart([] { nacre_alloc(kSmall); });
                runPartElsewhere([] { nacre_alloc(kLarge); });
                nacre_run_join(nacre_run_current());
              }
            }),
            NACRE_OK);
}

TEST_F(Runtime, Release_AllocatorIsAnotherThanThatOfTheValue_FreesWithItsOwn) {
  nacre_value *value = nacre_tensor_new(NACRE_FLOAT32, 1);
  nacre_tensor_set_dim(value, 0, 8);
  nacre_tensor_allocate(value);
  EXPECT_EQ(live, 2);
  nacre_set_allocator(
      [](size_t size, size_t) { return std::malloc(size); },
      [](void *) { ADD_FAILURE() << "freed by what did not allocate"; });
  nacre_release(value);
  EXPECT_EQ(live, 0);
}

} // namespace
