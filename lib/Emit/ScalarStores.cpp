//===- ScalarStores.cpp - Stores of one lane ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes a masked store of vectors that are narrowed, as of 32-bit integers
// to bytes, one of the wide elements with AVX-512, and one whose constant mask
// has a single lane a store of that wide element: of LLVM 22.1, the bytes
// behind it are overwritten. The last element of 17 is stored so.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ScalarStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nacre;

/// The only lane that `mask` surely has; none where it has others, or may have.
static std::optional<unsigned> getOnlyLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type) {
    return std::nullopt;
  }
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    Constant *bit = constant->getAggregateElement(lane);
    if (!bit || (!bit->isNullValue() && (only || !bit->isOneValue()))) {
      return std::nullopt;
    }
    if (bit->isOneValue()) {
      only = lane;
    }
  }
  return only;
}

PreservedAnalyses ScalarStoresPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool changes = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store) {
      continue;
    }
    Value *vector = store->getArgOperand(0), *place = store->getArgOperand(1);
    std::optional<unsigned> lane = getOnlyLane(store->getArgOperand(2));
    if (!lane) {
      continue;
    }
    IRBuilder<> builder(store);
    Value *element = builder.CreateExtractElement(vector, *lane);
    uint64_t bytes =
        function.getDataLayout().getTypeStoreSize(element->getType());
    Value *there =
        builder.CreateConstInBoundsGEP1_64(element->getType(), place, *lane);
    builder.CreateAlignedStore(
        element, there,
        commonAlignment(store->getParamAlign(1).valueOrOne(), *lane * bytes));
    store->eraseFromParent();
    changes = true;
  }
  if (!changes) {
    return PreservedAnalyses::all();
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
