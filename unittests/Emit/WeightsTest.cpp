//===- WeightsTest.cpp - Tests of weights in artifacts --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which weights programs can be linked with, without any as large.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Weights.h"

#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace nacre;

static constexpr int64_t kLarge = int64_t(3) << 30;

TEST(WeightsInPrograms, BeyondTwoGigabytes_OnX86_CanBeLinked) {
  EXPECT_TRUE(
      canLinkIntoPrograms(llvm::Triple("x86_64-unknown-linux-gnu"), kLarge));
}

TEST(WeightsInPrograms, BeyondTwoGigabytes_Elsewhere_CannotBeLinked) {
  llvm::Triple triple("aarch64-unknown-linux-gnu");
  EXPECT_TRUE(canLinkIntoPrograms(triple, kLarge / 2));
  EXPECT_FALSE(canLinkIntoPrograms(triple, kLarge));
}
