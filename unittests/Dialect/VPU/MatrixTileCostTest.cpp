//===- MatrixTileCostTest.cpp - Tests of costs on a matrix unit -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"

#include "gtest/gtest.h"

using namespace nacre::VPU;

TEST(MatrixSteps, OfFewPixelsTakeHalfOfAFullTile) {
  constexpr int64_t kFew = 1 << 10;
  EXPECT_EQ(estimateMatrixStep(2, 16, kFew), 64);
  EXPECT_EQ(estimateMatrixStep(2, 8, kFew), 32);
  EXPECT_EQ(estimateMatrixStep(2, 1, kFew), 32);
}

TEST(MatrixSteps, AreOfPairsOfTiles) {
  constexpr int64_t kFew = 1 << 10;
  EXPECT_EQ(estimateMatrixStep(3, 16, kFew), estimateMatrixStep(4, 16, kFew));
}

TEST(MatrixSteps, WaitForWeightsThatTheFirstCacheDoesNotHold) {
  EXPECT_EQ(estimateMatrixStep(2, 8, kFirstCacheBytes), 32);
  EXPECT_EQ(estimateMatrixStep(2, 8, kFirstCacheBytes + 1), 56);
  // Full tiles take longer than that.
  EXPECT_EQ(estimateMatrixStep(2, 16, kFirstCacheBytes + 1), 64);
}
