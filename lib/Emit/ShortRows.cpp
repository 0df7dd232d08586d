//===- ShortRows.cpp - Loops over rows of few vectors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of 30 pixels is two vectors of 16, the second one under a mask. LLVM
// would unroll such a loop before it vectorises, and then gather one element of
// each of 16 rows for a vector; of longer rows it leaves what is no whole
// vector to a loop over single elements, which of 46 pixels takes longer than
// the two vectors before it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ShortRows.h"

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

/// Vectors of f32 in the longest row: of longer ones the rest is little of it.
static constexpr uint64_t kManyVectors = 16;

/// True where a vector of any elements can be stored in part. Where only wide
/// elements can (AVX2), that takes as long as storing them one by one.
static bool hasMasks(const TargetTransformInfo &target, LLVMContext &context) {
  return target.isLegalMaskedStore(Type::getInt8Ty(context), Align(1),
                                   /*AddressSpace=*/0) &&
         target.isLegalMaskedLoad(Type::getInt8Ty(context), Align(1),
                                  /*AddressSpace=*/0);
}

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

/// Has `loop` vectorised under masks, and unrolled only after that.
static void mask(Loop &loop) {
  LLVMContext &context = loop.getHeader()->getContext();
  auto option = [&](StringRef name, ArrayRef<Metadata *> values) {
    SmallVector<Metadata *> operands = {MDString::get(context, name)};
    append_range(operands, values);
    return MDNode::get(context, operands);
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
        32;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    AssumptionCache assumptions(function);
    ScalarEvolution evolution(function, libraries, assumptions, dominators,
                              loops);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      // What has options is to stay as it is.
      if (!loop->isInnermost() || loop->getLoopID()) {
        continue;
      }
      uint64_t steps = getSteps(*loop, evolution);
      if (steps >= lanes / 2 && steps <= kManyVectors * lanes &&
          isElementwise(*loop)) {
        mask(*loop);
      }
    }
  }
}
