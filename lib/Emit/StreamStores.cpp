//===- StreamStores.cpp - Stores that leave the caches alone --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store reads its line into the cache first, and the line is written back
// when others need its place: of what the caches do not hold, that is twice the
// traffic. A non-temporal store writes to memory only. It has to be aligned,
// which a caller's buffer may not be: the loop exists twice. So does a copy of
// many bytes, which is a call or a loop of such stores.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/StreamStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace nacre;

/// In bytes.
static constexpr uint64_t kNarrowestVector = 16;
/// Shorter copies are left to a call, which knows best how to end them.
static constexpr uint64_t kShortestCopy = 4096;

namespace {
/// A loop of one block, and those of its stores that need not go through
/// caches.
struct Stream {
  Loop *loop;
  SmallVector<StoreInst *> stores;
};

/// Loops and calls that need not go through caches.
struct Streams {
  SmallVector<Stream> loops;
  SmallVector<MemCpyInst *> copies;
};

/// Finds such loops in a function.
class StreamFinder {
public:
  StreamFinder(Function &function, FunctionAnalysisManager &analyses)
      : function(function),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)) {
    findLoaded();
  }

  /// The streams of the function if its loops read and write `least` bytes, and
  /// if a quarter of that are its results: small ones are for the next step to
  /// find in a cache.
  Streams find(uint64_t least);

private:
  /// The copies that write their buffers from one end to the other.
  SmallVector<MemCpyInst *> findCopies();
  /// Fills `loaded`.
  void findLoaded();
  /// The stores of a loop that write their buffers from one end to the other.
  SmallVector<StoreInst *> findContiguous(const Loop &loop);
  /// The bytes that an access moves in all runs of a loop and those around it,
  /// as often as its address changes; 0 if that is not known.
  uint64_t getTraffic(const Instruction &access, const Loop &loop);
  /// The same for `bytes` bytes at an address.
  uint64_t getTraffic(const Value *address, uint64_t bytes, const Loop *loop);
  /// How far a step of a loop moves an address; 0 where that is not constant.
  uint64_t getStep(Value *address, const Loop &loop);

  Function &function;
  DominatorTree &dominators;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  /// Buffers that the function loads from: what it stores there may be wanted
  /// again.
  SmallPtrSet<const Value *, 8> loaded;
};
} // namespace

static uint64_t getStoredBytes(const StoreInst &store) {
  return store.getValueOperand()
             ->getType()
             ->getPrimitiveSizeInBits()
             .getKnownMinValue() /
         8;
}

/// True for a store of vectors that may be non-temporal.
static bool isCandidate(const StoreInst &store) {
  const auto *type =
      dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  return type && store.isSimple() &&
         getStoredBytes(store) >= kNarrowestVector &&
         isPowerOf2_64(getStoredBytes(store));
}

void StreamFinder::findLoaded() {
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      loaded.insert(getUnderlyingObject(load->getPointerOperand()));
    } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      loaded.insert(getUnderlyingObject(copy->getSource()));
    } else if (auto *call = dyn_cast<CallBase>(&instruction);
               call && call->mayReadFromMemory()) {
      for (Value *operand : call->args()) {
        if (operand->getType()->isPointerTy()) {
          loaded.insert(getUnderlyingObject(operand));
        }
      }
    }
  }
}

uint64_t StreamFinder::getTraffic(const Instruction &access, const Loop &loop) {
  return getTraffic(
      getLoadStorePointerOperand(&access),
      getLoadStoreType(&access)->getPrimitiveSizeInBits().getKnownMinValue() /
          8,
      &loop);
}

uint64_t StreamFinder::getTraffic(const Value *address, uint64_t bytes,
                                  const Loop *loop) {
  const SCEV *place = evolution.getSCEV(const_cast<Value *>(address));
  for (const Loop *around = loop; around; around = around->getParentLoop()) {
    if (!evolution.isLoopInvariant(place, around)) {
      bytes = SaturatingMultiply<uint64_t>(
          bytes, evolution.getSmallConstantMaxTripCount(around));
    }
  }
  return bytes;
}

