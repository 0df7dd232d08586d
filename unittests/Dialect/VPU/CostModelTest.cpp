//===- CostModelTest.cpp - Tests of the cost model ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decisions depend on, for an architecture of round numbers: 16 lanes, so
// that a cluster multiplies 32 numbers and moves 32 bytes of its caches in a
// cycle, and memory that gives 10 bytes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/Cost/LowBitCost.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "nacre/Dialect/VPU/IR/VPUDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

namespace {

class CostModel : public ::testing::Test {
protected:
  CostModel() {
    context.loadDialect<VPU::VPUDialect, arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, memref::MemRefDialect,
                        scf::SCFDialect>();
  }

  /// Parses a module for two clusters, and gives the model.
  VPU::CostModel parse(const std::string &body) {
    std::string text =
        "module attributes {VPU.arch = #VPU.arch<name = \"round\", kind = cpu, "
        "clusters = 2, cmxBytes = 1000, dmaEngines = 1, "
        "dmaGigabytesPerSecond = 10, clockMHz = 1000, lanes = 16, registers = "
        "32, pixels = 14, blocks = 2, blockedChannels = true, packs = {}, "
        "elementTypes = [f32], triple = \"\", cpu = \"\", tune = \"\", "
        "features = \"\">} {\n" +
        body + "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return VPU::CostModel(VPU::ArchAttr::lookup(*module));
  }

  /// Cycles of all that the function @f does.
  double cyclesOf(const std::string &body) {
    VPU::CostModel model = parse(body);
    SymbolTableCollection symbols;
    return model.getCyclesBelow(module->lookupSymbol("f"), symbols);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CostModel, RatesAreThoseOfTheDescriptor) {
  VPU::CostModel model = parse("");
  EXPECT_DOUBLE_EQ(model.getCacheBytesPerCycle(), 32);
  EXPECT_DOUBLE_EQ(model.getMemoryBytesPerCycle(), 10);
}

TEST_F(CostModel, SharedOperandsLeaveHalfOfTheCache) {
  EXPECT_EQ(parse("").getSharedOperandBytes(), 500);
}

TEST(SumChains, OfFewSums_AreAsManyAsDoNotWait) {
  EXPECT_EQ(VPU::countChains(/*sums=*/1), 4);
  EXPECT_EQ(VPU::countChains(/*sums=*/3), 2);
  EXPECT_EQ(VPU::countChains(/*sums=*/5), 1);
}

TEST(SumChains, OfShortSums_AreFewer) {
  EXPECT_EQ(VPU::countChains(/*sums=*/1, /*atOnce=*/8, /*steps=*/16), 4);
  EXPECT_EQ(VPU::countChains(/*sums=*/1, /*atOnce=*/2, /*steps=*/16), 2);
  EXPECT_EQ(VPU::countChains(/*sums=*/1, /*atOnce=*/8, /*steps=*/11), 2);
  EXPECT_EQ(VPU::countChains(/*sums=*/1, /*atOnce=*/8, /*steps=*/3), 1);
}

TEST_F(CostModel, PartsOfAwakeThreadsPaySooner) {
  VPU::CostModel model = parse("");
  EXPECT_DOUBLE_EQ(model.getLeastPart(6000, /*areAwake=*/false), 6000);
  EXPECT_DOUBLE_EQ(model.getLeastPart(6000, /*areAwake=*/true), 1000);
}

// 32 · 16 · 64 products, and 4 · (2048 + 1024 + 512) bytes.
TEST_F(CostModel, ProductsMultiplyAndMove) {
  EXPECT_DOUBLE_EQ(cyclesOf(R"(
    func.func @f(%a: memref<1x32x64xf32>, %b: memref<1x1x64x16xf32>,
                 %c: memref<1x32x16xf32>) {
      VPU.NCE.MatMul ins(%a, %b : memref<1x32x64xf32>, memref<1x1x64x16xf32>)
        outs(%c : memref<1x32x16xf32>)
      return
    })"),
                   32 * 16 * 64 / 32 + 4 * (2048 + 1024 + 512) / 32);
}

TEST_F(CostModel, ElementwiseSoftwareTakesTheLargerOfMovingAndComputing) {
  auto add = [&](const std::string &ops) {
    return cyclesOf(R"(
    func.func @f(%a: memref<800xf32>, %c: memref<800xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d) -> (d)>,
          affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
          ins(%a : memref<800xf32>) outs(%c : memref<800xf32>) {
      ^bb0(%x: f32, %y: f32):
        )" + ops + R"(
        linalg.yield %x : f32
      }
      return
    })");
  };
  EXPECT_DOUBLE_EQ(add("%0 = arith.addf %x, %x : f32"), 800 * 8 / 32);
  std::string many;
  for (char name = 'a'; name < 'a' + 16; ++name) {
    many += std::string("%") + name + "0 = arith.addf %x, %x : f32\n";
  }
  EXPECT_DOUBLE_EQ(add(many), 800 * 16 / 8);
}

TEST_F(CostModel, LoopsCountAsOftenAsTheBusiestClusterRunsThem) {
  const std::string copy = R"(
        linalg.copy ins(%a : memref<80xf32>) outs(%c : memref<80xf32>)
      )";
  const std::string head =
      "func.func @f(%a: memref<80xf32>, %c: memref<80xf32>, %n: index) {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c5 = arith.constant 5 : index\n";
  constexpr double kOnce = 80 * 8 / 32;
  EXPECT_DOUBLE_EQ(cyclesOf(head + "scf.for %i = %c0 to %c5 step %c1 {" + copy +
                            "}\nreturn\n}"),
                   5 * kOnce);
  EXPECT_DOUBLE_EQ(cyclesOf(head + "scf.for %i = %c0 to %n step %c1 {" + copy +
                            "}\nreturn\n}"),
                   VPU::kTypicalSize * kOnce);
  EXPECT_DOUBLE_EQ(
      cyclesOf(head + "scf.forall (%i) in (5) {" + copy + "}\nreturn\n}"),
      3 * kOnce);
}

