//===- HistogramTest.cpp - Tests of histograms and statistics -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Histogram.h"
#include "nacre/Quantization/RangeProfile.h"
#include "nacre/Quantization/Statistics.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace nacre::quantization;

/// Runs of very different ranges, so that bins have to widen.
static std::vector<std::vector<float>> makeRuns() {
  std::mt19937 random(7);
  std::vector<std::vector<float>> runs;
  for (float scale : {1e-3f, 40.0f, 0.5f, 3.0f, 1e4f, 1.0f}) {
    std::vector<float> &run = runs.emplace_back();
    for (int i = 0; i < 999; ++i) {
      auto uniform = static_cast<float>(random() % 20001) / 10000 - 1;
      run.push_back(uniform * scale);
    }
  }
  return runs;
}

static Statistics collect(const std::vector<std::vector<float>> &runs,
                          size_t bins = 64) {
  Statistics result(bins, /*axis=*/1);
  for (const std::vector<float> &run : runs) {
    result.add(run, {static_cast<int64_t>(run.size() / 3), 3});
  }
  return result;
}

static std::string write(const Statistics &statistics) {
  RangeProfile profile;
  profile.values.emplace_back().name = "x";
  profile.values.back().take(statistics);
  std::string text;
  llvm::raw_string_ostream os(text);
  profile.write(os);
  return text;
}

TEST(Histogram, EveryNumber_IsInABinOfAMultipleOfTheWidth) {
  Histogram histogram(16);
  std::vector<float> values = {-1, -0.26f, 0, 0.1f, 0.24f, 2.74f};
  histogram.add(values, -1, 2.74f);
  const Bins &bins = histogram.getBins();
  EXPECT_EQ(bins.exponent, -2);
  EXPECT_EQ(bins.first, -4);
  EXPECT_EQ(bins.counts, (std::vector<uint64_t>{1, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0,
                                                0, 0, 0, 1}));
}

TEST(Histogram, WiderRange_KeepsEveryCount) {
  Histogram histogram(4);
  for (float value : {0.25f, -0.25f, 3.0f, -100.0f, 5000.0f}) {
    histogram.add({value}, value, value);
  }
  const Bins &bins = histogram.getBins();
  EXPECT_LE(bins.counts.size(), 4u);
  EXPECT_EQ(std::accumulate(bins.counts.begin(), bins.counts.end(), 0u), 5u);
  EXPECT_EQ(bins.counts.front(), 2u) << "what is below zero";
}

TEST(Histogram, SameNumberOnly_HasOneNarrowBin) {
  Histogram histogram;
  histogram.add({3.0f, 3.0f}, 3, 3);
  EXPECT_EQ(histogram.getBins().counts, std::vector<uint64_t>{2});
  EXPECT_LE(histogram.getBins().getWidth(), 3e-6);
}

TEST(Histogram, ZerosThenNumbers_AreTheSameAsNumbersThenZeros) {
  Histogram first, second;
  first.add({0.0f}, 0, 0);
  first.add({1e30f, 1e-30f}, 1e-30f, 1e30f);
  second.add({1e30f, 1e-30f}, 1e-30f, 1e30f);
  second.add({0.0f}, 0, 0);
  EXPECT_EQ(first.getBins().exponent, second.getBins().exponent);
  EXPECT_EQ(first.getBins().counts, second.getBins().counts);
}

TEST(Statistics, OrderOfRuns_ChangesNothing) {
  std::vector<std::vector<float>> runs = makeRuns();
  std::string expected = write(collect(runs));
  std::mt19937 random(1);
  for (int i = 0; i < 10; ++i) {
    std::shuffle(runs.begin(), runs.end(), random);
    EXPECT_EQ(write(collect(runs)), expected);
  }
}

TEST(Statistics, RunsInOne_AreTheSame) {
  std::vector<std::vector<float>> runs = makeRuns();
  std::vector<float> all;
  for (const std::vector<float> &run : runs) {
    all.insert(all.end(), run.begin(), run.end());
  }
  EXPECT_EQ(write(collect({all})), write(collect(runs)));
}

TEST(Statistics, MeanAndDeviation_AreThoseOfTheNumbers) {
  Statistics statistics(64, /*axis=*/-1);
  statistics.add({1, 2, 3, 6}, {4});
  statistics.add({-2, 1e-40f}, {2});
  EXPECT_EQ(statistics.getSummary().count, 6u);
  EXPECT_DOUBLE_EQ(statistics.getSummary().getMean(), 10.0 / 6);
  EXPECT_NEAR(statistics.getSummary().getDeviation(),
              std::sqrt(54.0 / 6 - 100.0 / 36), 1e-12);
}

TEST(Statistics, WhatIsNotFinite_IsCountedApart) {
  Statistics statistics(64, /*axis=*/1);
  float infinity = std::numeric_limits<float>::infinity();
  statistics.add({infinity, -1, std::nanf(""), 2, -infinity, 0}, {3, 2});
  EXPECT_EQ(statistics.getInfinities(), 2u);
  EXPECT_EQ(statistics.getNaNs(), 1u);
  EXPECT_EQ(statistics.getSummary().count, 3u);
  EXPECT_EQ(statistics.getSummary().low, -1);
  EXPECT_EQ(statistics.getSummary().high, 2);
  EXPECT_EQ(statistics.getChannels().high[1], 2);
}

TEST(Statistics, ChannelsThatVary_AreLeftOut) {
  Statistics statistics(64, /*axis=*/1);
  statistics.add({1, 2, 3, 4}, {1, 2, 2});
  EXPECT_EQ(statistics.getChannels().low, (std::vector<float>{1, 3}));
  EXPECT_EQ(statistics.getChannels().high, (std::vector<float>{2, 4}));
  EXPECT_EQ(statistics.getChannels().mean, (std::vector<float>{1.5, 3.5}));
  statistics.add({1, 2, 3}, {1, 3, 1});
  EXPECT_TRUE(statistics.getChannels().low.empty());
  statistics.add({1, 2, 3, 4}, {1, 2, 2});
  EXPECT_TRUE(statistics.getChannels().low.empty());
}
