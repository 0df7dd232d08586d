//===- RankCorrelationTest.cpp - Tests of the correlation of ranks --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Driver/RankCorrelation.h"

#include "gtest/gtest.h"

using nacre::driver::correlateRanks;

TEST(RankCorrelation, OfTheSameOrderIsOneHoweverFarApartNumbersAre) {
  EXPECT_DOUBLE_EQ(*correlateRanks({3, 1, 2, 10}, {30, 0.1, 29, 1e9}), 1);
}

TEST(RankCorrelation, OfTheReverseOrderIsMinusOne) {
  EXPECT_DOUBLE_EQ(*correlateRanks({1, 2, 3}, {9, 8, -1}), -1);
}

// By the definition without ties: 1 - 6 Σd² / (n (n² - 1)).
TEST(RankCorrelation, OfTwoThatChangedPlacesIsByTheDefinition) {
  EXPECT_DOUBLE_EQ(*correlateRanks({1, 2, 3, 4}, {2, 1, 3, 4}),
                   1 - 6.0 * 2 / (4 * 15));
}

TEST(RankCorrelation, OfEqualNumbersTakesTheMeanOfTheirRanks) {
  // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3.
  EXPECT_NEAR(*correlateRanks({1, 5, 5, 7}, {1, 2, 3, 4}), 0.9487, 1e-4);
}

TEST(RankCorrelation, OfTooFewOrOfEqualNumbersIsNone) {
  EXPECT_FALSE(correlateRanks({1, 2}, {1, 2}));
  EXPECT_FALSE(correlateRanks({1, 2, 3}, {4, 4, 4}));
}
