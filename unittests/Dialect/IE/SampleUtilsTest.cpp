//===- SampleUtilsTest.cpp - Tests of which ops keep samples apart --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SampleUtils.h"
#include "nacre/InitAllDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre;

static bool keepApart(const std::string &text) {
  DialectRegistry registry;
  nacre::registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  return module &&
         IE::keepsSamplesApart(*module->getOps<func::FuncOp>().begin());
}

/// A function of `body` with an argument %x.
static bool keepsApart(const std::string &type, const std::string &body,
                       const std::string &result) {
  return keepApart("func.func @main(%x: " + type + ") -> " + result + " {\n" +
                   body + "\n  return %y : " + result + "\n}");
}

TEST(SamplesApart, ProductsOfRows_AreOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x4xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<4x3xf32>
    %b = IE.Constant dense<1.0> : tensor<3xf32>
    %y = IE.Gemm(%x, %w, %b)
        : (tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>)",
                         "tensor<?x3xf32>"));
}

TEST(SamplesApart, ProductOfTransposedRows_MixesThem) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %t = IE.Transpose %x {perm = array<i64: 1, 0>}
        : tensor<?x4xf32> -> tensor<4x?xf32>
    %y = IE.MatMul(%x, %t)
        : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>)",
                          "tensor<?x?xf32>"));
}

TEST(SamplesApart, MeanOfAll_MixesThem) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %a = IE.Constant dense<0> : tensor<1xi64>
    %m = IE.ReduceMean(%x, %a)
        : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    %y = IE.Sub %x, %m : tensor<?x4xf32>, tensor<1x4xf32> -> tensor<?x4xf32>)",
                          "tensor<?x4xf32>"));
}

TEST(SamplesApart, MeanOfEach_IsOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x4xf32>", R"(
    %a = IE.Constant dense<1> : tensor<1xi64>
    %m = IE.ReduceMean(%x, %a)
        : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
    %y = IE.Sub %x, %m : tensor<?x4xf32>, tensor<?x1xf32> -> tensor<?x4xf32>)",
                         "tensor<?x4xf32>"));
}

TEST(SamplesApart, RowsOfATable_AreOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x4xi64>", R"(
    %w = IE.Constant dense<1.0> : tensor<9x3xf32>
    %y = IE.Gather %w, %x
        : tensor<9x3xf32>, tensor<?x4xi64> -> tensor<?x4x3xf32>)",
                         "tensor<?x4x3xf32>"));
}

TEST(SamplesApart, OneOfThem_IsOfAll) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %i = IE.Constant dense<0> : tensor<1xi64>
    %y = IE.Gather %x, %i
        : tensor<?x4xf32>, tensor<1xi64> -> tensor<1x4xf32>)",
                          "tensor<1x4xf32>"));
}

TEST(SamplesApart, NumberOfThem_MayBeAShapeButNoFactor) {
  const char *shape = R"(
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %two = IE.Constant dense<2> : tensor<2xi64>
    %s = IE.Concat %n, %two {axis = 0 : i64}
        : tensor<1xi64>, tensor<2xi64> -> tensor<3xi64>
    %y = IE.Reshape %x, %s : tensor<?x4xf32>, tensor<3xi64> -> tensor<?x2x2xf32>)";
  EXPECT_TRUE(keepsApart("tensor<?x4xf32>", shape, "tensor<?x2x2xf32>"));
  const char *factor = R"(
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %f = IE.Cast %n to f32 : tensor<1xi64> -> tensor<1xf32>
    %y = IE.Mul %x, %f : tensor<?x4xf32>, tensor<1xf32> -> tensor<?x4xf32>)";
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", factor, "tensor<?x4xf32>"));
}

TEST(SamplesApart, ElementsOfOneInAnother_MixThem) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %s = IE.Constant dense<[-1, 8]> : tensor<2xi64>
    %y = IE.Reshape %x, %s : tensor<?x4xf32>, tensor<2xi64> -> tensor<?x8xf32>)",
                          "tensor<?x8xf32>"));
}

/// Two arguments of these attributes, which are added.
static bool keepsSumApart(const std::string &first, const std::string &second) {
  return keepApart("func.func @main(%x: tensor<?x4xf32>" + first +
                   ", %z: tensor<?x4xf32>" + second + R"() -> tensor<?x4xf32> {
    %y = IE.Add %x, %z : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  })");
}

/// Rows of a number that only a run tells, which is not that of the samples.
static const std::string kFoundRows = R"(
    %mask = IE.Constant dense<1.0> : tensor<5xf32>
    %i = IE.NonZero(%mask) : (tensor<5xf32>) -> tensor<1x?xi64>
    %t = IE.Transpose %i {perm = array<i64: 1, 0>}
        : tensor<1x?xi64> -> tensor<?x1xi64>
    %c = IE.Cast %t to f32 : tensor<?x1xi64> -> tensor<?x1xf32>)";

