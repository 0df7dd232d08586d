//===- TrialsTest.cpp - Whether a step takes less time unshared -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step that would take so long shared and so long alone, without any clock.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/Trials.h"

#include "gtest/gtest.h"

#include <memory>

static void partA(void *, uint64_t) {}
static void partB(void *, uint64_t) {}

namespace {

class Trials : public ::testing::Test {
protected:
  /// How many of so many runs of a step are done alone, which takes `alone`,
  /// and `shared` else.
  int countAlone(int runs, uint64_t alone, uint64_t shared,
                 nacre_part part = partA, uint64_t count = 2) {
    int numAlone = 0;
    for (int run = 0; run < runs; ++run) {
      nacre_trial *trial = nacre_trials_find(trials.get(), part, count,
                                             /*threads=*/2);
      bool isAlone = nacre_trial_is_alone(trial);
      numAlone += isAlone;
      nacre_trial_enter(trials.get(), trial, isAlone ? alone : shared);
    }
    return numAlone;
  }

  std::unique_ptr<nacre_trials> trials = std::make_unique<nacre_trials>();
};

TEST_F(Trials, Enter_StepThatGains_IsTriedAloneMoreAndMoreRarely) {
  EXPECT_EQ(countAlone(16, 200, 100), 0);
  EXPECT_EQ(countAlone(20, 200, 100), 2);
  EXPECT_EQ(countAlone(12, 200, 100), 0);
  EXPECT_LT(countAlone(100000, 200, 100), 400);
}

TEST_F(Trials, Enter_StepThatLoses_IsDoneAlone) {
  countAlone(40, 90, 200);
  EXPECT_GT(countAlone(10000, 90, 200), 9900);
}

TEST_F(Trials, Enter_StepThatLosesLittle_IsShared) {
  EXPECT_LT(countAlone(10000, 60, 100), 100);
}

TEST_F(Trials, Enter_StepThatLosesNoMore_IsSharedAgain) {
  countAlone(1000, 90, 200);
  countAlone(600, 200, 100);
  EXPECT_LT(countAlone(10000, 200, 100), 100);
}

TEST_F(Trials, Enter_SizesThatChangeInATrial_SayNothing) {
  // The second run alone is a short one, as all behind it.
  int numAlone = 0;
  for (int run = 0; run < 1000; ++run) {
    uint64_t time = numAlone == 0 ? 1000 : 10;
    numAlone += countAlone(1, time, time);
  }
  EXPECT_GE(numAlone, 2);
  EXPECT_LT(numAlone, 50);
}

TEST_F(Trials, Enter_LongStep_IsNeverTriedAlone) {
  EXPECT_EQ(countAlone(10000, 1'000'000, 3'000'000), 0);
}

TEST_F(Trials, Enter_StepsThatCostMoreThanIsFree_AreTriedAsTheyEarn) {
  // A trial may cost 4 ms, of which two are free.
  EXPECT_EQ(countAlone(256, 2'000'000, 1'000'000), 0);
  int numAlone = countAlone(10000, 2'000'000, 1'000'000);
  EXPECT_GT(numAlone, 10);
  EXPECT_LE(numAlone, 10256 / 256 + 2);
}

TEST_F(Trials, Enter_TrialThatTookLongerThanExpected_CostsLaterOnes) {
  // Five seconds instead of a fifth of a millisecond.
  int numAlone = 0;
  for (int run = 0; run < 10000; ++run) {
    numAlone += countAlone(1, numAlone == 0 ? 5'000'000'000 : 200'000, 100'000);
  }
  EXPECT_EQ(numAlone, 2);
}

TEST_F(Trials, Find_StepInThePlaceOfOneOnTrial_GivesItsReserveBack) {
  for (int turn = 0; turn < 1000; ++turn) {
    // The trial begins, and has 1.6 of 2 ms.
    countAlone(40, 400'000, 400'000, partA, 2);
    countAlone(1, 1, 1, partA, 2 + NACRE_TRIALS);
  }
  EXPECT_GT(countAlone(100, 400'000, 400'000, partB, 3), 0);
}

TEST_F(Trials, Enter_ManySteps_CostNoMoreThanIsFreeAndEarned) {
  int numAlone = 0;
  for (int run = 0; run < 40; ++run) {
    for (uint64_t count = 2; count < 66; ++count) {
      numAlone += countAlone(1, 200'000, 100'000, partA, count);
    }
  }
  EXPECT_GT(numAlone, 0);
  EXPECT_LE(numAlone, (2'000'000 + 40 * 64 * 100'000 / 256) / 100'000);
}

TEST_F(Trials, Enter_TimesOfNothing_AreShared) {
  EXPECT_LT(countAlone(1000, 0, 0), 50);
}

TEST_F(Trials, Find_OtherFunctionOrNumberOfParts_IsAnotherStep) {
  countAlone(100, 90, 200);
  EXPECT_EQ(countAlone(16, 90, 200, partB), 0);
  EXPECT_EQ(countAlone(16, 90, 200, partA, 3), 0);
  EXPECT_GT(countAlone(20, 90, 200), 10);
}

TEST_F(Trials, Find_StepInThePlaceOfAnother_StartsAnew) {
  countAlone(100, 90, 200);
  // As many parts that it has the same place.
  EXPECT_EQ(countAlone(16, 90, 200, partA, 2 + NACRE_TRIALS), 0);
  EXPECT_EQ(countAlone(16, 90, 200), 0);
}

} // namespace
