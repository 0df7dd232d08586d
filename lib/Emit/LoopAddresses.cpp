//===- LoopAddresses.cpp - Addresses that a loop counts up ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An x86 load adds up a register, another one times 1, 2, 4 or 8, and a number.
// A kernel's loop reads weights that are a vector, and pixels that are a number
// apart, by one index: a move and a shift in each iteration of about 48
// instructions. Here each distance gets an index of its own, in
// bytes, and the last of them ends the loop. LLVM's loop strength reduction
// does so, too, and tries out what else there may be, which takes a third of
// the time for generating code.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LoopAddresses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace nacre;

/// Of the 16 registers for integers, as many as leave some for other values.
static constexpr size_t kMostRegisters = 10;

namespace {
/// An address in a loop: `distance` bytes behind one that is counted up.
struct Place {
  Use *use;
  int64_t distance;
};

/// Addresses a constant number of bytes apart, with the first one's start.
struct Family {
  const SCEV *start;
  SmallVector<Place> places;
};

/// The addresses of one loop by how many bytes an iteration moves them.
class LoopAddresses {
public:
  LoopAddresses(Loop &loop, ScalarEvolution &evolution,
                const TargetTransformInfo &costs)
      : loop(loop), evolution(evolution), costs(costs),
        block(*loop.getHeader()) {}

  /// Finds them. False where nothing would be gained.
  bool find();
  /// Counts them up.
  void rewrite();

private:
  /// Notes the address that `use` is, if it moves by a constant.
  void add(Use &use);
  /// How many instructions of the loop do nothing but compute addresses that
  /// loads cannot add up.
  unsigned countOverhead() const;
  Type *getAddressType() const {
    return PointerType::get(block.getContext(), /*AddressSpace=*/0);
  }
  /// Of what an address is counted in.
  Type *getIndexType() const {
    return block.getDataLayout().getIndexType(getAddressType());
  }
  /// Whether values can be computed in front of the loop at little cost.
  bool canExpand(SCEVExpander &expander, ArrayRef<const SCEV *> values) const;
  /// The comparison that decides whether the loop goes on, if nothing else does
  /// and nobody else asks for it; or null.
  ICmpInst *getComparison() const;
  /// How many bytes an index that moves by `step` has moved when the loop ends;
  /// null where that is not known in front of the loop.
  Value *buildLength(int64_t step);
  /// Ends the loop when `next` is 0. Then the loop's own index may be for
  /// nothing any more.
  void endAtZero(Value *next);

  Loop &loop;
  ScalarEvolution &evolution;
  const TargetTransformInfo &costs;
  BasicBlock &block;
  MapVector<int64_t, SmallVector<Family>> families;
};
} // namespace

void LoopAddresses::add(Use &use) {
  auto *address = dyn_cast<Instruction>(use.get());
  if (!address || address->getType() != getAddressType() ||
      !loop.contains(address)) {
    return;
  }
  auto *place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
  if (!place || place->getLoop() != &loop || !place->isAffine()) {
    return;
  }
  auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
  if (!step || !step->getAPInt().isSignedIntN(32)) {
    return;
  }
  const SCEV *start = place->getStart();
  SmallVector<Family> &list = families[step->getAPInt().getSExtValue()];
  for (Family &family : list) {
    auto *distance =
        dyn_cast<SCEVConstant>(evolution.getMinusSCEV(start, family.start));
    if (distance && distance->getAPInt().isSignedIntN(32)) {
      family.places.push_back({&use, distance->getAPInt().getSExtValue()});
      return;
    }
  }
  list.push_back({start, {{&use, 0}}});
}

/// True for an address that a load can add up itself.
static bool isFree(const GetElementPtrInst &address) {
  constexpr uint64_t kLargestScale = 8;
  const DataLayout &layout = address.getModule()->getDataLayout();
  SmallMapVector<Value *, APInt, 4> scales;
  unsigned width = layout.getIndexTypeSizeInBits(address.getType());
  APInt number(width, 0);
  if (!address.collectOffset(layout, width, scales, number)) {
    return false;
  }
  return scales.empty() ||
         (scales.size() == 1 && scales.front().second.isPowerOf2() &&
          scales.front().second.ule(kLargestScale));
}

unsigned LoopAddresses::countOverhead() const {
  SetVector<Instruction *> work;
  for (const auto &[step, list] : families) {
    for (const Family &family : list) {
      for (const Place &place : family.places) {
        work.insert(cast<Instruction>(place.use->get()));
      }
    }
  }
  unsigned count = 0;
  for (size_t i = 0; i < work.size(); ++i) {
    Instruction *op = work[i];
    auto *address = dyn_cast<GetElementPtrInst>(op);
    count += !isa<PHINode>(op) && !(address && isFree(*address));
    for (Value *operand : op->operands()) {
      auto *inner = dyn_cast<Instruction>(operand);
      if (inner && loop.contains(inner) && !isa<PHINode>(inner)) {
        work.insert(inner);
      }
    }
  }
  return count;
}

