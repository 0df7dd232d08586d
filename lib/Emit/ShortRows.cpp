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
#include "nacre/Emit/VectorizeLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace nacre;

/// Vectors of f32 in the longest row: of longer ones the rest is little of it.
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

static MDNode *makeOption(LLVMContext &context, StringRef name,
                          ArrayRef<Metadata *> values) {
  SmallVector<Metadata *> operands = {MDString::get(context, name)};
  append_range(operands, values);
  return MDNode::get(context, operands);
}

/// Has `loop` vectorised by so many elements, a whole register.
static void widen(Loop &loop, uint64_t width) {
  LLVMContext &context = loop.getHeader()->getContext();
  loop.setLoopID(makePostTransformationMetadata(
      context, loop.getLoopID(), {},
      makeOption(context, "llvm.loop.vectorize.width",
                 ConstantAsMetadata::get(
                     ConstantInt::get(Type::getInt32Ty(context), width)))));
}

/// Has `loop` vectorised under masks, and unrolled only after that.
static void mask(Loop &loop) {
  LLVMContext &context = loop.getHeader()->getContext();
  auto option = [&](StringRef name, ArrayRef<Metadata *> values) {
    return makeOption(context, name, values);
  };
  Metadata *isTrue = ConstantAsMetadata::get(ConstantInt::getTrue(context));
  MDNode *done = option("llvm.loop.isvectorized", isTrue);
  MDNode *identity = makePostTransformationMetadata(
      context, loop.getLoopID(), {},
      {option("llvm.loop.vectorize.predicate.enable", isTrue),
       option("llvm.loop.unroll.disable", {}),
       option("llvm.loop.vectorize.followup_all", done)});
  loop.setLoopID(identity);
}

void nacre::maskShortRows(Module &module, const TargetMachine &machine) {
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
      // What has options stays as long as it is. Narrow elements are computed
      // with as wider ones: LLVM chooses how many of them.
      if (!loop->getLoopID() && steps <= kManyVectors * lanes) {
        mask(*loop);
      } else if (uint64_t bytes = getContiguousBytes(*loop, evolution);
                 bytes >= kFloatBytes && steps * bytes >= lanes * kFloatBytes) {
        widen(*loop, lanes * kFloatBytes / bytes);
      }
    }
  }
}
