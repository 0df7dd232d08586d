//===- SizeOriginTest.cpp - Tests of a step to where sizes come from ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Analysis/SizeOrigin.h"
#include "nacre/InitAllDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The origins of sizes of what a function returns first.
class SizeOrigins : public ::testing::Test {
protected:
  SizeOrigins() : builder(&context) {
    DialectRegistry registry;
    nacre::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  SizeOrigin ofResult(const std::string &text, int64_t dim) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    function = *module->getOps<FunctionOpInterface>().begin();
    Block &body = function.getFunctionBody().front();
    return getSizeOrigin(builder, body.getTerminator()->getOperand(0), dim);
  }

  Value getArgument(unsigned number) {
    return function.getFunctionBody().getArgument(number);
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  FunctionOpInterface function;
};

TEST_F(SizeOrigins, AreNumbersThatTypesKnow) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
      return %x : tensor<?x7xf32>
    })",
                               1);
  EXPECT_EQ(origin.number, OpFoldResult(builder.getIndexAttr(7)));
  EXPECT_TRUE(origin.factors.empty());
}

TEST_F(SizeOrigins, OfArgumentsAreNotKnown) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
      return %x : tensor<?x7xf32>
    })",
                               0);
  EXPECT_FALSE(origin.number);
  EXPECT_TRUE(origin.factors.empty());
}

TEST_F(SizeOrigins, AreOperandsOfWhatMakesTheTensor) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%n: index) -> tensor<2x?xf32> {
      %x = tensor.empty(%n) : tensor<2x?xf32>
      return %x : tensor<2x?xf32>
    })",
                               1);
  EXPECT_EQ(origin.number, OpFoldResult(getArgument(0)));
}

TEST_F(SizeOrigins, AreThoseOfTheDestination) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.copy ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })",
                               0);
  ASSERT_EQ(origin.factors.size(), 1U);
  EXPECT_EQ(origin.factors.front().tensor, getArgument(1));
  EXPECT_EQ(origin.factors.front().dim, 0);
}

TEST_F(SizeOrigins, OfCollapsedDimensionsAreProducts) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: tensor<?x3x?xf32>) -> tensor<?x?xf32> {
      %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x3x?xf32> into tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })",
                               0);
  ASSERT_EQ(origin.factors.size(), 2U);
  EXPECT_EQ(origin.factors[0].dim, 0);
  EXPECT_EQ(origin.factors[1].dim, 1);
}

TEST_F(SizeOrigins, OfSlicesThatLeaveOutDimensionsAreThoseKept) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: tensor<4x?xf32>, %n: index) -> tensor<?xf32> {
      %0 = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
      return %0 : tensor<?xf32>
    })",
                               0);
  EXPECT_EQ(origin.number, OpFoldResult(getArgument(1)));
  EXPECT_TRUE(origin.factors.empty());
}

TEST_F(SizeOrigins, OfViewsOfTheCallerAreTheirs) {
  SizeOrigin origin = ofResult(R"(
    func.func @f(%x: memref<?xi8>, %n: index, %m: index) -> tensor<?x4x?xf32> {
      %zero = arith.constant 0 : index
      %view = memref.view %x[%zero][%n, %m] : memref<?xi8> to memref<?x4x?xf32>
      %0 = bufferization.to_tensor %view : memref<?x4x?xf32> to tensor<?x4x?xf32>
      return %0 : tensor<?x4x?xf32>
    })",
                               2);
  EXPECT_EQ(origin.number, OpFoldResult(getArgument(2)));
}

} // namespace
