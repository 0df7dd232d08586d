//===- ChooseStrategies.cpp - The vpu-choose-strategies pass --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how ops are computed, padded, distributed and tiled, which kernels
// share a loop over rows, which loops run at the same time, how much is
// computed at a time in scratch memory and in registers, and writes it on them.
//
//===----------------------------------------------------------------------===//

#include "ReductionSets.h"
#include "StrategyChoosers.h"
#include "StrategyFile.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_CHOOSESTRATEGIES
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Leaves every engine op of a function whole, on one cluster.
static void isolate(FunctionOpInterface function, const ChooserInput &input) {
  StrategyAttr alone = StrategyAttr::getDefault(function->getContext());
  function->walk([&](NCEOpInterface op) {
    if (op->getNumResults() == 1 && !input.isGiven(op)) {
      alone.attachTo(op);
    }
  });
}

namespace {
struct ChooseStrategiesPass final
    : VPU::impl::ChooseStrategiesBase<ChooseStrategiesPass> {
  using ChooseStrategiesBase::ChooseStrategiesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ArchAttr arch = ArchAttr::require(module);
    if (!arch) {
      return signalPassFailure();
    }
    SmallVector<Decision> decisions;
    for (StringRef name : decide) {
      std::optional<Decision> decision = symbolizeDecision(name);
      if (!decision) {
        module.emitError("expected decide to be one of ")
            << listDecisions() << ", found \"" << name << '"';
        return signalPassFailure();
      }
      decisions.push_back(*decision);
    }
    if (decisions.empty()) {
      decisions.push_back(Decision::loops);
    }
    for (Decision decision : decisions) {
      if (failed(decideAbout(decision, module, arch))) {
        return signalPassFailure();
      }
    }
    if (!writeJSON.empty() && failed(writeStrategies(module, writeJSON))) {
      signalPassFailure();
    }
  }

private:
  LogicalResult decideAbout(Decision decision, ModuleOp module, ArchAttr arch) {
    if (!readJSON.empty() &&
        failed(readStrategies(module, decision, readJSON))) {
      return failure();
    }
    ChooserInput input{arch, {}};
    module->walk([&](Operation *op) {
      if (StrategyAttr::lookup(op)) {
        input.given.insert(op);
      }
    });
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (failed(choose(decision, function, input))) {
        return failure();
      }
    }
    if (decision == Decision::registers) {
      limitBorders(module, input);
    }
    // What a person wrote stays, and is checked with the rest.
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (failed(verifyDecision(function, arch, decision))) {
        return failure();
      }
    }
    if (record || !writeJSON.empty()) {
      recordStrategies(module, decision);
    }
    return success();
  }

  LogicalResult choose(Decision decision, FunctionOpInterface function,
                       const ChooserInput &input) {
    switch (decision) {
    case Decision::operators:
      chooseOperators(function, input);
      if (!isolated) {
        chooseRecurrences(function, input, minCycles);
      }
      return success();
    case Decision::algorithms:
      chooseAlgorithms(function, input);
      return success();
    case Decision::concurrency:
      chooseConcurrency(function, input, minCycles);
      return success();
    case Decision::software:
      chooseSoftware(function, input, minCycles);
      return success();
    case Decision::buffers:
      chooseSoftware(function, input, minCycles);
      chooseScratch(function, input);
      choosePrefetching(function, input);
      return success();
    case Decision::registers:
      chooseRegisters(function, input);
      if (!isolated) {
        chooseKernelLoops(function, input);
      }
      return success();
    case Decision::groups:
      chooseGroups(function, input, minCycles);
      chooseMerging(function, input.given);
      return success();
    case Decision::joins:
      chooseJoins(function, input);
      return success();
    case Decision::loops:
      if (isolated) {
        isolate(function, input);
        // A scratchpad's tiles fuse nothing.
        return input.arch.hasScratchpad() ? chooseTiles(function, input)
                                          : success();
      }
      choosePadding(function, input);
      chooseClusters(function, input, minCycles);
      return chooseTiles(function, input);
    }
    llvm_unreachable("unknown decision");
  }
};
} // namespace
