//===- LocationVerifierTest.cpp - Tests of where ops come from ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/LocationVerifier.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

static Operation *build(OpBuilder &builder, StringRef name) {
  return builder.create(OperationState(builder.getUnknownLoc(), name));
}

namespace {

/// Erases the first op of a module and makes another one, for which memory has
/// room where that was.
struct ReplaceFirst : PassWrapper<ReplaceFirst, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReplaceFirst)
  explicit ReplaceFirst(StringRef name) : name(name) {}

  StringRef getArgument() const override { return "replace-first"; }
  void runOnOperation() override {
    getOperation().getBody()->front().erase();
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    build(builder, name);
  }

  StringRef name;
};

struct LocationVerifierTest : testing::Test {
  LocationVerifierTest()
      : builder(&context), handler(&context, [](Diagnostic &) {}) {
    context.allowUnregisteredDialects();
    context.disableMultithreading();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    build(builder, "test.first");
  }

  bool losesLocations(StringRef name) {
    bool hasFailed = false;
    PassManager manager(&context);
    manager.addInstrumentation(createLocationVerifier(hasFailed));
    manager.addPass(std::make_unique<ReplaceFirst>(name));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    return hasFailed;
  }

  MLIRContext context;
  OpBuilder builder;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(LocationVerifierTest, OpInThePlaceOfAnErasedOneIsFound) {
  EXPECT_TRUE(losesLocations("test.other"));
}

TEST_F(LocationVerifierTest, OpLikeTheErasedOneIsNoNewLoss) {
  EXPECT_FALSE(losesLocations("test.first"));
}
