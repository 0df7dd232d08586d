//===- StreamStores.cpp - Stores that leave the caches alone --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store reads its line into the cache first, and the line is written back
// when others need its place: of what the caches do not hold, that is twice the
// traffic. A non-temporal store writes to memory only. It has to be aligned,
// which a caller's buffer may not be: the loop exists twice.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/StreamStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace nacre;

/// In bytes.
static constexpr uint64_t kNarrowestVector = 16;

namespace {
/// What an innermost loop moves in all runs of the loops around it.
class Traffic {
public:
  Traffic(const Loop &loop, ScalarEvolution &evolution)
      : loop(loop), evolution(evolution) {}

  /// The bytes that an access moves, as often as its address changes; 0 if
  /// only a run knows.
  uint64_t getBytes(const Value *address, const Type *type) {
    const SCEV *place = evolution.getSCEV(const_cast<Value *>(address));
    uint64_t bytes = type->getPrimitiveSizeInBits().getFixedValue() / 8;
    for (const Loop *around = &loop; around; around = around->getParentLoop()) {
      if (!evolution.isLoopInvariant(place, around)) {
        bytes = SaturatingMultiply<uint64_t>(
            bytes, evolution.getSmallConstantMaxTripCount(around));
      }
    }
    return bytes;
  }

  /// How far a step of the loop moves an address; 0 where that is not constant.
  uint64_t getStep(const Value *address) {
    const auto *place = dyn_cast<SCEVAddRecExpr>(
        evolution.getSCEV(const_cast<Value *>(address)));
    if (!place || place->getLoop() != &loop || !place->isAffine()) {
      return 0;
    }
    const auto *step =
        dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
    return step && step->getAPInt().isStrictlyPositive()
               ? step->getAPInt().getLimitedValue()
               : 0;
  }

private:
  const Loop &loop;
  ScalarEvolution &evolution;
};
} // namespace

static uint64_t getStoredBytes(const StoreInst &store) {
  return store.getValueOperand()
             ->getType()
             ->getPrimitiveSizeInBits()
             .getKnownMinValue() /
         8;
}

/// True for a store of vectors that may be non-temporal, and is not yet.
static bool isCandidate(const StoreInst &store) {
  const auto *type =
      dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  return type && store.isSimple() &&
         getStoredBytes(store) >= kNarrowestVector &&
         isPowerOf2_64(getStoredBytes(store));
}

/// The buffers that a function loads from: what it stores there may be wanted
/// again.
static SmallPtrSet<const Value *, 8> findLoaded(Function &function) {
  SmallPtrSet<const Value *, 8> loaded;
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      loaded.insert(getUnderlyingObject(load->getPointerOperand()));
    } else if (auto *call = dyn_cast<CallBase>(&instruction);
               call && call->mayReadFromMemory()) {
      for (Value *operand : call->args()) {
        if (operand->getType()->isPointerTy()) {
          loaded.insert(getUnderlyingObject(operand));
        }
      }
    }
  }
  return loaded;
}

/// The stores of a loop that write their buffers from one end to the other.
static SmallVector<StoreInst *>
findContiguous(BasicBlock &body, Traffic &traffic,
               const SmallPtrSetImpl<const Value *> &loaded) {
  MapVector<const Value *, SmallVector<StoreInst *>> buffers;
  for (Instruction &instruction : body) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store && isCandidate(*store)) {
      buffers[getUnderlyingObject(store->getPointerOperand())].push_back(store);
    }
  }
  SmallVector<StoreInst *> contiguous;
  for (auto &[buffer, stores] : buffers) {
    uint64_t bytes = 0;
    for (StoreInst *store : stores) {
      bytes += getStoredBytes(*store);
    }
    if (!loaded.contains(buffer) && all_of(stores, [&](StoreInst *store) {
          return traffic.getStep(store->getPointerOperand()) == bytes;
        })) {
      append_range(contiguous, stores);
    }
  }
  return contiguous;
}

