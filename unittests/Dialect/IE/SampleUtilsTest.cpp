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

TEST(SamplesApart, NumberOfThemRepeatedForEach_IsNoFactor) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %one = IE.Constant dense<1> : tensor<1xi64>
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %f = IE.Cast %n to f32 : tensor<1xi64> -> tensor<1xf32>
    %s = IE.Concat %n, %one {axis = 0 : i64}
        : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
    %e = IE.Expand %f, %s : tensor<1xf32>, tensor<2xi64> -> tensor<?x1xf32>
    %y = IE.Mul %x, %e : tensor<?x4xf32>, tensor<?x1xf32> -> tensor<?x4xf32>)",
                          "tensor<?x4xf32>"));
}

TEST(SamplesApart, RunsOfTheNumberOfThem_MixThem) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %shape = IE.Constant dense<> : tensor<0xi64>
    %zero = IE.Constant dense<0> : tensor<i64>
    %one = IE.Constant dense<1> : tensor<i64>
    %end = IE.Reshape %n, %shape : tensor<1xi64>, tensor<0xi64> -> tensor<i64>
    %c = IE.Range %zero, %end, %one
        : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<?xi64>
    %y = IE.Scan(%x, %c) {num_scan_inputs = 1 : i64}
        : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x4xf32> {
    ^bb0(%s: tensor<?x4xf32>, %i: tensor<i64>):
      %d = IE.Add %s, %s : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
      IE.Yield %d : tensor<?x4xf32>
    })",
                          "tensor<?x4xf32>"));
}

TEST(SamplesApart, OneColumnOfEach_IsOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x4xf32>", R"(
    %i = IE.Constant dense<0> : tensor<i64>
    %y = IE.Gather %x, %i {axis = 1 : i64}
        : tensor<?x4xf32>, tensor<i64> -> tensor<?xf32>)",
                         "tensor<?xf32>"));
}

TEST(SamplesApart, OneStepBeforeThem_IsOfEach) {
  EXPECT_TRUE(keepsApart("tensor<5x?x4xf32>", R"(
    %i = IE.Constant dense<0> : tensor<i64>
    %y = IE.Gather %x, %i
        : tensor<5x?x4xf32>, tensor<i64> -> tensor<?x4xf32>)",
                         "tensor<?x4xf32>"));
}

TEST(SamplesApart, ProductWithAVector_IsOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x4xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<4xf32>
    %y = IE.MatMul(%x, %w) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>)",
                         "tensor<?xf32>"));
  EXPECT_TRUE(keepsApart("tensor<?x4x3xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<4xf32>
    %y = IE.MatMul(%w, %x)
        : (tensor<4xf32>, tensor<?x4x3xf32>) -> tensor<?x3xf32>)",
                         "tensor<?x3xf32>"));
}

TEST(SamplesApart, GemmOfTransposed_IsOfEach) {
  EXPECT_TRUE(keepsApart("tensor<4x?xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<3x4xf32>
    %y = IE.Gemm(%x, %w) {transA = 1 : i64, transB = 1 : i64}
        : (tensor<4x?xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>)",
                         "tensor<?x3xf32>"));
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
}

TEST(SamplesApart, BatchesWithoutNames_AreOne) {
  EXPECT_TRUE(keepsSumApart("", ""));
}

TEST(SamplesApart, WithoutABatch_ThereAreNone) {
  EXPECT_FALSE(keepsApart(
      "tensor<2x4xf32>", "%y = IE.Relu %x : tensor<2x4xf32> -> tensor<2x4xf32>",
      "tensor<2x4xf32>"));
  EXPECT_FALSE(keepsApart(
      "tensor<?x?xf32>", "%y = IE.Relu %x : tensor<?x?xf32> -> tensor<?x?xf32>",
      "tensor<?x?xf32>"));
}

//===----------------------------------------------------------------------===//
// Samples in other dimensions than the first
//===----------------------------------------------------------------------===//