TEST_F(CostModel, CallsCountWhatIsCalled) {
  EXPECT_DOUBLE_EQ(cyclesOf(R"(
    func.func private @g(%a: memref<80xf32>, %c: memref<80xf32>) {
      linalg.copy ins(%a : memref<80xf32>) outs(%c : memref<80xf32>)
      return
    }
    func.func @f(%a: memref<80xf32>, %c: memref<80xf32>) {
      call @g(%a, %c) : (memref<80xf32>, memref<80xf32>) -> ()
      call @g(%a, %c) : (memref<80xf32>, memref<80xf32>) -> ()
      return
    })"),
                   2 * 80 * 8 / 32);
}

// The cache has 1000 bytes, and a copy takes 20 cycles.
TEST_F(CostModel, StepsWaitForWhatTheCacheHasNoRoomFor) {
  VPU::CostModel model = parse(R"(
    func.func @f(%a: memref<80xf32>, %c: memref<80xf32>) {
      linalg.copy ins(%a : memref<80xf32>) outs(%c : memref<80xf32>)
      return
    })");
  Operation *step = module->lookupSymbol("f");
  SymbolTableCollection symbols;
  auto cycles = [&](int64_t activations, int64_t weights, int64_t all) {
    return model.getStepCycles(step, symbols, {activations, weights, all});
  };
  EXPECT_DOUBLE_EQ(cycles(900, 0, 0), 20);
  EXPECT_DOUBLE_EQ(cycles(1500, 0, 0), 25);
  EXPECT_DOUBLE_EQ(cycles(0, 100, 100000), 20);
  EXPECT_DOUBLE_EQ(cycles(0, 500, 100000), 50);
  // Weights that the last cache keeps from run to run.
  EXPECT_DOUBLE_EQ(cycles(0, 500, 16000), 25);
}

} // namespace
