//===- RegisterTileTest.cpp - Tests of the choice of register tiles -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Conversion/VPUToVector/RegisterTile.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {

class RegisterTiles : public ::testing::Test {
protected:
  RegisterTiles() : builder(&context) {
    wide.floats = narrow.floats = builder.getF32Type();
    narrow.lanes = 8;
    narrow.registers = 16;
  }

  RegisterTile choose(int64_t rows, int64_t columns, int64_t vectors,
                      VectorMachine machine, TileConditions conditions = {}) {
    return chooseRegisterTile(builder.getIndexAttr(rows),
                              builder.getIndexAttr(columns), vectors, machine,
                              conditions);
  }

  MLIRContext context;
  Builder builder;
  /// 32 registers of 16 lanes, and 16 of 8.
  VectorMachine wide, narrow;
};

} // namespace

static void expectTile(RegisterTile tile, int64_t rows, int64_t columns,
                       int64_t vectors) {
  EXPECT_EQ(tile.rows, rows);
  EXPECT_EQ(tile.columns, columns);
  EXPECT_EQ(tile.vectors, vectors);
}

TEST_F(RegisterTiles, OfLargeImagesDivideTheirRows) {
  expectTile(choose(56, 56, 2, wide), 1, 14, 2);
  expectTile(choose(56, 56, 2, narrow), 1, 4, 2);
}

TEST_F(RegisterTiles, OfManyVectorsHaveFewPixels) {
  expectTile(choose(56, 56, 4, wide), 1, 6, 4);
}

TEST_F(RegisterTiles, JoinShortRows) {
  expectTile(choose(7, 7, 2, wide), 2, 7, 2);
}

TEST_F(RegisterTiles, OfOnePixelAreAllVectors) {
  expectTile(choose(1, 1, 8, wide), 1, 1, 8);
}

TEST_F(RegisterTiles, LeaveRegistersForWeightsAndAPixel) {
  for (const VectorMachine &machine : {wide, narrow}) {
    for (int64_t columns = 1; columns < 40; ++columns) {
      for (int64_t vectors = 1; vectors <= 8; ++vectors) {
        RegisterTile tile = choose(5, columns, vectors, machine);
        EXPECT_LE(tile.getAccumulators() + tile.vectors + 1, machine.registers)
            << columns << " columns, " << vectors << " vectors";
      }
    }
  }
}

TEST_F(RegisterTiles, WithoutFusedInstructionsLeaveThemForAllPixels) {
  TileConditions conditions;
  conditions.isFused = false;
  expectTile(choose(56, 56, 2, wide, conditions), 1, 8, 2);
}

TEST_F(RegisterTiles, HaveTheVectorsThatAreAskedFor) {
  TileConditions conditions;
  conditions.leastVectors = 4;
  expectTile(choose(1, 1, 4, wide, conditions), 1, 1, 4);
}

TEST_F(RegisterTiles, OfLongReductionsHaveFewVectors) {
  TileConditions conditions;
  conditions.steps = 4000;
  expectTile(choose(56, 56, 4, wide, conditions), 1, 14, 2);
}

TEST_F(RegisterTiles, OfDynamicColumnsAreChosenForMany) {
  // A size is dynamic where it is no attribute.
  Block block;
  Value size =
      block.addArgument(builder.getIndexType(), UnknownLoc::get(&context));
  expectTile(chooseRegisterTile(size, size, 2, wide), 1, 12, 2);
}