bool LoopAddresses::canExpand(SCEVExpander &expander,
                              ArrayRef<const SCEV *> values) const {
  constexpr unsigned kMostCost = 24;
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  return llvm::all_of(values,
                      [&](const SCEV *value) {
                        return expander.isSafeToExpandAt(value, before);
                      }) &&
         !expander.isHighCostExpansion(values, &loop, kMostCost, &costs,
                                       before);
}

bool LoopAddresses::find() {
  // In front of a loop it takes more than an iteration or two save.
  constexpr unsigned kFewIterations = 3;
  unsigned count = evolution.getSmallConstantTripCount(&loop);
  if (!loop.isInnermost() || loop.getNumBlocks() != 1 ||
      !loop.getLoopPreheader() || (count > 0 && count < kFewIterations)) {
    return false;
  }
  for (Instruction &op : block) {
    if (!isa<PHINode, GetElementPtrInst>(op)) {
      for (Use &use : op.operands()) {
        add(use);
      }
    }
  }
  SmallVector<const SCEV *> starts;
  for (const auto &[step, list] : families) {
    for (const Family &family : list) {
      starts.push_back(family.start);
    }
  }
  size_t numRegisters = families.size() + starts.size();
  // The index that the loop has had is counted up no more.
  unsigned overhead = countOverhead();
  SCEVExpander expander(evolution, "address");
  return numRegisters <= kMostRegisters && overhead > 0 &&
         overhead + 1 >= families.size() && canExpand(expander, starts);
}

ICmpInst *LoopAddresses::getComparison() const {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  return compare && compare->hasOneUse() ? compare : nullptr;
}

Value *LoopAddresses::buildLength(int64_t step) {
  Type *type = getIndexType();
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (!getComparison() || isa<SCEVCouldNotCompute>(count) ||
      evolution.getTypeSizeInBits(count->getType()) >
          evolution.getTypeSizeInBits(type)) {
    return nullptr;
  }
  const SCEV *length = evolution.getMulExpr(
      evolution.getAddExpr(evolution.getNoopOrZeroExtend(count, type),
                           evolution.getOne(type)),
      evolution.getConstant(type, step, /*isSigned=*/true));
  SCEVExpander expander(evolution, "length");
  return canExpand(expander, length)
             ? expander.expandCodeFor(length, type,
                                      loop.getLoopPreheader()->getTerminator())
             : nullptr;
}

void LoopAddresses::endAtZero(Value *next) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  ICmpInst *compare = getComparison();
  bool leavesOnTrue = !loop.contains(branch->getSuccessor(0));
  IRBuilder<> builder(branch);
  branch->setCondition(leavesOnTrue ? builder.CreateIsNull(next)
                                    : builder.CreateIsNotNull(next));
  RecursivelyDeleteTriviallyDeadInstructions(compare);
}

void LoopAddresses::rewrite() {
  BasicBlock *preheader = loop.getLoopPreheader();
  Type *type = getIndexType();
  // The last index goes up to 0, which an addition tells without a comparison.
  Value *length = buildLength(families.back().first);
  SCEVExpander expander(evolution, "address");
  // Else starts are computed of one index that an outer loop gets for it.
  expander.disableCanonicalMode();
  SmallVector<WeakTrackingVH> old;
  Value *next = nullptr;
  for (auto &[step, list] : families) {
    bool ends = length && step == families.back().first;
    IRBuilder<> outside(preheader->getTerminator());
    IRBuilder<> builder(&block, block.begin());
    PHINode *index = builder.CreatePHI(type, /*NumReservedValues=*/2, "bytes");
    builder.SetInsertPoint(block.getTerminator());
    next = builder.CreateAdd(index, ConstantInt::getSigned(type, step));
    index->addIncoming(ends ? outside.CreateNeg(length)
                            : ConstantInt::get(type, 0),
                       preheader);
    index->addIncoming(next, &block);
    for (Family &family : list) {
      Value *start = expander.expandCodeFor(family.start, getAddressType(),
                                            preheader->getTerminator());
      if (ends) {
        start = outside.CreatePtrAdd(start, length);
      }
      builder.SetInsertPoint(&block, block.getFirstInsertionPt());
      Value *address = builder.CreatePtrAdd(start, index);
      for (Place &place : family.places) {
        old.emplace_back(place.use->get());
        builder.SetInsertPoint(cast<Instruction>(place.use->getUser()));
        place.use->set(
            place.distance == 0
                ? address
                : builder.CreatePtrAdd(
                      address, ConstantInt::getSigned(type, place.distance)));
      }
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(old);
  if (length) {
    endAtZero(next);
  }
  DeleteDeadPHIs(&block);
}

PreservedAnalyses LoopAddressesPass::run(Function &function,
                                         FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &costs = analyses.getResult<TargetIRAnalysis>(function);
  bool changes = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    LoopAddresses addresses(*loop, evolution, costs);
    if (addresses.find()) {
      addresses.rewrite();
      evolution.forgetLoop(loop);
      changes = true;
    }
  }
  return changes ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
