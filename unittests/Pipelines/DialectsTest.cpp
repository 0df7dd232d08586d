//===- DialectsTest.cpp - Tests of what pipelines need --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Dialects.h"
#include "nacre/InitAllDialects.h"
#include "nacre/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

/// What a pipeline makes of a model with the dialects of a registry.
static std::string lower(DialectRegistry &registry, StringRef model,
                         llvm::function_ref<void(OpPassManager &)> build) {
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &context);
  EXPECT_TRUE(module);
  if (!module) {
    return "";
  }
  PassManager manager(&context);
  build(manager);
  EXPECT_TRUE(succeeded(manager.run(*module)));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

static void
expectSameWithAllDialects(StringRef model,
                          llvm::function_ref<void(OpPassManager &)> build) {
  DialectRegistry few, all;
  registerPipelineDialects(few);
  nacre::registerAllDialects(all);
  std::string text = lower(few, model, build);
  EXPECT_NE(text.find("llvm.func"), std::string::npos);
  EXPECT_EQ(text, lower(all, model, build));
}

/// A convolution, a product, what is normalised, moved and reduced.
static constexpr StringLiteral kStatic = R"mlir(
func.func @main(%x: tensor<1x3x16x16xf32> {nacre.name = "x"}, %w: tensor<768x64xf32> {nacre.name = "w"})
    -> (tensor<1x64xf32> {nacre.name = "y"}, tensor<1x16x3x16xf32> {nacre.name = "t"}) {
  %k = IE.Constant dense<0.5> : tensor<3x3x3x3xf32>
  %c = IE.Conv(%x, %k) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x16x16xf32>
  %r = IE.Relu %c : tensor<1x3x16x16xf32> -> tensor<1x3x16x16xf32>
  %s = IE.Constant dense<[1, 768]> : tensor<2xi64>
  %f = IE.Reshape %r, %s : tensor<1x3x16x16xf32>, tensor<2xi64> -> tensor<1x768xf32>
  %m = IE.MatMul(%f, %w) : (tensor<1x768xf32>, tensor<768x64xf32>) -> tensor<1x64xf32>
  %y = IE.Softmax(%m) {axis = 1 : i64} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %e = IE.Exp %r : tensor<1x3x16x16xf32> -> tensor<1x3x16x16xf32>
  %t = IE.Transpose %e {perm = array<i64: 0, 2, 1, 3>} : tensor<1x3x16x16xf32> -> tensor<1x16x3x16xf32>
  return %y, %t : tensor<1x64xf32>, tensor<1x16x3x16xf32>
}
)mlir";

/// A loop with sequences and a size that only a run knows.
static constexpr StringLiteral kDynamic = R"mlir(
func.func @main(%trips: tensor<i64> {nacre.name = "trips"}, %x: tensor<?x8xf32> {nacre.name = "x"})
    -> (!IE.Sequence<tensor<?x8xf32>> {nacre.name = "all"}, tensor<?x8xf32> {nacre.name = "last"}) {
  %none = IE.SequenceEmpty() {dtype = f32} : () -> !IE.Sequence<tensor<?x8xf32>>
  %w = IE.Constant dense<0.25> : tensor<8x8xf32>
  %0:2 = IE.Loop(%trips, %none, %x) {operandSegmentSizes = array<i32: 1, 0, 2>}
      : (tensor<i64>, !IE.Sequence<tensor<?x8xf32>>, tensor<?x8xf32>) -> (!IE.Sequence<tensor<?x8xf32>>, tensor<?x8xf32>) {
  ^bb0(%i: tensor<i64>, %condition: tensor<i1>, %s: !IE.Sequence<tensor<?x8xf32>>, %v: tensor<?x8xf32>):
    %m = IE.MatMul(%v, %w) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    %n = IE.Neg %m : tensor<?x8xf32> -> tensor<?x8xf32>
    %more = IE.SequenceInsert(%s, %n) : (!IE.Sequence<tensor<?x8xf32>>, tensor<?x8xf32>) -> !IE.Sequence<tensor<?x8xf32>>
    IE.Yield %condition, %more, %n : tensor<i1>, !IE.Sequence<tensor<?x8xf32>>, tensor<?x8xf32>
  }
  return %0#0, %0#1 : !IE.Sequence<tensor<?x8xf32>>, tensor<?x8xf32>
}
)mlir";

static void buildDefault(OpPassManager &manager) {
  buildIEOptimizePipeline(manager, IEOptimizeOptions());
  DefaultHWOptions options;
  options.arch = "x86-64-v3";
  options.threads = 2;
  buildDefaultHWPipeline(manager, options);
}

static void buildReferenceHW(OpPassManager &manager) {
  ReferenceHWOptions options;
  options.arch = "x86-64-v3";
  buildReferenceHWPipeline(manager, options);
}

static void buildReferenceSW(OpPassManager &manager) {
  ReferenceSWOptions options;
  options.arch = "x86-64-v3";
  buildReferenceSWPipeline(manager, options);
}

TEST(PipelineDialectsTest, ModelOfKnownSizes_BecomesWhatAllDialectsMakeOfIt) {
  expectSameWithAllDialects(kStatic, buildDefault);
  expectSameWithAllDialects(kStatic, buildReferenceHW);
  expectSameWithAllDialects(kStatic, buildReferenceSW);
}

TEST(PipelineDialectsTest, ModelOfDynamicSizes_BecomesWhatAllDialectsMakeOfIt) {
  expectSameWithAllDialects(kDynamic, buildDefault);
  expectSameWithAllDialects(kDynamic, buildReferenceHW);
  expectSameWithAllDialects(kDynamic, buildReferenceSW);
}