TEST(SamplesApart, SamplesBehindSteps_AreFollowed) {
  EXPECT_TRUE(keepsApart("tensor<5x?x4xf32>", R"(
    %w = IE.Constant dense<1.0> : tensor<4x3xf32>
    %p = IE.MatMul(%x, %w)
        : (tensor<5x?x4xf32>, tensor<4x3xf32>) -> tensor<5x?x3xf32>
    %s = IE.Softmax(%p) : (tensor<5x?x3xf32>) -> tensor<5x?x3xf32>
    %y = IE.Transpose %s {perm = array<i64: 1, 0, 2>}
        : tensor<5x?x3xf32> -> tensor<?x5x3xf32>)",
                         "tensor<?x5x3xf32>"));
}

TEST(SamplesApart, SoftmaxAlongSamples_MixesThem) {
  EXPECT_FALSE(keepsApart("tensor<5x?x4xf32>", R"(
    %y = IE.Softmax(%x) {axis = 1 : i64}
        : (tensor<5x?x4xf32>) -> tensor<5x?x4xf32>)",
                          "tensor<5x?x4xf32>"));
  EXPECT_FALSE(keepsApart("tensor<5x?x4xf32>", R"(
    %y = IE.Softmax(%x) {axis = -2 : i64}
        : (tensor<5x?x4xf32>) -> tensor<5x?x4xf32>)",
                          "tensor<5x?x4xf32>"));
}

TEST(SamplesApart, SumOfSamplesInDifferentDimensions_MixesThem) {
  EXPECT_FALSE(keepsApart("tensor<?x1xf32>", R"(
    %t = IE.Transpose %x {perm = array<i64: 1, 0>}
        : tensor<?x1xf32> -> tensor<1x?xf32>
    %y = IE.Add %x, %t : tensor<?x1xf32>, tensor<1x?xf32> -> tensor<?x?xf32>)",
                          "tensor<?x?xf32>"));
}

TEST(SamplesApart, RowsOfAllSamples_AreOfEach) {
  EXPECT_TRUE(keepsApart("tensor<?x5x4xf32>", R"(
    %flat = IE.Constant dense<[-1, 4]> : tensor<2xi64>
    %full = IE.Constant dense<[-1, 5, 3]> : tensor<3xi64>
    %w = IE.Constant dense<1.0> : tensor<4x3xf32>
    %r = IE.Reshape %x, %flat
        : tensor<?x5x4xf32>, tensor<2xi64> -> tensor<?x4xf32>
    %p = IE.Gemm(%r, %w)
        : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %y = IE.Reshape %p, %full
        : tensor<?x3xf32>, tensor<3xi64> -> tensor<?x5x3xf32>)",
                         "tensor<?x5x3xf32>"));
}

TEST(SamplesApart, RowsOfStepsAndSamples_MixThem) {
  EXPECT_FALSE(keepsApart("tensor<5x?x4xf32>", R"(
    %flat = IE.Constant dense<[-1, 4]> : tensor<2xi64>
    %y = IE.Reshape %x, %flat
        : tensor<5x?x4xf32>, tensor<2xi64> -> tensor<?x4xf32>)",
                          "tensor<?x4xf32>"));
}

TEST(SamplesApart, RowsOfDifferentNumbersForEach_DoNotFit) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %flat = IE.Constant dense<[-1, 2]> : tensor<2xi64>
    %two = IE.Constant dense<[0, 1]> : tensor<2xi64>
    %r = IE.Reshape %x, %flat : tensor<?x4xf32>, tensor<2xi64> -> tensor<?x2xf32>
    %g = IE.Gather %x, %two {axis = 1 : i64}
        : tensor<?x4xf32>, tensor<2xi64> -> tensor<?x2xf32>
    %y = IE.Add %r, %g : tensor<?x2xf32>, tensor<?x2xf32> -> tensor<?x2xf32>)",
                          "tensor<?x2xf32>"));
}

