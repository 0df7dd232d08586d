//===- NarrowGathers.cpp - Loops that gather small elements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No machine gathers elements of 8 or 16 bits. As vectors, LLVM takes each of
// their positions out of one register and puts each element into another one,
// which takes longer than to move them one by one, through registers of
// integers: where one unit does all that, as in Intel's cores. Zen cores, which
// gather nothing well, have several, and what moves is the less beside the
// positions, which vectors compute: a Zen 5 takes half the time so.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/NarrowGathers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

// How many elements a step of a loop moves: few instructions move each.
static constexpr unsigned kTimes = 4;

/// True for an address that something loaded in the loop is part of.
static bool isLoaded(const Value *value, const Loop &loop,
                     SmallPtrSetImpl<const Value *> &seen) {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction) ||
      isa<PHINode>(instruction) || !seen.insert(value).second) {
    return false;
  }
  return isa<LoadInst>(instruction) ||
         any_of(instruction->operands(), [&](const Use &operand) {
           return isLoaded(operand, loop, seen);
         });
}

/// True for a store of what was loaded from such an address, and no more than
/// 16 bits.
static bool movesGathered(const StoreInst &store, const Loop &loop) {
  constexpr unsigned kMostBits = 16;
  const auto *load = dyn_cast<LoadInst>(store.getValueOperand());
  SmallPtrSet<const Value *, 16> seen;
  return load && load->getType()->getScalarSizeInBits() <= kMostBits &&
         !load->getType()->isVectorTy() &&
         isLoaded(load->getPointerOperand(), loop, seen);
}

/// The stores of an innermost loop if all of them are such ones.
static SmallVector<StoreInst *> findGathers(const Loop &loop) {
  SmallVector<StoreInst *> stores;
  if (!loop.isInnermost()) {
    return stores;
  }
  for (BasicBlock *block : loop.blocks()) {
    for (Instruction &instruction : *block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (store && movesGathered(*store, loop)) {
        stores.push_back(store);
      } else if (instruction.mayWriteToMemory()) {
        return {};
      }
    }
  }
  return stores;
}

/// What is stored, as an integer: floats would go through vectors.
static void storeInteger(StoreInst &store) {
  auto *load = cast<LoadInst>(store.getValueOperand());
  if (!load->getType()->isFloatingPointTy()) {
    return;
  }
  IRBuilder<> builder(load);
  Type *type = builder.getIntNTy(load->getType()->getScalarSizeInBits());
  LoadInst *bits = builder.CreateAlignedLoad(type, load->getPointerOperand(),
                                             load->getAlign());
  builder.SetInsertPoint(&store);
  builder.CreateAlignedStore(bits, store.getPointerOperand(), store.getAlign());
  store.eraseFromParent();
  if (load->use_empty()) {
    load->eraseFromParent();
  }
}

/// True for the cores of which the descriptor says that gathers are slow.
static bool isForSlowGathers(const Function &function) {
  return function.getFnAttribute("target-features")
      .getValueAsString()
      .contains("+prefer-no-gather");
}

void nacre::keepNarrowGathers(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || isForSlowGathers(function)) {
      continue;
    }
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      SmallVector<StoreInst *> stores = findGathers(*loop);
      if (stores.empty()) {
        continue;
      }
      for (StoreInst *store : stores) {
        storeInteger(*store);
      }
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", kTimes);
    }
  }
}
