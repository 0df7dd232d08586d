//===- LargeLoops.cpp - Loops that stay loops -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is a nest of many loops around code that was unrolled as far as
// there are registers. To unroll more of it, LLVM would ask what each loop of
// the nest costs, with all that is in it, and repeat nests of few steps: half
// of its time for code that is larger and not faster.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LargeLoops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// True for code that a kernel vectorised, and unrolled as far as is good for
/// it.
static bool hasVectors(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) {
      const Type *type = isa<StoreInst>(instruction)
                             ? instruction.getOperand(0)->getType()
                             : instruction.getType();
      return type->isVectorTy() || type->isArrayTy();
    });
  });
}

/// True for an innermost loop of so few steps that its counter is only in the
/// way: LLVM allots registers to a loop of two steps worse than to both of
/// them.
static bool isShort(Loop &loop, ScalarEvolution &evolution) {
  constexpr uint64_t kFewSteps = 2;
  if (!loop.isInnermost()) {
    return false;
  }
  // Of a loop that is left at its start, as these are.
  auto *steps = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
  return steps && steps->getAPInt().ule(kFewSteps);
}

/// True for a loop whose steps are not worth repeating.
static bool isLarge(Loop &loop, ScalarEvolution &evolution) {
  // Steps so short are little more than counting them.
  constexpr size_t kFewInstructions = 16;
  // Over scalars, a nest of few steps may become a block without a loop.
  constexpr size_t kFewInNest = 32;
  size_t count = 0;
  for (const BasicBlock *block : loop.blocks()) {
    count += block->size();
  }
  if (hasVectors(loop)) {
    return count > kFewInstructions && !isShort(loop, evolution);
  }
  // LLVM vectorises innermost loops over scalars, unless they are kept so.
  return !loop.isInnermost() && count > kFewInNest;
}

void nacre::keepLargeLoops(Module &module) {
  TargetLibraryInfoImpl functions(module.getTargetTriple());
  TargetLibraryInfo libraries(functions);
  for (Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(function);
    ScalarEvolution evolution(function, libraries, assumptions, dominators,
                              loops);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      if (isLarge(*loop, evolution)) {
        loop->setLoopAlreadyUnrolled();
      }
    }
  }
}
