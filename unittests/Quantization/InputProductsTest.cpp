//===- InputProductsTest.cpp - Tests of rounding for inputs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/InputProducts.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace nacre::quantization;

static constexpr size_t kColumns = 24, kNumRows = 400;

/// Rows whose numbers go together: each is a mixture of a few.
static std::vector<float> makeRows(std::mt19937 &random) {
  constexpr size_t kFew = 4;
  std::normal_distribution<float> distribution;
  std::vector<float> mixture(kColumns * kFew), rows;
  for (float &part : mixture) {
    part = distribution(random);
  }
  for (size_t row = 0; row < kNumRows; ++row) {
    float few[kFew];
    for (float &number : few) {
      number = distribution(random);
    }
    for (size_t column = 0; column < kColumns; ++column) {
      float sum = 0.1f * distribution(random);
      for (size_t i = 0; i < kFew; ++i) {
        sum += mixture[column * kFew + i] * few[i];
      }
      rows.push_back(sum);
    }
  }
  return rows;
}

/// The squared error of a row of integers of a scale.
static double getError(llvm::ArrayRef<float> rows,
                       llvm::ArrayRef<float> weights,
                       llvm::ArrayRef<int8_t> integers, float scale) {
  double error = 0;
  for (size_t row = 0; row < kNumRows; ++row) {
    double off = 0;
    for (size_t i = 0; i < kColumns; ++i) {
      off += static_cast<double>(rows[row * kColumns + i]) *
             static_cast<double>(weights[i] - integers[i] * scale);
    }
    error += off * off;
  }
  return error;
}

TEST(InputProducts, Products_AreThoseOfAllPairs) {
  std::vector<float> triangle(getTriangleSize(2));
  addProducts(triangle, 2, {1, 2, 3, -4});
  addProducts(triangle, 2, {0, 1});
  EXPECT_EQ(triangle, (std::vector<float>{10, -10, 21}));
}

TEST(InputProducts, Rounding_LosesMuchLessThanTheNearestWhereInputsGoTogether) {
  std::mt19937 random(1);
  std::vector<float> rows = makeRows(random), weights;
  std::vector<float> triangle(getTriangleSize(kColumns));
  addProducts(triangle, kColumns, rows);
  std::uniform_real_distribution<float> distribution(-1, 1);
  for (size_t i = 0; i < 2 * kColumns; ++i) {
    weights.push_back(distribution(random));
  }
  constexpr float kScale = 1.0f / 7;
  auto scaleOf = [](size_t, size_t) { return kScale; };
  RoundedWeights rounded =
      roundByProducts({weights, kColumns, scaleOf, -8, 7}, triangle);
  EXPECT_LT(rounded.error, rounded.nearestError / 4);
  double error = 0;
  for (size_t row = 0; row < 2; ++row) {
    error += getError(
        rows, llvm::ArrayRef<float>(weights).slice(row * kColumns, kColumns),
        llvm::ArrayRef<int8_t>(rounded.integers)
            .slice(row * kColumns, kColumns),
        kScale);
  }
  EXPECT_NEAR(rounded.error / error, 1, 1e-3);
  for (int8_t integer : rounded.integers) {
    EXPECT_GE(integer, -8);
    EXPECT_LE(integer, 7);
  }
}

TEST(InputProducts, SumsOfNoInputs_GiveTheNearestIntegers) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN(),
                  kInfinite = std::numeric_limits<float>::infinity();
  auto scaleOf = [](size_t, size_t) { return 1.0f; };
  std::vector<float> weights = {1.4f, -2.6f, 3.4f, 0.4f};
  for (const std::vector<float> &triangle :
       std::vector<std::vector<float>>{{kNone, 0, 1},
                                       {1, 0, kInfinite},
                                       {-1, 0, 1},
                                       {1, kNone, 1},
                                       {1, kInfinite, 1}}) {
    RoundedWeights rounded =
        roundByProducts({weights, 2, scaleOf, -127, 127}, triangle);
    EXPECT_EQ(rounded.integers, (std::vector<int8_t>{1, -3, 3, 0}));
    EXPECT_EQ(rounded.error, 0);
    EXPECT_EQ(rounded.nearestError, 0);
  }
}

TEST(InputProducts, InputsOfZeros_HaveTheNearestIntegers) {
  std::vector<float> triangle(getTriangleSize(3));
  auto scaleOf = [](size_t, size_t column) {
    return column == 0 ? 2.0f : 1.0f;
  };
  std::vector<float> weights = {4.9f, -3.2f, 200};
  RoundedWeights rounded =
      roundByProducts({weights, 3, scaleOf, -127, 127}, triangle);
  EXPECT_EQ(rounded.integers, (std::vector<int8_t>{2, -3, 127}));
  EXPECT_EQ(rounded.error, 0);
}
