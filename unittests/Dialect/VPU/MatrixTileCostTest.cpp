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

TEST(MatrixTileCost, Pieces_PayFromSomeVectorsOn) {
  constexpr int64_t kNear = 1 << 14, kDistant = 1 << 15;
  EXPECT_FALSE(savesByPieces(2, 3, kNear, /*isSquare=*/true));
  EXPECT_TRUE(savesByPieces(2, 4, kNear, /*isSquare=*/true));
  EXPECT_FALSE(savesByPieces(2, 7, kDistant, /*isSquare=*/true));
  EXPECT_TRUE(savesByPieces(2, 8, kDistant, /*isSquare=*/true));
  EXPECT_FALSE(savesByPieces(2, 8, kNear, /*isSquare=*/false));
  EXPECT_TRUE(savesByPieces(2, 9, kNear, /*isSquare=*/false));
}

TEST(MatrixTileCost, CopiesOfWindows_PayWhereStepsSaveAsMuch) {
  WindowCopies copies;
  copies.vectors = 4;
  copies.cacheBytes = 1 << 20;
  copies.strips = 1;
  copies.stripCycles = 1000;
  copies.steps = 9;
  copies.words = 144;
  // 2,152 cycles of copies for three steps, or for one.
  EXPECT_TRUE(copies.pay(/*otherSteps=*/12, /*stepCycles=*/1000));
  EXPECT_FALSE(copies.pay(/*otherSteps=*/10, /*stepCycles=*/1000));
  // Distant weights, and only if they are read once.
  copies.weightsAreDistant = true;
  EXPECT_TRUE(copies.pay(/*otherSteps=*/14, /*stepCycles=*/1000));
  copies.strips = 2;
  EXPECT_FALSE(copies.pay(/*otherSteps=*/30, /*stepCycles=*/1000));
}
