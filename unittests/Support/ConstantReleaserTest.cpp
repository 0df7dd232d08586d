//===- ConstantReleaserTest.cpp - Tests of freed constants ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/ConstantReleaser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {
struct ConstantReleaserTest : testing::Test {
  ConstantReleaserTest() : rewriter(&context) {
    context.loadDialect<arith::ArithDialect>();
    module = ModuleOp::create(rewriter.getUnknownLoc());
    rewriter.setInsertionPointToStart(module->getBody());
    AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
        /*size=*/8, /*align=*/8, /*dataIsMutable=*/true);
    value = DenseResourceElementsAttr::get(
        RankedTensorType::get({2}, rewriter.getF32Type()), "weights",
        std::move(blob));
  }

  Operation *buildConstant() {
    return arith::ConstantOp::create(rewriter, rewriter.getUnknownLoc(), value);
  }

  bool hasData() const {
    const AsmResourceBlob *blob = value.getRawHandle().getBlob();
    return blob && !blob->getData().empty();
  }

  MLIRContext context;
  IRRewriter rewriter;
  OwningOpRef<ModuleOp> module;
  DenseResourceElementsAttr value;
};
} // namespace

TEST_F(ConstantReleaserTest, EraseWhenItIsTheLastUseFreesTheData) {
  Operation *only = buildConstant();
  ConstantReleaser releaser(*module);
  rewriter.setListener(&releaser);
  rewriter.eraseOp(only);
  EXPECT_FALSE(hasData());
}

TEST_F(ConstantReleaserTest, EraseWhenAnotherUseIsLeftKeepsTheData) {
  Operation *first = buildConstant(), *second = buildConstant();
  ConstantReleaser releaser(*module);
  rewriter.setListener(&releaser);
  rewriter.eraseOp(first);
  EXPECT_TRUE(hasData());
  rewriter.eraseOp(second);
  EXPECT_FALSE(hasData());
}

TEST_F(ConstantReleaserTest, EraseWhenACloneWasMadeKeepsTheData) {
  Operation *first = buildConstant();
  ConstantReleaser releaser(*module);
  rewriter.setListener(&releaser);
  Operation *copy = rewriter.clone(*first);
  rewriter.eraseOp(first);
  EXPECT_TRUE(hasData());
  // Moved, it is still one use.
  Operation *last = buildConstant();
  rewriter.moveOpAfter(copy, last);
  rewriter.eraseOp(last);
  EXPECT_TRUE(hasData());
  rewriter.eraseOp(copy);
  EXPECT_FALSE(hasData());
}

TEST_F(ConstantReleaserTest, EraseIfDeadWhenTheValueIsUsedKeepsIt) {
  Value constant = buildConstant()->getResult(0);
  Operation *user =
      arith::NegFOp::create(rewriter, constant.getLoc(), constant);
  ConstantReleaser releaser(*module);
  rewriter.setListener(&releaser);
  eraseIfDead(rewriter, constant);
  EXPECT_TRUE(hasData());
  rewriter.eraseOp(user);
  eraseIfDead(rewriter, constant);
  EXPECT_FALSE(hasData());
}