TEST(SamplesApart, SliceOfAllOfThem_KeepsThem) {
  auto keepsSliceApart = [](const std::string &start, const std::string &end,
                            const std::string &axis) {
    return keepsApart("tensor<?x4xf32>",
                      "%s = IE.Constant dense<" + start +
                          "> : tensor<1xi64>\n%e = IE.Constant dense<" + end +
                          "> : tensor<1xi64>\n%a = IE.Constant dense<" + axis +
                          R"(> : tensor<1xi64>
    %y = IE.Slice %x, %s, %e axes(%a : tensor<1xi64>)
        : tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x?xf32>)",
                      "tensor<?x?xf32>");
  };
  EXPECT_TRUE(keepsSliceApart("0", "9223372036854775807", "0"));
  EXPECT_TRUE(keepsSliceApart("1", "3", "-1"));
  EXPECT_FALSE(keepsSliceApart("1", "9223372036854775807", "0"));
  EXPECT_FALSE(keepsSliceApart("0", "2", "-2"));
}

TEST(SamplesApart, KnownSizesOfBatches_AreTheSameForAll) {
  EXPECT_TRUE(keepsApart("tensor<?x4xi64>", R"(
    %table = IE.Constant dense<1.0> : tensor<8x3xf32>
    %places = IE.Constant dense<1.0> : tensor<9x3xf32>
    %zero = IE.Constant dense<0> : tensor<1xi64>
    %n = IE.Shape %x {start = 1 : i64} : tensor<?x4xi64> -> tensor<1xi64>
    %e = IE.Gather %table, %x
        : tensor<8x3xf32>, tensor<?x4xi64> -> tensor<?x4x3xf32>
    %p = IE.Slice %places, %zero, %n axes(%zero : tensor<1xi64>)
        : tensor<9x3xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x3xf32>
    %y = IE.Add %e, %p
        : tensor<?x4x3xf32>, tensor<?x3xf32> -> tensor<?x4x3xf32>)",
                         "tensor<?x4x3xf32>"));
}

TEST(SamplesApart, PartAsLargeAsTheBatch_IsOfAll) {
  EXPECT_FALSE(keepsApart("tensor<?x4xf32>", R"(
    %table = IE.Constant dense<1.0> : tensor<9x4xf32>
    %zero = IE.Constant dense<0> : tensor<1xi64>
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %p = IE.Slice %table, %zero, %n axes(%zero : tensor<1xi64>)
        : tensor<9x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x4xf32>
    %y = IE.Add %x, %p : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>)",
                          "tensor<?x4xf32>"));
}

/// The sum of %x and zeros of a shape that begins with %n, the number of
/// samples.
static bool keepsExpandedApart(const std::string &size) {
  return keepsApart("tensor<?x4xf32>", R"(
    %zero = IE.Constant dense<0.0> : tensor<f32>
    %four = IE.Constant dense<4> : tensor<1xi64>
    %n = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %m = )" + size + R"(
    %s = IE.Concat %m, %four {axis = 0 : i64}
        : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
    %z = IE.Expand %zero, %s : tensor<f32>, tensor<2xi64> -> tensor<?x4xf32>
    %y = IE.Add %x, %z : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>)",
                    "tensor<?x4xf32>");
}

TEST(SamplesApart, RepeatedForEach_IsOfEach) {
  EXPECT_TRUE(
      keepsExpandedApart("IE.Identity %n : tensor<1xi64> -> tensor<1xi64>"));
}

TEST(SamplesApart, RepeatedOtherNumberOfTimes_IsOfAll) {
  EXPECT_FALSE(keepsExpandedApart(
      "IE.Mul %n, %n : tensor<1xi64>, tensor<1xi64> -> tensor<1xi64>"));
}

TEST(SamplesApart, MatricesOfEach_AreMultipliedForEach) {
  EXPECT_TRUE(keepsApart("tensor<2x?x5x4xf32>", R"(
    %t = IE.Transpose %x {perm = array<i64: 0, 1, 3, 2>}
        : tensor<2x?x5x4xf32> -> tensor<2x?x4x5xf32>
    %y = IE.MatMul(%x, %t)
        : (tensor<2x?x5x4xf32>, tensor<2x?x4x5xf32>) -> tensor<2x?x5x5xf32>)",
                         "tensor<2x?x5x5xf32>"));
}

