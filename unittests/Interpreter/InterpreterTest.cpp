//===- InterpreterTest.cpp - Tests of running functions -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre::interpreter;

namespace {

class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() {
    DialectRegistry registry;
    registry.insert<func::FuncDialect, nacre::IE::IEDialect>();
    registerExternalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    // Expected errors are not printed.
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
  }

  /// Runs the only function of `source`.
  LogicalResult run(StringRef source, ArrayRef<Tensor> inputs) {
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module) {
      return failure();
    }
    SmallVector<Datum> arguments(inputs.begin(), inputs.end()), results;
    if (failed(nacre::interpreter::run(*module->getOps<func::FuncOp>().begin(),
                                       arguments, results))) {
      return failure();
    }
    for (const Datum &result : results) {
      outputs.push_back(result.getTensor());
    }
    return success();
  }

  /// A tensor of floats 0, 1, 2, …
  Tensor iota(ArrayRef<int64_t> shape) {
    Tensor tensor(RankedTensorType::get(shape, Float32Type::get(&context)));
    float next = 0;
    for (float &value : tensor.mutableValues<float>()) {
      value = next++;
    }
    return tensor;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<Tensor> outputs;
};

} // namespace

TEST_F(InterpreterTest, Run_DynamicInput_TakesShapeOfValue) {
  StringRef source = R"(
    func.func @main(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
      %axes = IE.Constant dense<1> : tensor<1xi64>
      %0 = IE.ReduceSum(%x, %axes) : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<?x1xf32>
      return %0 : tensor<?x1xf32>
    })";
  ASSERT_TRUE(succeeded(run(source, iota({2, 3}))));
  EXPECT_EQ(outputs[0].getShape(), ArrayRef<int64_t>({2, 1}));
  EXPECT_EQ(outputs[0].values<float>(), ArrayRef<float>({3, 12}));
}

TEST_F(InterpreterTest, Run_ComputedAxes_InfersShapeFromTheirValue) {
  StringRef source = R"(
    func.func @main(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<?xf32> {
      %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })";
  Tensor axes(RankedTensorType::get({1}, IntegerType::get(&context, 64)));
  axes.mutableValues<int64_t>()[0] = -2;
  ASSERT_TRUE(succeeded(run(source, {iota({2, 3}), axes})));
  EXPECT_EQ(outputs[0].values<float>(), ArrayRef<float>({3, 5, 7}));
}

TEST_F(InterpreterTest, Run_InputOfOtherShape_Fails) {
  StringRef source = R"(
    func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      return %x : tensor<?x3xf32>
    })";
  EXPECT_TRUE(failed(run(source, iota({2, 4}))));
}

// Sizes that nothing but the values shows, so that the verifier cannot.
TEST_F(InterpreterTest, Run_ResultSmallerThanStated_Fails) {
  StringRef source = R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<6xf32> {
      %0 = IE.Concat %x, %x {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<6xf32>
      return %0 : tensor<6xf32>
    })";
  EXPECT_TRUE(succeeded(run(source, iota({3}))));
  EXPECT_TRUE(failed(run(source, iota({2}))));
  EXPECT_TRUE(failed(run(source, iota({400}))));
}

TEST_F(InterpreterTest, Run_ComputedAxesGiveOtherSizesThanStated_Fails) {
  StringRef source = R"(
    func.func @main(%x: tensor<2x300xf32>, %axes: tensor<1xi64>) -> tensor<2xf32> {
      %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x300xf32>, tensor<1xi64>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })";
  Tensor axes(RankedTensorType::get({1}, IntegerType::get(&context, 64)));
  axes.mutableValues<int64_t>()[0] = 1;
  EXPECT_TRUE(succeeded(run(source, {iota({2, 300}), axes})));
  axes.mutableValues<int64_t>()[0] = 0;
  EXPECT_TRUE(failed(run(source, {iota({2, 300}), axes})));
}

TEST_F(InterpreterTest, Run_OperandsThatDoNotFit_Fails) {
  StringRef source = R"(
    func.func @main(%x: tensor<1x?x4x4xf32>, %w: tensor<1x?x1x1xf32>) -> tensor<1x1x4x4xf32> {
      %0 = IE.Conv(%x, %w) : (tensor<1x?x4x4xf32>, tensor<1x?x1x1xf32>) -> tensor<1x1x4x4xf32>
      return %0 : tensor<1x1x4x4xf32>
    })";
  EXPECT_TRUE(succeeded(run(source, {iota({1, 3, 4, 4}), iota({1, 3, 1, 1})})));
  EXPECT_TRUE(failed(run(source, {iota({1, 3, 4, 4}), iota({1, 9, 1, 1})})));
}

TEST_F(InterpreterTest, Run_CompressByLongCondition_CountsIt) {
  StringRef source = R"(
    func.func @main(%x: tensor<2000xf32>, %c: tensor<2000xi1>) -> tensor<?xf32> {
      %0 = IE.Compress %x, %c : tensor<2000xf32>, tensor<2000xi1> -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })";
  Tensor condition(
      RankedTensorType::get({2000}, IntegerType::get(&context, 1)));
  condition.mutableValues<bool>()[1500] = true;
  ASSERT_TRUE(succeeded(run(source, {iota({2000}), condition})));
  EXPECT_EQ(outputs[0].values<float>(), ArrayRef<float>({1500}));
}
