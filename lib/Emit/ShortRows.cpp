//===- ShortRows.cpp - Loops over rows of few vectors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of 30 pixels is two vectors of 16, the second one under a mask. LLVM
// would unroll such a loop before it vectorises, and then gather one element of
// each of 16 rows for a vector. For a row of 120 it takes vectors of 8, which
// leave nothing over: it does not know that what is left will be one vector
// under a mask (VectorizeLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ShortRows.h"
#include "LoopOptions.h"

#include "nacre/Emit/VectorizeLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace nacre;

/// Vectors of f32 in the longest row that is under masks as a whole: of longer
/// ones the rest is little of it.
static constexpr uint64_t kManyVectors = 16;
static constexpr uint64_t kFloatBytes = 4;

/// True for a loop over single elements that LLVM can vectorise: it stores and
/// calls nothing but functions that LLVM knows.
static bool isElementwise(const Loop &loop) {
  bool stores = false;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      const Type *type = isa<StoreInst>(instruction)
                             ? instruction.getOperand(0)->getType()
                             : instruction.getType();
      if (type->isVectorTy() || type->isArrayTy() ||
          (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))) {
        return false;
      }
      stores |= isa<StoreInst>(instruction);
    }
  }
  return stores;
}

/// The number of steps, if it is constant; else 0.
static uint64_t getSteps(const Loop &loop, ScalarEvolution &evolution) {
  auto *last = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
  return last && last->getAPInt().getActiveBits() < 32
             ? last->getAPInt().getZExtValue() + 1
             : 0;
}

/// True if a vector of `width` elements of each instruction takes less than its
/// elements by themselves: a division of integers does not, nor a call.
static bool isCheap(const Loop &loop, uint64_t width,
                    const TargetTransformInfo &target) {
  auto isCheaper = [&](const Instruction &instruction) {
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      Type *type = call->getType();
      if (!VectorType::isValidElementType(type)) {
        return type->isVoidTy();
      }
      auto *vector = FixedVectorType::get(type, width);
      SmallVector<Type *> arguments(call->arg_size(), vector);
      return target.getIntrinsicInstrCost(
                 IntrinsicCostAttributes(call->getIntrinsicID(), vector,
                                         arguments),
                 TargetTransformInfo::TCK_RecipThroughput) < width;
    }
    return !instruction.isIntDivRem();
  };
  return all_of(loop.blocks(), [&](const BasicBlock *block) {
    return all_of(*block, isCheaper);
  });
}

/// Has `loop` vectorised by so many elements, a whole register.
static void widen(Loop &loop, uint64_t width) {
  changeOptions(
      loop, {},
      makeNumber(loop.getHeader()->getContext(), kVectorWidth, width));
}

/// Has `loop` vectorised before it is unrolled, under masks or with a rest of
/// fewer elements.
static void vectorizeFirst(Loop &loop, bool underMasks) {
  LLVMContext &context = loop.getHeader()->getContext();
  SmallVector<MDNode *> options = {
      makeOption(context, "llvm.loop.unroll.disable"),
      makeList(context, "llvm.loop.vectorize.followup_all",
               makeFlag(context, kIsVectorized, true))};
  if (underMasks) {
    options.push_back(makeFlag(context, kFoldsTail, true));
  }
  changeOptions(loop, {}, options);
}

void nacre::maskShortRows(Module &module, const TargetMachine &machine,
                          unsigned level) {
  TargetLibraryInfoImpl functions(module.getTargetTriple());
  TargetLibraryInfo libraries(functions);
  for (Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    TargetTransformInfo target = machine.getTargetTransformInfo(function);
    if (!hasMasks(target, module.getContext())) {
      continue;
    }
    uint64_t lanes =
        target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
            .getKnownMinValue() /
        (8 * kFloatBytes);
    // What is left over has masks only if LLVM's vectoriser runs twice.
    bool widens = level >= 2 && !target.enableScalableVectorization();
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(function);
    ScalarEvolution evolution(function, libraries, assumptions, dominators,
                              loops);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      uint64_t steps = getSteps(*loop, evolution);
      if (!loop->isInnermost() || steps < lanes / 2 || !isElementwise(*loop)) {
        continue;
      }
      if (!loop->getLoopID() && steps <= kManyVectors * lanes) {
        vectorizeFirst(*loop, !accumulatesInMemory(*loop, evolution));
        continue;
      }
      // Narrow elements are computed with as wider ones: LLVM chooses how many
      // of them.
      uint64_t bytes = getContiguousBytes(*loop, evolution);
      if (widens && bytes >= kFloatBytes &&
          steps * bytes >= lanes * kFloatBytes &&
          isCheap(*loop, lanes * kFloatBytes / bytes, target)) {
        widen(*loop, lanes * kFloatBytes / bytes);
      }
    }
  }
}
