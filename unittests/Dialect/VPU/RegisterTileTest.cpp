//===- RegisterTileTest.cpp - Tests of the choice of register tiles -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Dialect/VPU/Transforms/RegisterTileChooser.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre::VPU;

/// 32 registers of 16 lanes, and 16 of 8.
static constexpr VectorRegisters kWide{32, 64}, kNarrow{16, 32};

static ContractionShape getShape(int64_t rows, int64_t columns,
                                 int64_t vectors) {
  ContractionShape shape;
  shape.rows = rows;
  shape.columns = columns;
  shape.vectors = vectors;
  return shape;
}

static void expectTile(RegisterTile tile, int64_t rows, int64_t columns,
                       int64_t vectors) {
  EXPECT_EQ(tile.rows, rows);
  EXPECT_EQ(tile.columns, columns);
  EXPECT_EQ(tile.vectors, vectors);
}

TEST(RegisterTiles, OfLargeImagesDivideTheirRows) {
  expectTile(chooseRegisterTile(getShape(56, 56, 2), kWide), 1, 14, 2);
  expectTile(chooseRegisterTile(getShape(56, 56, 2), kNarrow), 1, 4, 2);
}

TEST(RegisterTiles, OfManyVectorsHaveFewPixels) {
  expectTile(chooseRegisterTile(getShape(56, 56, 4), kWide), 1, 6, 4);
}

TEST(RegisterTiles, JoinShortRows) {
  expectTile(chooseRegisterTile(getShape(7, 7, 2), kWide), 2, 7, 2);
}

TEST(RegisterTiles, OfOnePixelAreAllVectors) {
  expectTile(chooseRegisterTile(getShape(1, 1, 8), kWide), 1, 1, 8);
}

TEST(RegisterTiles, LeaveRegistersForWeightsAndAPixel) {
  for (VectorRegisters registers : {kWide, kNarrow}) {
    for (int64_t columns = 1; columns < 40; ++columns) {
      for (int64_t vectors = 1; vectors <= 8; ++vectors) {
        RegisterTile tile =
            chooseRegisterTile(getShape(5, columns, vectors), registers);
        EXPECT_TRUE(fitsRegisters(tile, /*isFused=*/true, registers.count))
            << columns << " columns, " << vectors << " vectors";
      }
    }
  }
}

TEST(RegisterTiles, WithoutFusedInstructionsLeaveThemForAllPixels) {
  ContractionShape shape = getShape(56, 56, 2);
  shape.isFused = false;
  expectTile(chooseRegisterTile(shape, kWide), 1, 8, 2);
}

TEST(RegisterTiles, HaveTheVectorsThatAreAskedFor) {
  ContractionShape shape = getShape(1, 1, 4);
  shape.leastVectors = 4;
  expectTile(chooseRegisterTile(shape, kWide), 1, 1, 4);
}

TEST(RegisterTiles, OfMoreVectorsThanRegistersAreOnePixel) {
  ContractionShape shape = getShape(7, 7, 16);
  shape.leastVectors = 16;
  expectTile(chooseRegisterTile(shape, kWide), 1, 1, 16);
}

TEST(RegisterTiles, OfLongReductionsHaveFewVectors) {
  ContractionShape shape = getShape(56, 56, 4);
  shape.steps = 4000;
  expectTile(chooseRegisterTile(shape, kWide), 1, 14, 2);
}

TEST(RegisterTiles, OfPixelsThatCollideAreSmall) {
  ContractionShape shape = getShape(1, 84, 8);
  shape.steps = 1024;
  int64_t apart = chooseRegisterTile(shape, kWide).columns;
  shape.pixelStride = 4096;
  EXPECT_LT(chooseRegisterTile(shape, kWide).columns, apart);
}

TEST(RegisterTiles, OfDynamicRowsJoinShortOnes) {
  expectTile(chooseRegisterTile(getShape(ShapedType::kDynamic, 6, 1), kWide),
             kMostTileRows, 6, 1);
}

TEST(RegisterTiles, OfDynamicColumnsAreChosenForMany) {
  constexpr int64_t kDynamic = ShapedType::kDynamic;
  expectTile(chooseRegisterTile(getShape(kDynamic, kDynamic, 2), kWide), 1, 12,
             2);
}

TEST(RegisterTiles, OfRowsThatAreLeftOverAreTwoAtMost) {
  EXPECT_EQ(getMostRowsOfTail({1, 13, 2}), 6);
  EXPECT_EQ(getMostRowsOfTail({1, 6, 4}), 3);
  EXPECT_EQ(getMostRowsOfTail({1, 1, 8}), 1);
  // But for so many rows that each has sums enough by itself.
  EXPECT_EQ(getMostRowsOfTail({1, 29, 1}), kSumsInFlight);
}

TEST(RegisterTileCosts, HaveAMinimumOfLatency) {
  EXPECT_EQ(estimateTiles({1, 1, 1}, getShape(1, 1, 1), 64),
            estimateTiles({1, 1, 1}, getShape(1, 3, 1), 64) / 3);
  EXPECT_LT(estimateTiles({1, 3, 1}, getShape(1, 3, 1), 64),
            estimateTiles({1, 1, 1}, getShape(1, 3, 1), 64));
}

TEST(RegisterTileCosts, OfBuffersAreBoundedByTheStack) {
  EXPECT_EQ(countBufferedVectors({4, 3, 3, 16}, 64), 7);
  EXPECT_EQ(countBufferedVectors({8192}, 64), 0);
}

