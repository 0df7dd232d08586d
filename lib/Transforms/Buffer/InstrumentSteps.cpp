//===- InstrumentSteps.cpp - The instrument-steps pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks where one kernel call ends and the next begins, and writes down what
// each of them does.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace nacre {
#define GEN_PASS_DEF_INSTRUMENTSTEPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct InstrumentStepsPass final
    : nacre::impl::InstrumentStepsBase<InstrumentStepsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Steps> found = findSteps(module);
    if (failed(found)) {
      return signalPassFailure();
    }
    Builder builder(&getContext());
    SymbolTableCollection symbols;
    SmallVector<Attribute> described;
    for (Operation *step : found->ops) {
      described.push_back(describeStep(step, found->arch, symbols));
    }
    abi::set<abi::Steps>(module, builder.getArrayAttr(described));

    OpBuilder declare = OpBuilder::atBlockBegin(module.getBody());
    auto marker = func::FuncOp::create(
        declare, module.getLoc(), names::kProfileStep,
        builder.getFunctionType({builder.getI64Type()}, {}));
    marker.setPrivate();
    found->ops.push_back(found->main.getBody().front().getTerminator());
    for (auto [index, step] : llvm::enumerate(found->ops)) {
      OpBuilder before(step);
      Value number = arith::ConstantOp::create(before, step->getLoc(),
                                               before.getI64IntegerAttr(index));
      func::CallOp::create(before, step->getLoc(), marker, number);
    }
  }
};
} // namespace
