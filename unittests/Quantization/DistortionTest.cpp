//===- DistortionTest.cpp - Tests of distortions --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Distortion.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace nacre::quantization;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Distortion, Parts_AddUp) {
  Distortion whole, parts;
  whole.add({3, 4, 0, 1}, {3, 5, 0, 1});
  parts.add({3, 4}, {3, 5});
  parts.add({0, 1}, {0, 1});
  EXPECT_EQ(parts.getCount(), 4u);
  EXPECT_DOUBLE_EQ(parts.getDecibels(), 10 * std::log10(26.0));
  EXPECT_EQ(parts.getDecibels(), whole.getDecibels());
  EXPECT_EQ(parts.getLargestError(), 1);
  EXPECT_DOUBLE_EQ(parts.getCosine(), 30 / std::sqrt(26.0 * 35.0));
}

TEST(Distortion, EqualNumbers_HaveNone) {
  Distortion same;
  same.add({1, kInfinity, NAN, -kInfinity}, {1, kInfinity, NAN, -kInfinity});
  EXPECT_EQ(same.getDecibels(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(same.getCosine(), 1);
  Distortion zeros;
  zeros.add({0, 0}, {0, 0});
  EXPECT_EQ(zeros.getCosine(), 1);
}

TEST(Distortion, ZerosAlone_AreNoSignal) {
  Distortion distortion;
  EXPECT_FALSE(distortion.hasSignal());
  distortion.add({0, 0}, {1, 0});
  EXPECT_FALSE(distortion.hasSignal());
  distortion.add({0, 1e-10F}, {0, 0});
  EXPECT_TRUE(distortion.hasSignal());
}

TEST(Decibels, Rounded_AreTheNearestTenth) {
  EXPECT_EQ(roundDecibels(35.449), 35.4);
  EXPECT_EQ(roundDecibels(-35.451), -35.5);
  EXPECT_EQ(roundDecibels(300), 300);
}

TEST(Decibels, RoundedToNone_HaveNoSign) {
  for (double decibels : {-0.04, -0.0, 0.0, 0.04}) {
    EXPECT_EQ(roundDecibels(decibels), 0);
    EXPECT_FALSE(std::signbit(roundDecibels(decibels)));
  }
}

TEST(Distortion, OneThatIsNotFinite_IsInfinite) {
  for (float found : {kInfinity, NAN}) {
    Distortion distortion;
    distortion.add({1, 1}, {1, found});
    EXPECT_EQ(distortion.getDecibels(),
              -std::numeric_limits<double>::infinity());
    EXPECT_EQ(distortion.getCosine(), 0);
  }
}

TEST(Distortion, WideNumbers_AreToldApart) {
  constexpr int64_t kLarge = int64_t(1) << 60;
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  Distortion integers;
  integers.add<int64_t>({kLarge, kLeast}, {kLarge + 1, kLeast});
  EXPECT_EQ(integers.getLargestError(), 1);
  EXPECT_GT(integers.getDecibels(), 360);
  EXPECT_TRUE(std::isfinite(integers.getDecibels()));
  Distortion far;
  far.add<int64_t>({kLeast}, {std::numeric_limits<int64_t>::max()});
  EXPECT_EQ(far.getLargestError(), std::ldexp(1.0, 64));
  Distortion unsignedOnes;
  unsignedOnes.add<uint64_t>({~uint64_t(0)}, {~uint64_t(0) - 1});
  EXPECT_EQ(unsignedOnes.getLargestError(), 1);
  Distortion doubles;
  doubles.add<double>({1}, {1 + std::ldexp(1.0, -50)});
  EXPECT_EQ(doubles.getLargestError(), std::ldexp(1.0, -50));
  EXPECT_TRUE(std::isfinite(doubles.getDecibels()));
}

TEST(Distortion, SquaresBeyondDoubles_AreNeitherExactNorNaN) {
  for (double scale : {1e-200, 1e200}) {
    Distortion distortion;
    distortion.add<double>({scale, 1e200}, {2 * scale, 1e200});
    EXPECT_TRUE(std::isfinite(distortion.getDecibels()));
    EXPECT_TRUE(std::isfinite(distortion.getCosine()));
  }
}

TEST(Distortion, NoiseWithoutSignal_IsTheWorst) {
  Distortion distortion;
  distortion.add({0, 0}, {0, 1});
  EXPECT_EQ(distortion.getDecibels(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(distortion.getCosine(), 0);
}

TEST(Agreement, IsCountedByRow) {
  Agreement agreement;
  agreement.add({1, 2, 3, 9, 8, 7}, {1, 3, 2, 5, 4, 3}, 3);
  EXPECT_EQ(agreement.getCount(), 2u);
  EXPECT_EQ(agreement.getSame(), 1u);
}
