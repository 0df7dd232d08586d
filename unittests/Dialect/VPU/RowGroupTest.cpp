//===- RowGroupTest.cpp - Tests of ops that share a loop over rows --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Dialect/VPU/Transforms/RowGroup.h"

#include "nacre/InitAllDialects.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre::VPU;

namespace {

/// The group of a softmax without its maximum: exponentials, their sums, and
/// quotients.
class RowGroups : public ::testing::Test {
protected:
  RowGroups() {
    DialectRegistry registry;
    nacre::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  void parse(const std::string &results, const std::string &types) {
    std::string text = R"(
    #all = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%x: tensor<8x64xf32>, %empty: tensor<8x64xf32>,
                 %init: tensor<8xf32>) -> ()" +
                       types + R"() {
      %exp = linalg.generic {indexing_maps = [#all, #all],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
      ^bb0(%a: f32, %b: f32):
        %e = math.exp %a : f32
        linalg.yield %e : f32
      } -> tensor<8x64xf32>
      %sum = linalg.generic {indexing_maps = [#all, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%exp : tensor<8x64xf32>) outs(%init : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      %y = linalg.generic {indexing_maps = [#all, #row, #all],
          iterator_types = ["parallel", "parallel"]}
          ins(%exp, %sum : tensor<8x64xf32>, tensor<8xf32>)
          outs(%empty : tensor<8x64xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %q = arith.divf %a, %b : f32
        linalg.yield %q : f32
      } -> tensor<8x64xf32>
      return )" + results +
                       " : " + types + "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    module->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    ASSERT_EQ(ops.size(), 3U);
  }

  Operation *exp() { return ops[0]; }
  Operation *sum() { return ops[1]; }
  TilingInterface quotient() { return cast<TilingInterface>(ops[2]); }

  bool addIfNeeded(RowGroup &group, Operation *op) {
    std::optional<Box> box = group.getNeededBox(op);
    return box && group.add(op, *box);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<Operation *> ops;
};

TEST_F(RowGroups, TakeWhatTheirRowsNeed) {
  parse("%y", "tensor<8x64xf32>");
  RowGroup group(quotient(), {0});
  EXPECT_TRUE(addIfNeeded(group, sum()));
  EXPECT_TRUE(addIfNeeded(group, exp()));
  EXPECT_EQ(group.getMembers().size(), 3U);
  EXPECT_EQ(group.getMisfit(), nullptr);
  EXPECT_EQ(group.getExtent(0), Extent(8));
  EXPECT_EQ(group.getPoints(sum()), Extent(8 * 64));
  EXPECT_FALSE(group.isDynamic());
}

TEST_F(RowGroups, NeedProducersAfterTheirUsers) {
  parse("%y", "tensor<8x64xf32>");
  RowGroup group(quotient(), {0});
  // The sum reads it, too, and is no member yet.
  EXPECT_FALSE(group.getNeededBox(exp()));
}

TEST_F(RowGroups, HaveBoxesOfTheTile) {
  parse("%y", "tensor<8x64xf32>");
  RowGroup group(quotient(), {0});
  ASSERT_TRUE(addIfNeeded(group, sum()));
  ASSERT_TRUE(addIfNeeded(group, exp()));
  EXPECT_EQ(group.getNumTiles(), 8);
  ASSERT_TRUE(group.setTile({2, kWhole}));
  EXPECT_EQ(group.getNumTiles(), 4);
  std::optional<Box> box = group.getNeededBox(exp());
  ASSERT_TRUE(box);
  EXPECT_EQ(box->sizes[0], Extent(2));
  EXPECT_EQ(box->sizes[1], Extent(64));
  EXPECT_EQ(group.getNeededBox(sum())->sizes.front(), Extent(2));
}

TEST_F(RowGroups, OfOneTileAreWhole) {
  parse("%y", "tensor<8x64xf32>");
  RowGroup group(quotient(), {0});
  ASSERT_TRUE(group.setTile({8, 64}));
  EXPECT_EQ(group.getNumTiles(), 1);
  EXPECT_EQ(group.getTile()[0], kWhole);
}

TEST_F(RowGroups, OverColumnsDoNotComputeSumsOfRowsAgain) {
  parse("%y", "tensor<8x64xf32>");
  RowGroup group(quotient(), {1});
  std::optional<Box> box = group.getNeededBox(sum());
  ASSERT_TRUE(box);
  EXPECT_FALSE(group.add(sum(), *box));
  EXPECT_FALSE(group.contains(sum()));
}

TEST_F(RowGroups, DoNotTakeWhatOthersUse) {
  parse("%y, %sum", "tensor<8x64xf32>, tensor<8xf32>");
  RowGroup group(quotient(), {0});
  EXPECT_FALSE(group.getNeededBox(sum()));
}

TEST(Extents, OfOneProductAreEqualInAnyOrder) {
  Extent a = Extent::getSymbol(0), b = Extent::getSymbol(1);
  EXPECT_EQ(a * b * Extent(3), Extent(3) * b * a);
  EXPECT_NE(a, b);
  EXPECT_NE(a, a * a);
}

TEST(Extents, AreDividedByTheirFactors) {
  Extent a = Extent::getSymbol(0), b = Extent::getSymbol(1);
  EXPECT_EQ((a * b * Extent(6)).dividedBy(b * Extent(2)), a * Extent(3));
  EXPECT_FALSE((a * Extent(6)).dividedBy(b));
  EXPECT_FALSE((a * Extent(6)).dividedBy(Extent(4)));
  EXPECT_FALSE(a.dividedBy(Extent(0)));
}

TEST(Extents, HaveTheirSymbolsReplaced) {
  Extent a = Extent::getSymbol(0), b = Extent::getSymbol(1);
  EXPECT_EQ((a * a * b).replace(0, Extent(4)), Extent(16) * b);
}

} // namespace