uint64_t StreamFinder::getStep(Value *address, const Loop &loop) {
  const auto *place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
  if (!place || place->getLoop() != &loop || !place->isAffine()) {
    return 0;
  }
  const auto *step =
      dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
  return step && step->getAPInt().isStrictlyPositive()
             ? step->getAPInt().getLimitedValue()
             : 0;
}

SmallVector<StoreInst *> StreamFinder::findContiguous(const Loop &loop) {
  MapVector<const Value *, SmallVector<StoreInst *>> buffers;
  for (Instruction &instruction : *loop.getHeader()) {
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
          return getStep(store->getPointerOperand(), loop) == bytes;
        })) {
      append_range(contiguous, stores);
    }
  }
  return contiguous;
}

/// True for a loop with fewer instructions than `stores` store bytes: others
/// have the time to let the caches write.
static bool waitsForMemory(const Loop &loop, ArrayRef<StoreInst *> stores) {
  uint64_t bytes = 0;
  for (const StoreInst *store : stores) {
    bytes += getStoredBytes(*store);
  }
  return loop.getHeader()->size() < bytes;
}

SmallVector<MemCpyInst *> StreamFinder::findCopies() {
  SmallVector<MemCpyInst *> copies;
  for (Instruction &instruction : instructions(function)) {
    auto *copy = dyn_cast<MemCpyInst>(&instruction);
    auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (length && !copy->isVolatile() &&
        length->getLimitedValue() >= kShortestCopy &&
        !loaded.contains(getUnderlyingObject(copy->getDest()))) {
      copies.push_back(copy);
    }
  }
  return copies;
}

Streams StreamFinder::find(uint64_t least) {
  Streams streams;
  uint64_t loadedBytes = 0, stored = 0;
  streams.copies = findCopies();
  for (const MemCpyInst *copy : streams.copies) {
    const Loop *loop = loops.getLoopFor(copy->getParent());
    uint64_t length = cast<ConstantInt>(copy->getLength())->getLimitedValue();
    loadedBytes =
        SaturatingAdd(loadedBytes, getTraffic(copy->getSource(), length, loop));
    stored = SaturatingAdd(stored, getTraffic(copy->getDest(), length, loop));
  }
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->getNumBlocks() > 1 || !loop->getLoopPreheader() ||
        !loop->getExitBlock() || !loop->isLCSSAForm(dominators)) {
      continue;
    }
    for (const Instruction &instruction : *loop->getHeader()) {
      if (isa<LoadInst>(instruction)) {
        loadedBytes =
            SaturatingAdd(loadedBytes, getTraffic(instruction, *loop));
      }
    }
    SmallVector<StoreInst *> stores = findContiguous(*loop);
    if (!waitsForMemory(*loop, stores)) {
      continue;
    }
    for (const StoreInst *store : stores) {
      stored = SaturatingAdd(stored, getTraffic(*store, *loop));
    }
    streams.loops.push_back({loop, std::move(stores)});
  }
  return SaturatingAdd(stored, loadedBytes) >= least && stored >= least / 4
             ? streams
             : Streams();
}

/// The loop once more, entered where `condition` holds, with its stores non-
/// temporal and aligned.
static void addVersion(const Stream &stream, Value *condition, Align align) {
  BasicBlock *block = stream.loop->getHeader();
  BasicBlock *before = stream.loop->getLoopPreheader();
  BasicBlock *exit = stream.loop->getExitBlock();
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
  for (StoreInst *store : stream.stores) {
    auto *streamed = cast<StoreInst>(&*map.lookup(store));
    streamed->setAlignment(std::max(store->getAlign(), align));
    streamed->setMetadata(LLVMContext::MD_nontemporal, flag);
  }
}

/// Builds, before a loop, whether the addresses of its stores are multiples of
/// `bytes`.
static Value *buildIsAligned(const Stream &stream, ScalarEvolution &evolution,
                             uint64_t bytes) {
  Instruction *end = stream.loop->getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "stream");
  IRBuilder<> builder(end);
  Value *addresses = builder.getInt64(0);
  for (StoreInst *store : stream.stores) {
    const auto *place =
        cast<SCEVAddRecExpr>(evolution.getSCEV(store->getPointerOperand()));
    Value *start = expander.expandCodeFor(place->getStart(),
                                          store->getPointerOperandType(), end);
    addresses = builder.CreateOr(
        addresses, builder.CreatePtrToInt(start, builder.getInt64Ty()));
  }
  Value *rest = builder.CreateAnd(addresses, bytes - 1);
  return builder.CreateICmpEQ(rest, builder.getInt64(0));
}