/// True for a loop that waits for memory: it moves `least` bytes, a quarter of
/// them by `streams`, and has fewer instructions than these store bytes. Others
/// have the time to let the caches write.
static bool isLarge(const BasicBlock &body, ArrayRef<StoreInst *> streams,
                    Traffic &traffic, uint64_t least) {
  uint64_t all = 0, stored = 0, step = 0;
  for (const Instruction &instruction : body) {
    if (const Value *address = getLoadStorePointerOperand(&instruction)) {
      all = SaturatingAdd(
          all, traffic.getBytes(address, getLoadStoreType(&instruction)));
    } else if (instruction.mayWriteToMemory()) {
      return false;
    }
  }
  for (const StoreInst *store : streams) {
    step += getStoredBytes(*store);
    stored = SaturatingAdd(
        stored, traffic.getBytes(store->getPointerOperand(),
                                 store->getValueOperand()->getType()));
  }
  return all >= least && stored >= least / 4 && body.size() < step;
}

/// The loop of one block once more, entered where `condition` holds, with the
/// stores that are `streams` non-temporal and aligned.
static void addVersion(Loop &loop, ArrayRef<StoreInst *> streams,
                       Value *condition, Align align) {
  BasicBlock *block = loop.getHeader(), *exit = loop.getExitBlock();
  BasicBlock *before = loop.getLoopPreheader();
  // The loop itself has a place of its own to come from.
  BasicBlock *otherwise =
      BasicBlock::Create(block->getContext(), block->getName() + ".cached",
                         block->getParent(), block);
  BranchInst::Create(block, otherwise);
  ValueToValueMapTy map;
  BasicBlock *clone = CloneBasicBlock(block, map, ".streamed");
  clone->insertInto(block->getParent(), block);
  map[block] = clone;
  for (Instruction &instruction : *clone) {
    RemapInstruction(&instruction, map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }
  block->replacePhiUsesWith(before, otherwise);
  for (PHINode &phi : exit->phis()) {
    Value *value = phi.getIncomingValueForBlock(block);
    Value *mapped = map.lookup(value);
    phi.addIncoming(mapped ? mapped : value, clone);
  }
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(clone, otherwise, condition, before);
  Type *type = Type::getInt32Ty(block->getContext());
  MDNode *flag = MDNode::get(
      block->getContext(), ConstantAsMetadata::get(ConstantInt::get(type, 1)));
  for (StoreInst *store : streams) {
    auto *streamed = cast<StoreInst>(&*map.lookup(store));
    streamed->setAlignment(std::max(store->getAlign(), align));
    streamed->setMetadata(LLVMContext::MD_nontemporal, flag);
  }
}

/// Has a loop store past the caches where the stores' addresses are multiples
/// of what that takes.
static void stream(Loop &loop, ArrayRef<StoreInst *> streams,
                   ScalarEvolution &evolution) {
  Instruction *end = loop.getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "stream");
  IRBuilder<> builder(end);
  Value *addresses = builder.getInt64(0);
  uint64_t bytes = 0;
  for (StoreInst *store : streams) {
    const auto *place =
        cast<SCEVAddRecExpr>(evolution.getSCEV(store->getPointerOperand()));
    Value *start = expander.expandCodeFor(place->getStart(),
                                          store->getPointerOperandType(), end);
    addresses = builder.CreateOr(
        addresses, builder.CreatePtrToInt(start, builder.getInt64Ty()));
    bytes = std::max(bytes, getStoredBytes(*store));
  }
  Value *rest = builder.CreateAnd(addresses, bytes - 1);
  addVersion(loop, streams, builder.CreateICmpEQ(rest, builder.getInt64(0)),
             Align(bytes));
}

/// Has other threads see what was stored when the function is done: nothing but
/// a fence orders non-temporal stores.
static void fence(Function &function) {
  for (BasicBlock &block : function) {
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<>(end).CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
    }
  }
}

PreservedAnalyses StreamStoresPass::run(Function &function,
                                        FunctionAnalysisManager &analyses) {
  uint64_t least = function.getFnAttributeAsParsedInteger(kStreamBytes);
  if (least == 0 || !function.getParent()->getTargetTriple().isX86_64()) {
    return PreservedAnalyses::all();
  }
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SmallPtrSet<const Value *, 8> loaded = findLoaded(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->getNumBlocks() > 1 || !loop->getLoopPreheader() ||
        !loop->getExitBlock() || !loop->isLCSSAForm(dominators)) {
      continue;
    }
    Traffic traffic(*loop, evolution);
    SmallVector<StoreInst *> streams =
        findContiguous(*loop->getHeader(), traffic, loaded);
    if (isLarge(*loop->getHeader(), streams, traffic, least)) {
      stream(*loop, streams, evolution);
      changed = true;
    }
  }
  if (!changed) {
    return PreservedAnalyses::all();
  }
  fence(function);
  return PreservedAnalyses::none();
}
