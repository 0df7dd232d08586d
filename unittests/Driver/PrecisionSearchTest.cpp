//===- PrecisionSearchTest.cpp - Tests of the search ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Driver/PrecisionSearch.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"
#include <set>

using namespace nacre::driver;

namespace {

/// A model whose groups each lose so much on integers.
struct Model {
  explicit Model(std::vector<double> losses, double target = 0)
      : losses(std::move(losses)), target(target) {}

  std::vector<double> losses;
  /// How much of a loss stays with values of 16 bits, if these are tried.
  std::vector<double> wideParts;
  bool triesWide = false;
  double target;
  int trials = 0, mostTrials = 1000;

  std::optional<Score> measure(const Trial &trial, llvm::StringRef) {
    if (trials == mostTrials) {
      return std::nullopt;
    }
    ++trials;
    Score score;
    for (size_t i = 0; i < losses.size(); ++i) {
      double part = trial.wide.test(i) ? wideParts[i] : 1;
      score.metric -= trial.onIntegers.test(i) ? losses[i] * part : 0;
    }
    for (double factor : trial.factors) {
      score.metric -= factor == 0.5 ? 0 : 1; // half of a range is best
    }
    score.reaches = score.metric >= target;
    return score;
  }
};

} // namespace

static std::set<size_t> getFloats(const Trial &trial) {
  std::set<size_t> floats;
  for (unsigned i = 0; i < trial.onIntegers.size(); ++i) {
    if (!trial.onIntegers.test(i)) {
      floats.insert(i);
    }
  }
  return floats;
}

static Trial search(Model &model, const std::vector<double> &costs,
                    size_t numValues = 0, bool searchesRanges = false) {
  std::vector<std::string> names, values;
  for (size_t i = 0; i < costs.size(); ++i) {
    names.push_back("group" + std::to_string(i));
  }
  for (size_t i = 0; i < numValues; ++i) {
    values.push_back("value" + std::to_string(i));
  }
  auto measure = [&](const Trial &trial, llvm::StringRef what) {
    return model.measure(trial, what);
  };
  PrecisionSearch found(names, costs, numValues, model.triesWide, measure);
  EXPECT_TRUE(found.begin());
  if (searchesRanges) {
    found.searchRanges(values);
  }
  found.searchPrecisions();
  return found.getBest();
}

TEST(PrecisionSearch, AllOnIntegers_EndsAtOnce) {
  Model model({0, 0, 0});
  EXPECT_TRUE(getFloats(search(model, {1, 1, 1})).empty());
  EXPECT_EQ(model.trials, 2);
}

TEST(PrecisionSearch, OneBadGroup_IsFound) {
  Model model({0, 0, 5, 0, 0});
  EXPECT_EQ(getFloats(search(model, {1, 1, 1, 1, 1})), std::set<size_t>{2});
}

TEST(PrecisionSearch, SeveralBadGroups_AreFound) {
  Model model({1, 0, 5, 0, 2, 0, 0});
  EXPECT_EQ(getFloats(search(model, {1, 1, 1, 1, 1, 1, 1})),
            (std::set<size_t>{0, 2, 4}));
}

TEST(PrecisionSearch, ExpensiveGroup_IsOnIntegersWhereCheaperOnesDo) {
  // The first loses the most, and costs more than the other two.
  Model model({3, 2, 2}, /*target=*/-3);
  EXPECT_EQ(getFloats(search(model, {9, 1, 1})), (std::set<size_t>{1, 2}));
}

static std::set<size_t> getWide(const Trial &trial) {
  auto bits = trial.wide.set_bits();
  return {bits.begin(), bits.end()};
}

TEST(PrecisionSearch, GroupThatSixteenBitsAreEnoughFor_HasThem) {
  // The third has weights that no activation makes up for.
  Model model({0, 3, 5, 0});
  model.wideParts = {0, 0, 1, 0};
  model.triesWide = true;
  Trial best = search(model, {1, 1, 1, 1});
  EXPECT_EQ(getFloats(best), std::set<size_t>{2});
  EXPECT_EQ(getWide(best), std::set<size_t>{1});
}

TEST(PrecisionSearch, AllFloatsThatMayHaveSixteenBits_DoSoAtOnce) {
  Model model({4, 0, 4});
  model.wideParts = {0.25, 0.25, 0.25};
  model.triesWide = true;
  model.target = -2;
  Trial best = search(model, {1, 1, 1});
  EXPECT_TRUE(getFloats(best).empty());
  EXPECT_EQ(getWide(best), (std::set<size_t>{0, 2}));
}

TEST(PrecisionSearch, SixteenBitsThatWereNotAskedFor_AreNotTried) {
  Model model({0, 3});
  EXPECT_TRUE(getWide(search(model, {1, 1})).empty());
}

TEST(PrecisionSearch, WithoutTime_WhatWasFoundIsKept) {
  Model model({0, 5, 0});
  model.mostTrials = 3;
  // The third trial had the first group alone on integers.
  EXPECT_EQ(getFloats(search(model, {1, 1, 1})), (std::set<size_t>{1, 2}));
  EXPECT_EQ(model.trials, 3);
}

TEST(PrecisionSearch, TargetBeyondFloats_IsSaid) {
  Model model({0}, /*target=*/1);
  auto measure = [&](const Trial &trial, llvm::StringRef what) {
    return model.measure(trial, what);
  };
  PrecisionSearch found({"group"}, {1}, 0, /*triesWide=*/false, measure);
  EXPECT_FALSE(found.begin());
}

TEST(PrecisionSearch, Ranges_AreNarrowedToWhatIsBest) {
  Model model({0}, /*target=*/-2);
  Trial best = search(model, {1}, /*numValues=*/2, /*searchesRanges=*/true);
  EXPECT_EQ(best.factors, (std::vector<double>{0.5, 0.5}));
}