TEST(UsefulShares, OfWindowsWithoutABorderAreAll) {
  EXPECT_EQ(getUsefulShare({3, 1, 1, 9, 0, 0}, 7), 1);
}

TEST(UsefulShares, CountProductsWithZeros) {
  // Of seven outputs by three taps, the first and the last meet zeros once.
  EXPECT_DOUBLE_EQ(getUsefulShare({3, 1, 1, 9, 1, 1}, 7), 19.0 / 21);
  // Windows in steps of two reach beyond the first edge alone.
  EXPECT_DOUBLE_EQ(getUsefulShare({3, 2, 1, 9, 1, 0}, 4), 11.0 / 12);
}

TEST(UsefulShares, AreOfEachOutputAndTap) {
  for (const WindowShape &window :
       {WindowShape{5, 1, 2, 30, 3, 5}, WindowShape{7, 3, 1, 40, 8, 2},
        WindowShape{3, 2, 12, 60, 12, 30}, WindowShape{3, 1, 1, 5, 4, 4}}) {
    for (int64_t outputs : {1, 2, 11}) {
      int64_t useful = 0;
      for (int64_t output = 0; output < outputs; ++output) {
        for (int64_t tap = 0; tap < window.taps; ++tap) {
          useful += window.isUseful(output, tap) ? 1 : 0;
        }
      }
      EXPECT_DOUBLE_EQ(getUsefulShare(window, outputs),
                       static_cast<double>(useful) /
                           static_cast<double>(outputs * window.taps));
    }
  }
}

TEST(UsefulShares, OfManyOutputsAndTapsAreCountedByTap) {
  constexpr int64_t kOutputs = int64_t(1) << 40;
  EXPECT_NEAR(getUsefulShare({1024, 1, 1, kOutputs + 1023, 512, 511}, kOutputs),
              1, 1e-6);
}

TEST(UsefulShares, OfDynamicSizesAreAll) {
  constexpr int64_t kDynamic = ShapedType::kDynamic;
  EXPECT_EQ(getUsefulShare({3, 1, 1, kDynamic, 1, 1}, kDynamic), 1);
}

TEST(TapRanges, OfATileThatIsWholeAreOfBothEdges) {
  EXPECT_EQ(countTapRanges({5, 1, 1, 10, 2, 2}, 6, 6), 5);
  EXPECT_EQ(countTapRanges({5, 1, 1, 10, 2, 2}, 6, 3), 3);
  EXPECT_EQ(countTapRanges({3, 1, 1, 9, 1, 1}, 7, 4), 2);
}

TEST(TapRanges, OfDilatedTapsAreFewer) {
  EXPECT_EQ(countTapRanges({3, 1, 2, 11, 2, 2}, 7, 4), 2);
}

TEST(TapRanges, OfOneOutputOrNoBorderAreOne) {
  EXPECT_EQ(countTapRanges({5, 1, 1, 10, 2, 2}, 6, 1), 1);
  EXPECT_EQ(countTapRanges({5, 1, 1, 10, 0, 0}, 6, 6), 1);
}

static void expectEdges(EdgeTiles edges, int64_t first, int64_t last) {
  EXPECT_EQ(edges.first, first);
  EXPECT_EQ(edges.last, last);
}

TEST(EdgeTiles, AreThoseThatMeetZeros) {
  expectEdges(countEdgeTiles({3, 1, 1, 30, 1, 1}, 28, 7), 1, 1);
  // What is left over at the end is no whole tile.
  expectEdges(countEdgeTiles({3, 1, 1, 30, 1, 1}, 28, 5), 1, 0);
  expectEdges(countEdgeTiles({3, 1, 24, 101, 24, 24}, 53, 6), 8, 0);
}

TEST(EdgeTiles, OfOneOutputOrNoBorderAreNone) {
  expectEdges(countEdgeTiles({3, 1, 1, 30, 1, 1}, 28, 1), 0, 0);
  expectEdges(countEdgeTiles({3, 1, 1, 30, 0, 0}, 28, 7), 0, 0);
}

TEST(EdgeTiles, OfDynamicSizesAreNone) {
  constexpr int64_t kDynamic = ShapedType::kDynamic;
  expectEdges(countEdgeTiles({3, 1, 1, kDynamic, 1, 1}, kDynamic, 4), 0, 0);
}

TEST(StagedColumns, AreThoseThatRegistersDoNotHold) {
  // Tiles of 4x4 results, inputs and products with a bias.
  EXPECT_EQ(chooseStagedColumns(6, 6, 0, kWide.count), 2);
  EXPECT_EQ(chooseStagedColumns(6, 6, 0, kNarrow.count), 5);
  EXPECT_EQ(chooseStagedColumns(6, 4, 1, kNarrow.count), 5);
}

TEST(StagedColumns, AreNoneOfASmallTile) {
  EXPECT_EQ(chooseStagedColumns(4, 4, 0, kWide.count), 0);
}

TEST(StagedColumns, AreMoreThanOne) {
  // Registers hold five of six.
  EXPECT_EQ(chooseStagedColumns(6, 4, 1, kWide.count), 2);
}

TEST(StagedColumns, AreAllWhereRegistersAreFew) {
  EXPECT_EQ(chooseStagedColumns(6, 6, 0, 8), 6);
}
