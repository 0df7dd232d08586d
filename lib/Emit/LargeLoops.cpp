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

#include "LoopOptions.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nacre;

/// An option of loops around others over scalars.
static constexpr StringLiteral kIsNest = "nacre.loop.nest";

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

// Steps so short are little more than counting them.
static constexpr size_t kFewInstructions = 16;
// Over scalars, a nest of few steps may become a block without a loop.
static constexpr size_t kFewInNest = 32;
// Steps of such a block, and what each does with elements.
static constexpr uint64_t kFewInBlock = 16;
static constexpr size_t kFewOnElements = 8;

static size_t countInstructions(const Loop &loop) {
  size_t count = 0;
  for (const BasicBlock *block : loop.blocks()) {
    count += block->size();
  }
  return count;
}

/// True for what counts steps or finds an element, of which a part with strides
/// has more than a whole: little of it is left where a nest becomes a block.
/// Sums and products of 64-bit elements look alike.
static bool isBookkeeping(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
  case Instruction::GetElementPtr:
  case Instruction::ICmp:
  case Instruction::Br:
    return true;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    return instruction.getType()->isIntegerTy(64);
  default:
    return false;
  }
}

/// The instructions of `loop` that work on elements.
static size_t countOnElements(const Loop &loop) {
  size_t count = 0;
  for (const BasicBlock *block : loop.blocks()) {
    count += block->size() - count_if(*block, isBookkeeping);
  }
  return count;
}

/// True for loops of few known steps, as those over a small window, which
/// become a block however their elements are found.
static bool becomesBlock(const Loop &loop, ScalarEvolution &evolution) {
  uint64_t steps = 1;
  for (const Loop *inner : loop.getLoopsInPreorder()) {
    auto *last = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(inner));
    if (!last || last->getAPInt().uge(kFewInBlock)) {
      return false;
    }
    steps *= last->getAPInt().getZExtValue() + 1;
  }
  return steps <= kFewInBlock && countOnElements(loop) <= kFewOnElements;
}

/// True for a loop around others over scalars that is not to be repeated with
/// them. LLVM vectorises the innermost ones, unless they are kept so.
static bool isLargeNest(const Loop &loop, ScalarEvolution &evolution) {
  return !loop.isInnermost() && !hasVectors(loop) &&
         countInstructions(loop) > kFewInNest && !becomesBlock(loop, evolution);
}

/// True for a loop of vectors whose steps are not worth repeating.
static bool isLargeOfVectors(Loop &loop, ScalarEvolution &evolution) {
  return hasVectors(loop) && countInstructions(loop) > kFewInstructions &&
         !isShort(loop, evolution);
}

void nacre::releaseSmallLoops(const LoopInfo &loops,
                              ScalarEvolution &evolution) {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool isSmall = isShort(*loop, evolution) ||
                   countInstructions(*loop) <= kFewInstructions;
    if (loop->isInnermost() && isSmall && findOptionMDForLoop(loop, kIsNest)) {
      changeOptions(*loop, {kIsNest, "llvm.loop.unroll.disable"}, {});
    }
  }
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
      bool isNest = isLargeNest(*loop, evolution);
      if (isNest || isLargeOfVectors(*loop, evolution)) {
        loop->setLoopAlreadyUnrolled();
      }
      if (isNest) {
        changeOptions(*loop, {}, {makeOption(function.getContext(), kIsNest)});
      }
    }
  }
}
