//===- GettingStartedTest.cpp - The tutorial's C++ interfaces -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tutorial says about builders, methods and interfaces in C++.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/GettingStarted.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {

class GettingStartedTest : public ::testing::Test {
protected:
  GettingStartedTest() {
    DialectRegistry registry;
    registry.insert<IE::IEDialect, func::FuncDialect, tensor::TensorDialect>();
    IE::registerGettingStartedExternalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    location = UnknownLoc::get(&context);
    module = ModuleOp::create(*location);
    builder.setInsertionPointToEnd(module->getBody());
    input = tensor::EmptyOp::create(builder, *location, ArrayRef<int64_t>{10},
                                    builder.getF16Type());
  }

  MLIRContext context;
  OpBuilder builder{&context};
  std::optional<Location> location;
  OwningOpRef<ModuleOp> module;
  Value input;
};

TEST_F(GettingStartedTest, Builder_WithoutResultType_InfersIt) {
  auto op = IE::GettingStartedOp::create(builder, *location, input);
  EXPECT_EQ(op.getType(), input.getType());
  EXPECT_EQ(op.getMyInt(), 5u);
}

TEST_F(GettingStartedTest, Methods_StaticAndExternal_AreCallable) {
  auto op = IE::GettingStartedOp::create(builder, *location, input, 4);
  EXPECT_EQ(IE::GettingStartedOp::getDefaultInt(), 10);
  EXPECT_EQ(op.getSum(), 4 + 1 + 2 + 3);
}

TEST_F(GettingStartedTest, Interface_OnOwnOp_ReadsTheCounter) {
  auto op = IE::GettingStartedOp::create(builder, *location, input, 0);
  auto counting = dyn_cast<IE::GettingStartedInterface>(op.getOperation());
  ASSERT_TRUE(counting);
  EXPECT_EQ(counting.getCounter(), 0);
  EXPECT_TRUE(counting.isFinished());
  EXPECT_EQ(counting.getCounted(), "myInt");
}

TEST_F(GettingStartedTest, Interface_OnNegativeCounter_IsFinished) {
  auto op = IE::GettingStartedOp::create(builder, *location, input, -1);
  EXPECT_EQ(op.getCounter(), -1);
  EXPECT_TRUE(op.isFinished());
}

TEST_F(GettingStartedTest, Interface_OnCall_CountsOperands) {
  auto call = func::CallOp::create(builder, *location, "callee", TypeRange(),
                                   ValueRange{input, input});
  auto counting = dyn_cast<IE::GettingStartedInterface>(call.getOperation());
  ASSERT_TRUE(counting);
  EXPECT_EQ(counting.getCounter(), 2);
  EXPECT_FALSE(counting.isFinished());
  EXPECT_EQ(counting.getCounted(), "operands");
}

TEST_F(GettingStartedTest, CreateOrFold_OfOneRepetition_GivesTheOperand) {
  Value value = builder.createOrFold<IE::GettingStartedRepeatOp>(
      *location, input.getType(), input, 1);
  EXPECT_EQ(value, input);
}

} // namespace
