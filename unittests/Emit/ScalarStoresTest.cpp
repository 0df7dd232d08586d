//===- ScalarStoresTest.cpp - Tests of stores of one lane -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/ScalarStores.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

namespace {
/// A function that stores its vector of bytes under a mask.
struct ScalarStoresTest : testing::Test {
  ScalarStoresTest() : module("stores", context) {
    IRBuilder<> builder(context);
    auto *bytes = FixedVectorType::get(builder.getInt8Ty(), 4);
    auto *bits = FixedVectorType::get(builder.getInt1Ty(), 4);
    function = Function::Create(
        FunctionType::get(builder.getVoidTy(),
                          {bytes, builder.getPtrTy(), bits}, false),
        Function::ExternalLinkage, "store", module);
  }

  /// Stores under `mask`, and runs the pass.
  void store(Value *mask) {
    IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
    builder.CreateMaskedStore(function->getArg(0), function->getArg(1),
                              Align(4), mask);
    builder.CreateRetVoid();
    FunctionAnalysisManager analyses;
    ScalarStoresPass().run(*function, analyses);
    EXPECT_FALSE(verifyModule(module, &errs()));
  }

  Constant *getMask(ArrayRef<bool> lanes) {
    SmallVector<Constant *> bits;
    for (bool lane : lanes) {
      bits.push_back(ConstantInt::getBool(context, lane));
    }
    return ConstantVector::get(bits);
  }

  /// How many bytes behind its place the vector is stored.
  APInt getOffset(StoreInst *scalar) {
    APInt offset(64, 0);
    Value *base =
        scalar->getPointerOperand()->stripAndAccumulateConstantOffsets(
            module.getDataLayout(), offset, /*AllowNonInbounds=*/false);
    EXPECT_EQ(base, function->getArg(1));
    return offset;
  }

  template <typename InstructionT> InstructionT *find() {
    for (Instruction &instruction : instructions(function)) {
      if (auto *found = dyn_cast<InstructionT>(&instruction)) {
        return found;
      }
    }
    return nullptr;
  }

  LLVMContext context;
  Module module;
  Function *function;
};
} // namespace

TEST_F(ScalarStoresTest, FirstLaneIsAStoreOfItsByte) {
  store(getMask({true, false, false, false}));
  auto *scalar = find<StoreInst>();
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->getValueOperand()->getType()->isIntegerTy(8));
  EXPECT_EQ(getOffset(scalar), 0);
  EXPECT_EQ(scalar->getAlign(), Align(4));
  EXPECT_FALSE(find<IntrinsicInst>());
}

TEST_F(ScalarStoresTest, OtherLaneIsStoredBehindTheFirst) {
  store(getMask({false, false, true, false}));
  auto *scalar = find<StoreInst>();
  ASSERT_TRUE(scalar);
  EXPECT_EQ(getOffset(scalar), 2);
  EXPECT_EQ(scalar->getAlign(), Align(2));
}

TEST_F(ScalarStoresTest, SeveralLanesStayAStoreOfAVector) {
  store(getMask({true, false, true, false}));
  EXPECT_TRUE(find<IntrinsicInst>());
  EXPECT_FALSE(find<StoreInst>());
}

TEST_F(ScalarStoresTest, NoLaneIsNotStored) {
  store(getMask({false, false, false, false}));
  EXPECT_FALSE(find<StoreInst>());
}

TEST_F(ScalarStoresTest, UnknownMaskStays) {
  store(function->getArg(2));
  EXPECT_TRUE(find<IntrinsicInst>());
  EXPECT_FALSE(find<StoreInst>());
}
