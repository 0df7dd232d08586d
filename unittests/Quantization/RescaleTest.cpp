//===- RescaleTest.cpp - Tests of values whose channels are multiplied ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Rescale.h"
#include "nacre/Quantization/Calibrators.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace nacre::quantization;

/// A value of normally distributed channels of these deviations.
static ValueProfile makeValue(llvm::ArrayRef<float> deviations) {
  constexpr int64_t kSize = 4096;
  std::mt19937 random(1);
  std::vector<float> numbers;
  for (float deviation : deviations) {
    std::normal_distribution<float> distribution(0, deviation);
    for (int64_t i = 0; i < kSize; ++i) {
      numbers.push_back(distribution(random));
    }
  }
  auto count = static_cast<int64_t>(deviations.size());
  Statistics statistics(2048, /*axis=*/1);
  statistics.add(numbers, {1, count, kSize});
  ValueProfile value;
  value.take(statistics);
  return value;
}

TEST(Rescale, Channels_AreMultiplied) {
  ValueProfile value = makeValue({1, 100});
  ValueProfile scaled = rescale(value, {10, 0.5f});
  EXPECT_EQ(scaled.channels->low[0], value.channels->low[0] * 10);
  EXPECT_EQ(scaled.channels->high[1], value.channels->high[1] / 2);
  EXPECT_EQ(scaled.high, scaled.channels->high[1]);
  EXPECT_EQ(scaled.low, scaled.channels->low[1]);
  double squares = std::pow(scaled.channels->deviation[0], 2) +
                   std::pow(scaled.channels->deviation[1], 2);
  EXPECT_NEAR(scaled.deviation, std::sqrt(squares / 2), 0.1);
}

TEST(Rescale, Histogram_HoldsTheRangeAndLeadsToOneLikeThatMeasured) {
  ValueProfile scaled = rescale(makeValue({1, 100}), {100, 1});
  ValueProfile measured = makeValue({100, 100});
  double width = scaled.histogram.getWidth();
  auto first = static_cast<double>(scaled.histogram.first);
  auto size = static_cast<double>(scaled.histogram.counts.size());
  EXPECT_LE(first * width, static_cast<double>(scaled.low));
  EXPECT_GE((first + size) * width, static_cast<double>(scaled.high));
  CalibrationOptions options;
  Range expected = calibrate(measured, options);
  Range found = calibrate(scaled, options);
  EXPECT_NEAR(found.high / expected.high, 1, 0.25);
  EXPECT_NEAR(found.low / expected.low, 1, 0.25);
}

TEST(Rescale, WithoutDeviations_HasNoHistogram) {
  ValueProfile value = makeValue({1, 2});
  value.channels->deviation.clear();
  ValueProfile scaled = rescale(value, {1, 2});
  EXPECT_TRUE(scaled.histogram.counts.empty());
  EXPECT_GT(scaled.deviation, 0);
}

TEST(Rescale, ErrorsOfChannels_AreThoseOfTheStepUnlessChannelsAreSmaller) {
  ValueProfile value = makeValue({0.001f, 1, 0});
  Parameters parameters = getParameters(
      {value.low, value.high}, Schema::Symmetric, ActivationType::UInt8);
  std::vector<double> errors = getChannelErrors(value, parameters);
  std::vector<double> squares = getChannelSquares(value);
  double ofStep = std::pow(static_cast<double>(parameters.scale), 2) / 12;
  EXPECT_NEAR(errors[0] / squares[0], 1, 0.1); // nothing is left of it
  EXPECT_NEAR(errors[1] / ofStep, 1, 0.1);
  EXPECT_LT(errors[2], 1e-30);
}