/// Before a copy of so many bytes, a loop over whole vectors of them if its
/// destination is aligned: the copy itself is for the rest, or for all.
static void addVersion(MemCpyInst &copy, uint64_t vectorBytes) {
  constexpr uint64_t kUnrolled = 4;
  uint64_t step = kUnrolled * vectorBytes;
  uint64_t length = cast<ConstantInt>(copy.getLength())->getLimitedValue();
  IRBuilder<> builder(&copy);
  Type *i64 = builder.getInt64Ty();
  Value *to = copy.getDest(), *from = copy.getSource();
  Value *rest = builder.CreateAnd(builder.CreatePtrToInt(to, i64),
                                  builder.getInt64(vectorBytes - 1));
  Value *isAligned = builder.CreateICmpEQ(rest, builder.getInt64(0));
  BasicBlock *before = copy.getParent();
  Instruction *inLoop = SplitBlockAndInsertIfThen(isAligned, copy.getIterator(),
                                                  /*Unreachable=*/false);
  // What is left of it where the loop has run.
  builder.SetInsertPoint(&copy);
  PHINode *done = builder.CreatePHI(i64, 2);
  uint64_t whole = length / step * step;
  done->addIncoming(builder.getInt64(0), before);
  auto [body, number] = SplitBlockAndInsertSimpleForLoop(
      builder.getInt64(length / step), inLoop->getIterator());
  done->addIncoming(builder.getInt64(whole), inLoop->getParent());
  builder.SetInsertPoint(body);
  Type *vector = FixedVectorType::get(builder.getInt8Ty(), vectorBytes);
  MDNode *flag = MDNode::get(copy.getContext(),
                             ConstantAsMetadata::get(builder.getInt32(1)));
  Value *start = builder.CreateMul(number, builder.getInt64(step));
  for (uint64_t i = 0; i < kUnrolled; ++i) {
    Value *at = builder.CreateAdd(start, builder.getInt64(i * vectorBytes));
    Value *loaded = builder.CreateAlignedLoad(
        vector, builder.CreatePtrAdd(from, at),
        commonAlignment(copy.getSourceAlign().valueOrOne(), vectorBytes));
    StoreInst *store = builder.CreateAlignedStore(
        loaded, builder.CreatePtrAdd(to, at), Align(vectorBytes));
    store->setMetadata(LLVMContext::MD_nontemporal, flag);
  }
  builder.SetInsertPoint(&copy);
  copy.setDest(builder.CreatePtrAdd(to, done));
  copy.setSource(builder.CreatePtrAdd(from, done));
  copy.setLength(builder.CreateSub(builder.getInt64(length), done));
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
  Streams streams = StreamFinder(function, analyses).find(least);
  if (streams.loops.empty() && streams.copies.empty()) {
    return PreservedAnalyses::all();
  }
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  // All conditions first: analyses do not know of loops that are added.
  SmallVector<std::pair<Value *, Align>> conditions;
  for (const Stream &stream : streams.loops) {
    uint64_t bytes = 0;
    for (const StoreInst *store : stream.stores) {
      bytes = std::max(bytes, getStoredBytes(*store));
    }
    conditions.emplace_back(buildIsAligned(stream, evolution, bytes),
                            Align(bytes));
  }
  for (auto [stream, condition] : zip_equal(streams.loops, conditions)) {
    addVersion(stream, condition.first, condition.second);
  }
  uint64_t vectorBytes =
      analyses.getResult<TargetIRAnalysis>(function)
          .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue() /
      8;
  for (MemCpyInst *copy : streams.copies) {
    addVersion(*copy, vectorBytes);
  }
  fence(function);
  return PreservedAnalyses::none();
}
