//===- LoopAddressesTest.cpp - Tests of addresses that are counted up -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/LoopAddresses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

/// How often loops run.
static constexpr int64_t kLength = 24;

/// What function @f of a module makes of two buffers.
static std::vector<float> execute(const Module &module) {
  std::string text;
  raw_string_ostream(text) << module;
  auto context = std::make_unique<LLVMContext>();
  SMDiagnostic error;
  std::unique_ptr<Module> copy = parseAssemblyString(text, error, *context);
  auto jit = cantFail(orc::LLJITBuilder().create());
  cantFail(jit->addIRModule(
      orc::ThreadSafeModule(std::move(copy), std::move(context))));
  auto *function =
      cantFail(jit->lookup("f")).toPtr<void (*)(float *, float *, int64_t)>();
  // Loops begin in the middle.
  constexpr size_t kHalf = 4096;
  alignas(64) float first[2 * kHalf], second[2 * kHalf];
  for (size_t i = 0; i < 2 * kHalf; ++i) {
    first[i] = static_cast<float>(1 + i % 97);
    second[i] = -first[i];
  }
  first[kHalf + (kLength - 1) * 16] = 0;
  function(first + kHalf, second + kHalf, kLength);
  std::vector<float> result(first, first + 2 * kHalf);
  result.insert(result.end(), second, second + 2 * kHalf);
  return result;
}

namespace {
/// A loop in function @f, whose block is %loop and whose index is %i.
struct LoopAddressesTest : testing::Test {
  static void SetUpTestSuite() {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  }

  /// Runs the pass on a function whose loop has `body` and ends when %last
  /// holds. It computes what it has computed before.
  void run(StringRef body,
           StringRef end = "br i1 %last, label %end, label %loop") {
    std::string text =
        ("define void @f(ptr noalias %a, ptr noalias %b, i64 %n) "
         "{\nentry:\n  br label %loop\nloop:\n  %i = phi i64 "
         "[ 0, %entry ], [ %next, %loop ]\n" +
         body + "  " + end + "\nend:\n  ret void\n}\n")
            .str();
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
    std::vector<float> expected = execute(*module);
    PassBuilder builder;
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager callGraph;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraph, modules);
    changes = !LoopAddressesPass()
                   .run(*module->getFunction("f"), functions)
                   .areAllPreserved();
    ASSERT_FALSE(verifyModule(*module, &errs()));
    EXPECT_EQ(execute(*module), expected);
  }

  unsigned count(unsigned opcode) {
    unsigned found = 0;
    for (BasicBlock &block : *module->getFunction("f")) {
      if (block.getName() == "loop") {
        found += count_if(block, [&](const Instruction &op) {
          return op.getOpcode() == opcode;
        });
      }
    }
    return found;
  }

  /// The comparison that ends the loop.
  ICmpInst *getEnd() {
    for (Instruction &op : instructions(module->getFunction("f"))) {
      if (auto *compare = dyn_cast<ICmpInst>(&op)) {
        return compare;
      }
    }
    return nullptr;
  }

  bool endsAtZero() {
    return PatternMatch::match(getEnd()->getOperand(1), PatternMatch::m_Zero());
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  bool changes = false;
};

constexpr StringLiteral kVectorAndNumber = R"(
  %w = getelementptr [16 x float], ptr %a, i64 %i
  %v = load <16 x float>, ptr %w
  %p = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %p
  %q = getelementptr i8, ptr %p, i64 64
  store float %x, ptr %q
  %s = extractelement <16 x float> %v, i64 0
  store float %s, ptr %p
  %next = add i64 %i, 1
)";
} // namespace

TEST_F(LoopAddressesTest, DistancesOfTheirOwnHaveIndicesOfTheirOwn) {
  run(kVectorAndNumber.str() + "  %last = icmp eq i64 %next, 24\n");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 2u);
  EXPECT_EQ(count(Instruction::Add), 2u);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, ALengthThatARunKnowsEndsTheLoop) {
  run(kVectorAndNumber.str() + "  %last = icmp eq i64 %next, %n\n");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 2u);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, ALoopThatGoesOnWhileAConditionHoldsDoesSo) {
  run(kVectorAndNumber.str() + "  %more = icmp ult i64 %next, %n\n",
      "br i1 %more, label %loop, label %end");
  EXPECT_TRUE(changes);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, ANarrowerIndexCountsAsOften) {
  run(R"(
  %j = phi i32 [ -24, %entry ], [ %more, %loop ]
  %w = getelementptr [16 x float], ptr %a, i64 %i
  store float 1.0, ptr %w
  %next = add i64 %i, 1
  %more = add i32 %j, 1
  %last = icmp eq i32 %more, 0
)");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 1u);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, AFewIterationsStay) {
  run(kVectorAndNumber.str() + "  %last = icmp eq i64 %next, 2\n");
  EXPECT_FALSE(changes);
}

TEST_F(LoopAddressesTest, ALoopThatEndsByWhatItReadsEndsByThat) {
  run(kVectorAndNumber.str() + "  %last = fcmp oeq float %s, 0.0\n");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 2u);
  EXPECT_EQ(count(Instruction::FCmp), 1u);
}

TEST_F(LoopAddressesTest, AnIndexThatIsReadIsKept) {
  run(kVectorAndNumber.str() + "  %value = trunc i64 %i to i8\n"
                               "  store i8 %value, ptr %a\n"
                               "  %last = icmp eq i64 %next, 24\n");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 3u);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, ADistanceBackwardsIsCountedUpToZero) {
  run(R"(
  %back = sub i64 100, %i
  %w = getelementptr [16 x float], ptr %a, i64 %back
  store float 1.0, ptr %w
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, 24
)");
  EXPECT_TRUE(changes);
  EXPECT_EQ(count(Instruction::PHI), 1u);
  EXPECT_EQ(count(Instruction::Sub), 0u);
  EXPECT_TRUE(endsAtZero());
}

TEST_F(LoopAddressesTest, WhatALoadAddsUpStays) {
  run(R"(
  %p = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %p
  %q = getelementptr double, ptr %b, i64 %i
  store double %x, ptr %q
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %n
)");
  EXPECT_FALSE(changes);
}

TEST_F(LoopAddressesTest, ADistanceThatARunKnowsStays) {
  run(R"(
  %k = mul i64 %i, %n
  %p = getelementptr float, ptr %a, i64 %k
  store float 1.0, ptr %p
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, 24
)");
  EXPECT_FALSE(changes);
}

TEST_F(LoopAddressesTest, MoreAddressesThanRegistersStay) {
  std::string body;
  raw_string_ostream stream(body);
  for (int i = 0; i < 12; ++i) {
    stream << "  %w" << i << " = getelementptr [" << 16 + i
           << " x float], ptr %a, i64 %i\n  store float 1.0, ptr %w" << i
           << "\n";
  }
  stream << "  %next = add i64 %i, 1\n  %last = icmp eq i64 %next, 24\n";
  run(body);
  EXPECT_FALSE(changes);
}