TEST(SamplesApart, LargestAlongSamples_MixesThem) {
  auto keepsPositionsApart = [](const std::string &axis,
                                const std::string &result) {
    return keepsApart("tensor<5x?x4xf32>",
                      "%y = IE.ArgMax(%x) {axis = " + axis +
                          " : i64, keepdims = 0 : i64} : (tensor<5x?x4xf32>) "
                          "-> " +
                          result,
                      result);
  };
  EXPECT_TRUE(keepsPositionsApart("0", "tensor<?x4xi64>"));
  EXPECT_TRUE(keepsPositionsApart("-1", "tensor<5x?xi64>"));
  EXPECT_FALSE(keepsPositionsApart("1", "tensor<5x4xi64>"));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// A sum over the steps of %x, from an initial %s on, of which a body makes %n.
static bool keepsScanApart(const std::string &initial,
                           const std::string &body) {
  return keepApart(R"(
  func.func @main(%x: tensor<5x?x4xf32> {nacre.dims = ["", "n", ""]},
                  %i: )" +
                   initial + R"() -> (tensor<?x4xf32>, tensor<?x5x4xf32>) {
    %o = IE.Constant dense<[0]> : tensor<1xi64>
    %y, %all = IE.Scan(%i, %x) {num_scan_inputs = 1 : i64,
                                scan_output_axes = array<i64: 1>}
        : ()" + initial.substr(0, initial.find('>') + 1) +
                   R"(, tensor<5x?x4xf32>)
          -> (tensor<?x4xf32>, tensor<?x5x4xf32>) {
    ^bb0(%s: tensor<?x4xf32>, %e: tensor<?x4xf32>):
      )" + body + R"(
      IE.Yield %n, %n : tensor<?x4xf32>, tensor<?x4xf32>
    }
    return %y, %all : tensor<?x4xf32>, tensor<?x5x4xf32>
  })");
}

static const std::string kStateOfEach =
    "tensor<?x4xf32> {nacre.dims = [\"n\", \"\"]}";
static const std::string kSumOfStep =
    "%n = IE.Add %s, %e : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>";

TEST(SamplesApart, StatesOfEach_AreCarriedForEach) {
  EXPECT_TRUE(keepsScanApart(kStateOfEach, kSumOfStep));
}

