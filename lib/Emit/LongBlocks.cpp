//===- LongBlocks.cpp - Blocks of very many calls -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of thousands of layers is one block that calls as many kernels. What
// LLVM does with a block, such as selecting its instructions, takes time that
// grows with the square of its length; so such a block becomes some that call
// functions of a few hundred calls each.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LongBlocks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include <functional>

using namespace llvm;

static bool isCallOfFunction(const Instruction &instruction) {
  return isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
}

/// Computes addresses that come from other blocks anew in `block`, in place of
/// an argument for each.
static void computeAddresses(BasicBlock &block) {
  DenseMap<Value *, Value *> copies;
  BasicBlock::iterator start = block.getFirstInsertionPt();
  std::function<Value *(Value *)> copy = [&](Value *value) {
    auto *address = dyn_cast<GetElementPtrInst>(value);
    if (!address || address->getParent() == &block) {
      return value;
    }
    auto [it, isNew] = copies.try_emplace(value, nullptr);
    if (!isNew) {
      return it->second;
    }
    Instruction *own = address->clone();
    for (Use &operand : own->operands()) {
      operand.set(copy(operand.get()));
    }
    own->insertBefore(block, start);
    copies[value] = own;
    return static_cast<Value *>(own);
  };
  for (auto it = start; it != block.end(); ++it) {
    for (Use &operand : it->operands()) {
      operand.set(copy(operand.get()));
    }
  }
}

/// Splits a block behind every `mostCalls` calls. Returns all of the parts but
/// the last, which ends as the block did.
static SmallVector<BasicBlock *> split(BasicBlock &block, int64_t mostCalls) {
  // What is allocated on the stack stays where the function begins.
  BasicBlock::iterator start = block.getFirstInsertionPt();
  for (auto it = start; it != block.end(); ++it) {
    if (isa<AllocaInst>(*it)) {
      start = std::next(it);
    }
  }
  SmallVector<BasicBlock *> parts;
  BasicBlock *rest = block.splitBasicBlock(start);
  int64_t calls = 0;
  for (auto it = rest->begin(); it != rest->end();) {
    calls += isCallOfFunction(*it++) ? 1 : 0;
    if (calls == mostCalls) {
      parts.push_back(rest);
      rest = rest->splitBasicBlock(it);
      it = rest->begin();
      calls = 0;
    }
  }
  for (BasicBlock *part : parts) {
    computeAddresses(*part);
  }
  computeAddresses(*rest);
  return parts;
}

static void splitLongBlocks(Function &function, int64_t mostCalls) {
  SmallVector<BasicBlock *> parts;
  for (BasicBlock &block : make_early_inc_range(function)) {
    if (count_if(block, isCallOfFunction) > mostCalls) {
      append_range(parts, split(block, mostCalls));
    }
  }
  if (parts.empty()) {
    return;
  }
  CodeExtractorAnalysisCache cache(function);
  for (BasicBlock *part : parts) {
    CodeExtractor extractor(part, /*DT=*/nullptr, /*AggregateArgs=*/false,
                            /*BFI=*/nullptr, /*BPI=*/nullptr, /*AC=*/nullptr,
                            /*AllowVarArgs=*/false, /*AllowAlloca=*/false,
                            /*AllocationBlock=*/nullptr, "part");
    if (!extractor.isEligible()) {
      continue;
    }
    if (Function *extracted = extractor.extractCodeRegion(cache)) {
      // It has one caller, and would be back there.
      extracted->addFnAttr(Attribute::NoInline);
    }
  }
}

void nacre::splitLongBlocks(Module &module, int64_t mostCalls) {
  for (Function &function : make_early_inc_range(module)) {
    ::splitLongBlocks(function, mostCalls);
  }
}
