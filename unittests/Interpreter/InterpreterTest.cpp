//===- InterpreterTest.cpp - Tests of running functions -------------------===//

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
