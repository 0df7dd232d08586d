//===- NarrowGathersTest.cpp - Tests of gathers that stay scalar ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/NarrowGathers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

namespace {
/// Where the elements that a loop moves come from, and what becomes of them.
enum class Kind { Gather, Copy, Compute };
} // namespace

/// A loop that moves such elements.
static void buildLoop(Module &module, Type *type, Kind kind) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *pointer = builder.getPtrTy();
  auto *function =
      Function::Create(FunctionType::get(builder.getVoidTy(),
                                         {pointer, pointer, pointer}, false),
                       Function::ExternalLinkage, "gather", module);
  BasicBlock *entry = BasicBlock::Create(context, "entry", function);
  BasicBlock *body = BasicBlock::Create(context, "body", function);
  BasicBlock *exit = BasicBlock::Create(context, "exit", function);
  builder.SetInsertPoint(entry);
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  PHINode *counter = builder.CreatePHI(builder.getInt64Ty(), 2);
  counter->addIncoming(builder.getInt64(0), entry);
  Value *position = counter;
  if (kind != Kind::Copy) {
    position = builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateGEP(builder.getInt64Ty(), function->getArg(1), counter));
    position = builder.CreateAnd(position, builder.getInt64(255));
  }
  Value *element = builder.CreateLoad(
      type, builder.CreateGEP(type, function->getArg(0), position));
  if (kind == Kind::Compute) {
    element = builder.CreateNot(element);
  }
  builder.CreateStore(element,
                      builder.CreateGEP(type, function->getArg(2), counter));
  Value *next = builder.CreateAdd(counter, builder.getInt64(1));
  counter->addIncoming(next, body);
  builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(64)), body,
                       exit);
  builder.SetInsertPoint(exit);
  builder.CreateRetVoid();
}

/// Whether a loop that moves integers of so many bits is kept from being
/// vectorised.
static bool keepsScalar(unsigned bits, Kind kind) {
  LLVMContext context;
  Module module("gather", context);
  buildLoop(module, IntegerType::get(context, bits), kind);
  keepNarrowGathers(module);
  DominatorTree dominators(*module.getFunction("gather"));
  LoopInfo loops(dominators);
  return findOptionMDForLoop(*loops.begin(), "llvm.loop.vectorize.enable");
}

TEST(NarrowGathersTest, SmallElements_AreMovedOneByOne) {
  EXPECT_TRUE(keepsScalar(8, Kind::Gather));
  EXPECT_TRUE(keepsScalar(16, Kind::Gather));
}

TEST(NarrowGathersTest, ElementsThatMachinesGather_AreVectors) {
  EXPECT_FALSE(keepsScalar(32, Kind::Gather));
  EXPECT_FALSE(keepsScalar(64, Kind::Gather));
}

TEST(NarrowGathersTest, ElementsInTurn_AreVectors) {
  EXPECT_FALSE(keepsScalar(16, Kind::Copy));
}

TEST(NarrowGathersTest, ComputedElements_AreVectors) {
  EXPECT_FALSE(keepsScalar(16, Kind::Compute));
}

TEST(NarrowGathersTest, Halves_AreMovedAsIntegers) {
  LLVMContext context;
  Module module("gather", context);
  buildLoop(module, Type::getHalfTy(context), Kind::Gather);
  keepNarrowGathers(module);
  EXPECT_FALSE(verifyModule(module, &errs()));
  for (Instruction &instruction : instructions(module.getFunction("gather"))) {
    EXPECT_FALSE(instruction.getType()->isHalfTy());
  }
}
