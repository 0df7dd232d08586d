//===- VectorizeLoops.cpp - LLVM's vectoriser, and what it leaves ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a row of 127 floats, LLVM leaves 63 to a loop behind that over four
// vectors of 16: seven vectors of half a register, and seven single elements,
// which take as long as the row does. Under masks they are four vectors. LLVM's
// vectoriser makes these when it is asked to fold the tail of a loop, and does
// so when it meets the loop that it has left for a second time.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/VectorizeLoops.h"

#include "LLVMOptions.h"
#include "LoopOptions.h"
#include "nacre/Emit/LargeLoops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;
using namespace nacre;

static constexpr StringLiteral kIsEnabled = "llvm.loop.vectorize.enable";
static constexpr StringLiteral kIsPostponed = "nacre.loop.postponed";

bool nacre::hasMasks(const TargetTransformInfo &target, LLVMContext &context) {
  Type *narrowest = Type::getInt8Ty(context);
  return target.isLegalMaskedStore(narrowest, Align(1), /*AddressSpace=*/0) &&
         target.isLegalMaskedLoad(narrowest, Align(1), /*AddressSpace=*/0);
}

uint64_t nacre::getContiguousBytes(const Loop &loop,
                                   ScalarEvolution &evolution) {
  const DataLayout &layout = loop.getHeader()->getDataLayout();
  uint64_t widest = 0;
  for (BasicBlock *block : loop.blocks()) {
    for (Instruction &instruction : *block) {
      Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer) {
        continue;
      }
      const SCEV *address = evolution.getSCEV(pointer);
      if (evolution.isLoopInvariant(address, &loop)) {
        continue;
      }
      uint64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&instruction));
      auto *counted = dyn_cast<SCEVAddRecExpr>(address);
      auto *step =
          counted && counted->getLoop() == &loop
              ? dyn_cast<SCEVConstant>(counted->getStepRecurrence(evolution))
              : nullptr;
      if (!step || step->getAPInt() != bytes) {
        return 0;
      }
      widest = std::max(widest, bytes);
    }
  }
  return widest;
}

bool nacre::accumulatesInMemory(const Loop &loop, ScalarEvolution &evolution) {
  const Loop *outer = loop.getParentLoop();
  if (!outer) {
    return false;
  }
  SmallPtrSet<const SCEV *, 8> read;
  SmallVector<const SCEVAddRecExpr *> stored;
  for (BasicBlock *block : loop.blocks()) {
    for (Instruction &instruction : *block) {
      if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        read.insert(evolution.getSCEV(load->getPointerOperand()));
      } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        const SCEV *address = evolution.getSCEV(store->getPointerOperand());
        if (auto *counted = dyn_cast<SCEVAddRecExpr>(address)) {
          stored.push_back(counted);
        }
      }
    }
  }
  return any_of(stored, [&](const SCEVAddRecExpr *address) {
    return read.contains(address) && address->getLoop() == &loop &&
           evolution.isLoopInvariant(address->getStart(), outer);
  });
}

/// True for a loop that the vectoriser has left behind one over vectors.
static bool isTail(const Loop &loop, ScalarEvolution &evolution) {
  auto isScalar = [](const Instruction &instruction) {
    const Type *type = isa<StoreInst>(instruction)
                           ? instruction.getOperand(0)->getType()
                           : instruction.getType();
    return !type->isVectorTy();
  };
  // One that was unrolled alone goes on by several elements.
  return getBooleanLoopAttribute(&loop, kIsVectorized) &&
         getContiguousBytes(loop, evolution) > 0 &&
         all_of(loop.blocks(), [&](const BasicBlock *block) {
           return all_of(*block, isScalar);
         });
}

/// Keeps the vectoriser from a loop, until its options are removed.
static void postpone(Loop &loop) {
  LLVMContext &context = loop.getHeader()->getContext();
  changeOptions(loop, {},
                {makeFlag(context, kIsPostponed, true),
                 makeFlag(context, kIsEnabled, false)});
}

/// Has `loop` vectorised under masks, or by one vector at a time.
static void foldTail(Loop &loop) {
  LLVMContext &context = loop.getHeader()->getContext();
  changeOptions(loop, {kIsVectorized},
                {makeFlag(context, kFoldsTail, true),
                 makeNumber(context, "llvm.loop.interleave.count", 1)});
}

static void vectorize(Function &function, FunctionAnalysisManager &analyses,
                      bool withEpilogues, PreservedAnalyses &preserved) {
  LLVMOptions options;
  options.set("enable-epilogue-vectorization", withEpilogues);
  PreservedAnalyses now = LoopVectorizePass().run(function, analyses);
  analyses.invalidate(function, now);
  preserved.intersect(now);
}

static SmallVector<Loop *>
getInnermostLoops(Function &function, FunctionAnalysisManager &analyses) {
  return to_vector(make_filter_range(
      analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
      [](const Loop *loop) { return loop->isInnermost(); }));
}

PreservedAnalyses VectorizeLoopsPass::run(Function &function,
                                          FunctionAnalysisManager &analyses) {
  PreservedAnalyses preserved = PreservedAnalyses::all();
  auto &target = analyses.getResult<TargetIRAnalysis>(function);
  // Vectors of unknown length have tails of their own.
  if (hasMasks(target, function.getContext()) &&
      !target.enableScalableVectorization()) {
    // What is contiguous first, and nothing of what it leaves over. Masks of
    // other elements take longer than these.
    auto &before = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : getInnermostLoops(function, analyses)) {
      bool takesMasks = getContiguousBytes(*loop, before) > 0 &&
                        !accumulatesInMemory(*loop, before);
      if (!takesMasks && !findOptionMDForLoop(loop, kIsEnabled)) {
        postpone(*loop);
      }
    }
    vectorize(function, analyses, /*withEpilogues=*/false, preserved);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : getInnermostLoops(function, analyses)) {
      if (findOptionMDForLoop(loop, kIsPostponed)) {
        changeOptions(*loop, {kIsPostponed, kIsEnabled}, {});
      } else if (isTail(*loop, evolution)) {
        foldTail(*loop);
      }
    }
  }
  vectorize(function, analyses, /*withEpilogues=*/true, preserved);
  releaseSmallLoops(analyses.getResult<LoopAnalysis>(function),
                    analyses.getResult<ScalarEvolutionAnalysis>(function));
  return preserved;
}
