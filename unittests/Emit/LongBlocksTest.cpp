//===- LongBlocksTest.cpp - Tests of splitting long blocks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LongBlocks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

/// A function that calls another so many times, each call with what the one
/// before gave, and stores the last result in memory of its own.
static std::unique_ptr<Module> buildChain(LLVMContext &context, int64_t calls) {
  auto module = std::make_unique<Module>("chain", context);
  IRBuilder<> builder(context);
  FunctionCallee step = module->getOrInsertFunction(
      "step", builder.getInt32Ty(), builder.getInt32Ty());
  auto *main = Function::Create(
      FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false),
      Function::ExternalLinkage, "main", *module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", main));
  Value *slot = builder.CreateAlloca(builder.getInt32Ty());
  Value *value = main->getArg(0);
  for (int64_t i = 0; i < calls; ++i) {
    value = builder.CreateCall(step, value);
  }
  builder.CreateStore(value, slot);
  builder.CreateRet(value);
  return module;
}

static int64_t countCalls(const Function &function, StringRef callee) {
  int64_t calls = 0;
  for (const BasicBlock &block : function) {
    for (const Instruction &instruction : block) {
      const auto *call = dyn_cast<CallInst>(&instruction);
      calls += call && call->getCalledFunction()->getName() == callee ? 1 : 0;
    }
  }
  return calls;
}

TEST(LongBlocksTest, FewCalls_StayWhereTheyAre) {
  LLVMContext context;
  auto module = buildChain(context, 8);
  splitLongBlocks(*module, 8);
  EXPECT_EQ(module->size(), 2u);
  EXPECT_EQ(countCalls(*module->getFunction("main"), "step"), 8);
}

TEST(LongBlocksTest, ManyCalls_BecomeFunctionsOfThatMany) {
  LLVMContext context;
  auto module = buildChain(context, 21);
  splitLongBlocks(*module, 8);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  EXPECT_EQ(countCalls(*module->getFunction("main"), "step"), 5);
  int64_t parts = 0;
  for (const Function &function : *module) {
    if (function.getName().starts_with("main.")) {
      EXPECT_EQ(countCalls(function, "step"), 8);
      EXPECT_TRUE(function.hasFnAttribute(Attribute::NoInline));
      ++parts;
    }
  }
  EXPECT_EQ(parts, 2);
}

TEST(LongBlocksTest, AddressesOfOtherParts_AreComputedAnew) {
  LLVMContext context;
  auto module = std::make_unique<Module>("addresses", context);
  IRBuilder<> builder(context);
  FunctionCallee step = module->getOrInsertFunction("step", builder.getVoidTy(),
                                                    builder.getPtrTy());
  auto *main = Function::Create(
      FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
      Function::ExternalLinkage, "main", *module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", main));
  SmallVector<Value *> addresses;
  for (int64_t i = 0; i < 20; ++i) {
    addresses.push_back(builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                                   main->getArg(0), 64 * i));
  }
  for (Value *address : addresses) {
    builder.CreateCall(step, address);
  }
  builder.CreateRetVoid();
  splitLongBlocks(*module, 8);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  for (const Function &function : *module) {
    if (function.getName().starts_with("main.")) {
      EXPECT_EQ(function.arg_size(), 1u);
    }
  }
}