TEST(SamplesApart, CommonRowsOfOpenNumber_AreNoSamples) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", kFoundRows + R"(
    %y = IE.Mul %x, %c : tensor<?x4xf32>, tensor<?x1xf32> -> tensor<?x4xf32>)",
                          "tensor<?x4xf32>"));
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", kFoundRows + R"(
    %y = IE.Concat %x, %c {axis = 1 : i64}
        : tensor<?x4xf32>, tensor<?x1xf32> -> tensor<?x5xf32>)",
                          "tensor<?x5xf32>"));
  EXPECT_FALSE(keepsApart("tensor<?x1xf32>", kFoundRows + R"(
    %w = IE.Constant dense<1.0> : tensor<1x3xf32>
    %b = IE.Gemm(%c, %w)
        : (tensor<?x1xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
    %y = IE.Gemm(%x, %w, %b)
        : (tensor<?x1xf32>, tensor<1x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>)",
                          "tensor<?x3xf32>"));
}

/// A product of rows, to which a batch is added.
static bool keepsGemmApart(const std::string &addend) {
  return keepApart(
      R"(func.func @main(%x: tensor<?x4xf32> {nacre.dims = ["n", ""]}, %b: )" +
      addend + R"( {nacre.dims = ["n"]}) -> tensor<?x3xf32> {
    %w = IE.Constant dense<1.0> : tensor<4x3xf32>
    %y = IE.Gemm(%x, %w, %b) : (tensor<?x4xf32>, tensor<4x3xf32>, )" +
      addend + R"() -> tensor<?x3xf32>
    return %y : tensor<?x3xf32>
  })");
}

TEST(SamplesApart, AddendWithSamples_HasARowForEach) {
  EXPECT_TRUE(keepsGemmApart("tensor<?x3xf32>"));
  EXPECT_TRUE(keepsGemmApart("tensor<?x1xf32>"));
  EXPECT_FALSE(keepsGemmApart("tensor<?xf32>"));
}

TEST(SamplesApart, LargestOfNegativeAxes_IsOfEachUnlessOfTheFirst) {
  auto keepsLargest = [](const std::string &axis, const std::string &type) {
    return keepsApart("tensor<?x4xf32>",
                      "%a = IE.Constant dense<" + axis + R"(> : tensor<1xi64>
    %m = IE.ReduceMax(%x, %a) : (tensor<?x4xf32>, tensor<1xi64>) -> )" +
                          type + R"(
    %y = IE.Sub %x, %m : tensor<?x4xf32>, )" +
                          type + " -> tensor<?x4xf32>",
                      "tensor<?x4xf32>");
  };
  EXPECT_TRUE(keepsLargest("-1", "tensor<?x1xf32>"));
  EXPECT_FALSE(keepsLargest("-2", "tensor<1x4xf32>"));
}

TEST(SamplesApart, ProductsWithOneMatrix_AreOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x5x4xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<4x3xf32>
    %y = IE.MatMul(%x, %w)
        : (tensor<?x5x4xf32>, tensor<4x3xf32>) -> tensor<?x5x3xf32>)",
                         "tensor<?x5x3xf32>"));
}

TEST(SamplesApart, ProductsWithAMatrixForEach_AreOfAsMany) {
  EXPECT_FALSE(keepsApart("tensor<?x5x4xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<2x4x3xf32>
    %y = IE.MatMul(%x, %w)
        : (tensor<?x5x4xf32>, tensor<2x4x3xf32>) -> tensor<?x5x3xf32>)",
                          "tensor<?x5x3xf32>"));
}

TEST(SamplesApart, BatchesOfOneName_AreOne) {
  std::string n = " {nacre.dims = [\"n\", \"\"]}";
  EXPECT_TRUE(keepsSumApart(n, n));
  EXPECT_FALSE(keepsSumApart(n, " {nacre.dims = [\"m\", \"\"]}"));
  EXPECT_FALSE(keepsSumApart(n, ""));
  EXPECT_FALSE(keepsSumApart("", ""));
}

TEST(SamplesApart, WithoutABatch_ThereAreNone) {
  EXPECT_FALSE(keepsApart(
      "tensor<2x4xf32>", "%y = IE.Relu %x : tensor<2x4xf32> -> tensor<2x4xf32>",
      "tensor<2x4xf32>"));
  EXPECT_FALSE(keepsApart(
      "tensor<?x?xf32>", "%y = IE.Relu %x : tensor<?x?xf32> -> tensor<?x?xf32>",
      "tensor<?x?xf32>"));
}
