//===- LargeLoopsTest.cpp - Tests of keeping loops from being unrolled ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LargeLoops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

static constexpr StringLiteral kDisable = "llvm.loop.unroll.disable";

/// A nest of `depth` loops of `steps` steps each that increments what an
/// address holds, a vector or a number, `additions` times. So many steps of
/// integers find the address.
static std::unique_ptr<Module> buildNest(LLVMContext &context, int depth,
                                         int additions, bool ofVectors,
                                         int64_t steps, int offsets = 0) {
  auto module = std::make_unique<Module>("nest", context);
  IRBuilder<> builder(context);
  auto *function = Function::Create(
      FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
      Function::ExternalLinkage, "nest", *module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  SmallVector<PHINode *> counters;
  for (int i = 0; i < depth; ++i) {
    BasicBlock *before = builder.GetInsertBlock();
    auto *header = BasicBlock::Create(context, "header", function);
    builder.CreateBr(header);
    builder.SetInsertPoint(header);
    counters.push_back(builder.CreatePHI(builder.getInt64Ty(), 2));
    counters.back()->addIncoming(builder.getInt64(0), before);
  }
  Type *type = builder.getFloatTy();
  if (ofVectors) {
    type = FixedVectorType::get(type, 16);
  }
  Value *offset = counters.back();
  for (int i = 0; i < offsets; ++i) {
    offset = builder.CreateMul(offset, builder.getInt64(3 + i));
  }
  Value *address = builder.CreateGEP(type, function->getArg(0), offset);
  Value *sum = builder.CreateLoad(type, address);
  for (int i = 0; i < additions; ++i) {
    sum = builder.CreateFAdd(sum, ConstantFP::get(type, 1.0 + i));
  }
  builder.CreateStore(sum, address);
  for (PHINode *counter : reverse(counters)) {
    Value *next = builder.CreateAdd(counter, builder.getInt64(1));
    counter->addIncoming(next, builder.GetInsertBlock());
    auto *exit = BasicBlock::Create(context, "exit", function);
    builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(steps)),
                         counter->getParent(), exit);
    builder.SetInsertPoint(exit);
  }
  builder.CreateRetVoid();
  return module;
}

/// Whether each loop of such a nest is kept, from the outermost on.
static std::vector<bool> keepNest(int depth, int additions, bool ofVectors,
                                  int64_t steps = 4, int offsets = 0) {
  LLVMContext context;
  auto module = buildNest(context, depth, additions, ofVectors, steps, offsets);
  keepLargeLoops(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  DominatorTree dominators(*module->getFunction("nest"));
  LoopInfo loops(dominators);
  std::vector<bool> kept;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    kept.push_back(findOptionMDForLoop(loop, kDisable) != nullptr);
  }
  return kept;
}

TEST(LargeLoopsTest, ManyVectors_StayInALoop) {
  EXPECT_EQ(keepNest(1, 20, true), std::vector({true}));
}

TEST(LargeLoopsTest, FewStepsOfManyVectors_MayBeUnrolled) {
  EXPECT_EQ(keepNest(2, 20, true, /*steps=*/2), std::vector({true, false}));
}

TEST(LargeLoopsTest, FewVectors_MayBeUnrolled) {
  EXPECT_EQ(keepNest(1, 5, true), std::vector({false}));
}

TEST(LargeLoopsTest, NestOfVectors_IsKeptAsFarAsItIsLarge) {
  EXPECT_EQ(keepNest(3, 8, true), std::vector({true, true, false}));
}

TEST(LargeLoopsTest, InnermostLoopOverScalars_IsLeftToTheVectoriser) {
  EXPECT_EQ(keepNest(2, 60, false), std::vector({true, false}));
}

TEST(LargeLoopsTest, SmallNestOverScalars_MayBeUnrolled) {
  EXPECT_EQ(keepNest(2, 8, false), std::vector({false, false}));
}

TEST(LargeLoopsTest, FewStepsToElementsFarApart_MayBeUnrolled) {
  EXPECT_EQ(keepNest(2, 2, false, /*steps=*/4, /*offsets=*/40),
            std::vector({false, false}));
}

TEST(LargeLoopsTest, ManyStepsToElementsFarApart_StayInALoop) {
  EXPECT_EQ(keepNest(2, 2, false, /*steps=*/5, /*offsets=*/40),
            std::vector({true, false}));
}

TEST(LargeLoopsTest, FewStepsOfMuchToElementsFarApart_StayInALoop) {
  EXPECT_EQ(keepNest(2, 20, false, /*steps=*/2, /*offsets=*/40),
            std::vector({true, false}));
}

/// Whether the outer loop of a nest over scalars is kept after the inner one
/// has become `left` instructions.
static bool keepsOuterLoop(int64_t steps, size_t left) {
  LLVMContext context;
  auto module =
      buildNest(context, 2, /*additions=*/40, /*ofVectors=*/false, steps);
  keepLargeLoops(*module);
  Function &function = *module->getFunction("nest");
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  BasicBlock *inner = loops.getLoopsInPreorder().back()->getHeader();
  // The inner loop is left after its first step.
  cast<BranchInst>(inner->getTerminator())
      ->setCondition(ConstantInt::getFalse(context));
  EXPECT_TRUE(ConstantFoldTerminator(inner));
  while (inner->size() > left) {
    auto *last = inner->getTerminator()->getPrevNode();
    last->replaceAllUsesWith(PoisonValue::get(last->getType()));
    last->eraseFromParent();
  }
  EXPECT_FALSE(verifyFunction(function, &errs()));
  dominators.recalculate(function);
  LoopInfo after(dominators);
  TargetLibraryInfoImpl functions(module->getTargetTriple());
  TargetLibraryInfo libraries(functions);
  AssumptionCache assumptions(function);
  ScalarEvolution evolution(function, libraries, assumptions, dominators,
                            after);
  Loop *outer = *after.begin();
  EXPECT_TRUE(outer->isInnermost());
  releaseSmallLoops(after, evolution);
  return findOptionMDForLoop(outer, kDisable);
}

TEST(LargeLoopsTest, NestThatBecameSmall_MayBeUnrolled) {
  EXPECT_FALSE(keepsOuterLoop(/*steps=*/100, /*left=*/4));
}

TEST(LargeLoopsTest, NestOfFewStepsThatBecameOneLoop_MayBeUnrolled) {
  EXPECT_FALSE(keepsOuterLoop(/*steps=*/2, /*left=*/40));
}

TEST(LargeLoopsTest, NestThatBecameOneLargeLoop_StaysKept) {
  EXPECT_TRUE(keepsOuterLoop(/*steps=*/100, /*left=*/40));
}