TEST(SamplesApart, StateThatMixesThem_IsFound) {
  EXPECT_FALSE(keepsScanApart(kStateOfEach, R"(
      %m = IE.ReduceMax(%s, %o) : (tensor<?x4xf32>, tensor<1xi64>)
          -> tensor<1x4xf32>
      %n = IE.Add %m, %e
          : tensor<1x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>)"));
}

TEST(SamplesApart, StateThatIsTheSameForAllAtFirst_IsNotFollowed) {
  EXPECT_FALSE(keepsScanApart("tensor<1x4xf32>", kSumOfStep));
}

/// Runs of a body for each row of %x, of which it makes %n.
static bool keepsRowsApart(const std::string &states, const std::string &body) {
  bool hasState = !states.empty();
  std::string extra = hasState ? ", tensor<4xf32>" : "";
  return keepsApart(
      "tensor<?x4xf32>",
      "%zero = IE.Constant dense<0.0> : tensor<4xf32>\n" +
          std::string(hasState ? "%last, %y" : "%y") + " = IE.Scan(" + states +
          "%x) {num_scan_inputs = 1 : i64} : (" +
          (hasState ? "tensor<4xf32>, " : "") + "tensor<?x4xf32>) -> (" +
          (hasState ? "tensor<4xf32>, " : "") + "tensor<?x4xf32>) {\n^bb0(" +
          (hasState ? "%s: tensor<4xf32>, " : "") + "%e: tensor<4xf32>):\n" +
          body + "\nIE.Yield " +
          (hasState ? "%n, %n : tensor<4xf32>, tensor<4xf32>"
                    : "%n : tensor<4xf32>") +
          "\n}",
      "tensor<?x4xf32>");
}

TEST(SamplesApart, RunForEach_IsOfEach) {
  EXPECT_TRUE(keepsRowsApart(
      "", "%n = IE.Softmax(%e) : (tensor<4xf32>) -> tensor<4xf32>"));
}

TEST(SamplesApart, StateFromSampleToSample_MixesThem) {
  EXPECT_FALSE(keepsRowsApart(
      "%zero, ",
      "%n = IE.Add %s, %e : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>"));
}

TEST(SamplesApart, RunForEachThatReadsAll_MixesThem) {
  EXPECT_FALSE(keepsRowsApart("", R"(
      %a = IE.Constant dense<[0]> : tensor<1xi64>
      %m = IE.ReduceMax(%x, %a) {keepdims = 0 : i64}
          : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<4xf32>
      %n = IE.Add %e, %m : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>)"));
}

/// A value that a loop carries, of which the body makes %n and a condition %c.
static bool keepsLoopApart(const std::string &body) {
  return keepsApart("tensor<?x4xf32>", R"(
    %trips = IE.Constant dense<3> : tensor<i64>
    %true = IE.Constant dense<true> : tensor<i1>
    %y = IE.Loop(%trips, %true, %x) {operandSegmentSizes = array<i32: 1, 1, 1>}
        : (tensor<i64>, tensor<i1>, tensor<?x4xf32>) -> tensor<?x4xf32> {
    ^bb0(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<?x4xf32>):
      )" + body + R"(
      IE.Yield %c, %n : tensor<i1>, tensor<?x4xf32>
    })",
                    "tensor<?x4xf32>");
}

TEST(SamplesApart, LoopOfKnownLength_CarriesThem) {
  EXPECT_TRUE(keepsLoopApart(R"(
      %n = IE.Add %s, %x : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
      %c = IE.Identity %go : tensor<i1> -> tensor<i1>)"));
}

TEST(SamplesApart, LoopThatSamplesEnd_MixesThem) {
  EXPECT_FALSE(keepsLoopApart(R"(
      %n = IE.Add %s, %x : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
      %a = IE.Constant dense<[0, 1]> : tensor<2xi64>
      %m = IE.ReduceMax(%n, %a) {keepdims = 0 : i64}
          : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<f32>
      %most = IE.Constant dense<9.0> : tensor<f32>
      %c = IE.Less %m, %most : tensor<f32>, tensor<f32> -> tensor<i1>)"));
}

/// One of two bodies.
static bool keepsBranchesApart(const std::string &condition) {
  return keepsApart("tensor<?x4xf32>", condition + R"(
    %y = IE.If %c : (tensor<i1>) -> tensor<?x4xf32> {
      IE.Yield %x : tensor<?x4xf32>
    } else {
      %n = IE.Relu %x : tensor<?x4xf32> -> tensor<?x4xf32>
      IE.Yield %n : tensor<?x4xf32>
    })",
                    "tensor<?x4xf32>");
}

TEST(SamplesApart, BranchOfAConstantCondition_IsOfEach) {
  EXPECT_TRUE(keepsBranchesApart("%c = IE.Constant dense<true> : tensor<i1>"));
}

TEST(SamplesApart, BranchByTheNumberOfSamples_IsOfAll) {
  EXPECT_FALSE(keepsBranchesApart(R"(
    %count = IE.Shape %x {end = 1 : i64} : tensor<?x4xf32> -> tensor<1xi64>
    %one = IE.Constant dense<1> : tensor<1xi64>
    %shape = IE.Constant dense<> : tensor<0xi64>
    %e = IE.Equal %count, %one : tensor<1xi64>, tensor<1xi64> -> tensor<1xi1>
    %c = IE.Reshape %e, %shape : tensor<1xi1>, tensor<0xi64> -> tensor<i1>)"));
}
