//===- StrategyFieldsTest.cpp - Tests of which fields mean something ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of ops, of what is decided, and of all fields that a strategy has:
// those that a row names are accepted, all others are refused.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Dialect/VPU/Transforms/StrategyFields.h"

#include "nacre/InitAllDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nacre::VPU;

namespace {

/// A strategy with a field, and with those others that it cannot be without.
struct Field {
  llvm::StringRef name, strategy, needs;
};

constexpr Field kFields[] = {
    {"algorithm", "algorithm = direct", ""},
    {"winogradTile", "algorithm = winograd, winogradTile = 2", "algorithm"},
    {"blockParts", "blockParts = 2", ""},
    {"multiCluster", "multiCluster = SplitOverHeight, parts = [2, 1]", "parts"},
    {"parts", "parts = [1, 1]", ""},
    {"grain", "multiCluster = SplitOverHeight, parts = [?, 1], grain = 5",
     "multiCluster parts"},
    {"rest", "multiCluster = SplitOverKernel, parts = [1, 2], rest = 8",
     "multiCluster parts"},
    {"tiles", "tiles = [1, 2]", ""},
    {"fused", "fused = [unblocking]", ""},
    {"wideningBlocks", "wideningBlocks = 1", ""},
    {"padInPlace", "padInPlace = true", ""},
    {"group", "group = 1", ""},
    {"block", "group = 1, block = [4, 0]", "group"},
    {"pointCost", "group = 1, pointCost = 3", "group"},
    {"fewSteps",
     "multiCluster = SplitOverHeight, parts = [?, ?], grain = 5, fewSteps = 4",
     "multiCluster parts grain"},
    {"shareRest",
     "multiCluster = SplitOverHeight, parts = [?], grain = 5, shareRest = true",
     "multiCluster parts grain"},
    {"merge", "merge = 1", ""},
    {"limits", "tiles = [1, ?], limits = <bytes = 65536, leastPixels = 6>",
     "tiles"},
    {"limits",
     "group = 1, block = [?], limits = <bytes = 65536, leastSteps = [1], "
     "mostBytes = [0]>",
     "group block"},
    {"chunk", "chunk = [2]", ""},
    {"prefetchInput", "prefetchInput = true", ""},
    {"kernel", "kernel = <>", ""},
    {"registers", "kernel = <registers = [<columns = 6>]>", ""},
    {"prefetchWeights", "kernel = <prefetchWeights = true>", ""},
    {"prefetchBytes", "kernel = <prefetchBytes = 64>", ""},
    {"prefetchPixels", "kernel = <prefetchPixels = true>", ""},
    {"stagedColumns", "kernel = <stagedColumns = <inputs = 1>>", ""},
    {"skipBorder", "kernel = <skipBorder = [rows]>", ""},
    {"rollWindow", "kernel = <rollWindow = true>", ""},
    {"matrixTiles", "kernel = <matrixTiles = <pixelsFirst = true>>", ""},
    {"lowBitTile",
     "kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 4, "
     "panels = 4, pieces = 8>>",
     ""},
    {"loops", "kernel = <loops = <>>", ""},
    {"innermost", "kernel = <loops = <innermost = 1>>", ""},
    {"unrolled", "kernel = <loops = <innermost = 1, unrolled = 0>>",
     "innermost"},
    {"blockEdge", "kernel = <loops = <blockEdge = 16>>", ""},
    {"byteProduct",
     "kernel = <loops = <byteProduct = <perLane = 4, rows = 8, columns = 64>>>",
     ""},
    {"joinStored", "kernel = <loops = <joinStored = true>>", ""},
};

/// An op with a strategy `$`, what is decided, and the fields that it may have.
struct Place {
  llvm::StringRef name;
  Decision decided;
  llvm::StringRef op, fields;
};

constexpr llvm::StringRef kTopK =
    "%0:2 = IE.TopK(%line, %k) {$} : (tensor<2x1000xf32>, tensor<1xi64>) -> "
    "(tensor<2x20xf32>, tensor<2x20xi64>)";
constexpr llvm::StringRef kRelu =
    "%0 = IE.Relu %line {$} : tensor<2x1000xf32> -> tensor<2x1000xf32>";
constexpr llvm::StringRef kLowBits =
    "%0 = IE.MatMulNBits(%rows, %words, %scales) {K = 512 : i64, bits = 4 : "
    "i64, block_size = 128 : i64, $} : (tensor<3x512xf32>, "
    "tensor<10x4x64xui8>, tensor<10x4xf32>) -> tensor<3x10xf32>";
constexpr llvm::StringRef kConvolution =
    "%0 = VPU.NCE.Convolution ins(%image, %w : tensor<1x4x56x56x16xf32>, "
    "tensor<4x4x1x1x16x16xf32>) outs(%image : tensor<1x4x56x56x16xf32>) {$} -> "
    "tensor<1x4x56x56x16xf32>";
constexpr llvm::StringRef kProduct =
    "%0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, "
    "tensor<1x4x64x16xf32>) outs(%a : tensor<1x8x64xf32>) {$} -> "
    "tensor<1x8x64xf32>";
constexpr llvm::StringRef kConvolutionOnBuffers =
    "VPU.NCE.Convolution ins(%imageBuffer, %wBuffer : "
    "memref<1x4x56x56x16xf32>, memref<4x4x1x1x16x16xf32>) outs(%imageBuffer : "
    "memref<1x4x56x56x16xf32>) {$}";
constexpr llvm::StringRef kCopy =
    "%0 = VPU.Copy ins(%image : tensor<1x4x56x56x16xf32>) outs(%padded : "
    "tensor<1x4x58x58x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = "
    "#VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, $} -> "
    "tensor<1x4x58x58x16xf32>";
constexpr llvm::StringRef kShuffle =
    "%0 = VPU.ShuffleChannels ins(%few : tensor<1x1x4x4x4xf32>) outs(%few : "
    "tensor<1x1x4x4x4xf32>) {channels = array<i64: 1, 0, 3, 2>, $} -> "
    "tensor<1x1x4x4x4xf32>";
constexpr llvm::StringRef kElementwise =
    "%0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
    "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
    "\"parallel\"]} ins(%line : tensor<2x1000xf32>) outs(%line : "
    "tensor<2x1000xf32>) attrs = {$} {\n^bb0(%in: f32, %out: f32):\n %y = "
    "math.exp %in : f32\n linalg.yield %y : f32\n} -> tensor<2x1000xf32>";
constexpr llvm::StringRef kReduction =
    "%zero = arith.constant 0.0 : f32\n%fill = linalg.fill ins(%zero : f32) "
    "outs(%sums : tensor<2xf32>) -> tensor<2xf32>\n%0 = linalg.generic "
    "{indexing_maps = [affine_map<(i, j) -> (i, j)>, "
    "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", "
    "\"reduction\"]} ins(%line : tensor<2x1000xf32>) outs(%fill : "
    "tensor<2xf32>) attrs = {$} {\n^bb0(%in: f32, %out: f32):\n %y = "
    "arith.addf %in, %out : f32\n linalg.yield %y : f32\n} -> tensor<2xf32>";
constexpr llvm::StringRef kReductionOnBuffers =
    "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
    "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", "
    "\"reduction\"]} ins(%lineBuffer : memref<2x1000xf32>) outs(%sumsBuffer : "
    "memref<2xf32>) attrs = {$} {\n^bb0(%in: f32, %out: f32):\n %y = "
    "arith.addf %in, %out : f32\n linalg.yield %y : f32\n}";
constexpr llvm::StringRef kReshape =
    "%0 = tensor.expand_shape %line [[0], [1, 2]] output_shape [2, 10, 100] "
    "{$} : tensor<2x1000xf32> into tensor<2x10x100xf32>";
constexpr llvm::StringRef kCast =
    "%0 = tensor.cast %line {$} : tensor<2x1000xf32> to tensor<?x1000xf32>";
constexpr llvm::StringRef kSlice =
    "%0 = tensor.extract_slice %line[0, 0] [1, 1000] [1, 1] {$} : "
    "tensor<2x1000xf32> to tensor<1x1000xf32>";
constexpr llvm::StringRef kLoop =
    "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
    "%0 = scf.for %i = %zero to %one step %one iter_args(%s = %line) -> "
    "tensor<2x1000xf32> {\n scf.yield %s : tensor<2x1000xf32>\n} {$}";
constexpr llvm::StringRef kCall = "func.call @g() {$} : () -> ()";

constexpr llvm::StringRef kEngineLoops =
    "multiCluster parts grain rest tiles fused wideningBlocks limits fewSteps";
constexpr llvm::StringRef kEngineKernel =
    "kernel registers prefetchWeights prefetchBytes prefetchPixels "
    "stagedColumns skipBorder rollWindow matrixTiles lowBitTile";
constexpr llvm::StringRef kGroup =
    "group pointCost block fewSteps limits multiCluster parts grain";
constexpr llvm::StringRef kParts = "multiCluster parts grain";

const Place kPlaces[] = {
    {"TopK", Decision::operators, kTopK, "algorithm"},
    {"Relu", Decision::operators, kRelu, ""},
    {"MatMulNBits", Decision::operators, kLowBits, "blockParts"},
    {"Convolution", Decision::algorithms, kConvolution,
     "algorithm winogradTile multiCluster parts grain rest tiles fused "
     "wideningBlocks limits fewSteps"},
    {"Convolution", Decision::loops, kConvolution, kEngineLoops},
    {"Convolution", Decision::software, kConvolution, kEngineLoops},
    {"Convolution", Decision::registers, kConvolution, ""},
    {"ConvolutionOnBuffers", Decision::buffers, kConvolutionOnBuffers,
     "chunk prefetchInput kernel registers prefetchWeights prefetchBytes "
     "prefetchPixels stagedColumns skipBorder rollWindow matrixTiles "
     "lowBitTile"},
    {"ConvolutionOnBuffers", Decision::joins, kConvolutionOnBuffers,
     kEngineKernel},
    {"ConvolutionOnBuffers", Decision::registers, kConvolutionOnBuffers,
     kEngineKernel},
    {"Product", Decision::groups, kProduct,
     "group pointCost block fewSteps multiCluster parts grain rest tiles fused "
     "wideningBlocks limits"},
    {"Product", Decision::loops, kProduct, kEngineLoops},
    {"Copy", Decision::groups, kCopy, "padInPlace"},
    {"Copy", Decision::loops, kCopy, "padInPlace"},
    {"Copy", Decision::software, kCopy, kParts},
    {"Shuffle", Decision::loops, kShuffle, kParts},
    {"Shuffle", Decision::software, kShuffle, kParts},
    {"Elementwise", Decision::groups, kElementwise, kGroup},
    {"Elementwise", Decision::software, kElementwise, kParts},
    {"Reduction", Decision::groups, kReduction,
     "merge group pointCost block fewSteps limits multiCluster parts grain"},
    {"Reduction", Decision::loops, kReduction, kParts},
    {"ReductionOnBuffers", Decision::buffers, kReductionOnBuffers, kParts},
    {"ReductionOnBuffers", Decision::joins, kReductionOnBuffers, "joinStored"},
    {"ReductionOnBuffers", Decision::registers, kReductionOnBuffers,
     "kernel loops innermost unrolled blockEdge byteProduct"},
    {"Reshape", Decision::concurrency, kReshape, "group pointCost"},
    {"Reshape", Decision::groups, kReshape, "group pointCost"},
    {"Reshape", Decision::loops, kReshape, ""},
    {"Cast", Decision::groups, kCast, "group pointCost"},
    {"Slice", Decision::groups, kSlice, ""},
    {"Slice", Decision::buffers, kSlice, ""},
    {"Loop", Decision::concurrency, kLoop,
     "group shareRest multiCluster parts grain"},
    {"Loop", Decision::software, kLoop, "group multiCluster parts grain"},
    {"Loop", Decision::registers, kLoop, ""},
    {"Call", Decision::loops, kCall, ""},
};

class StrategyFields : public ::testing::TestWithParam<Place> {
protected:
  StrategyFields() {
    DialectRegistry registry;
    nacre::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// What verifyFields says of the op with this attribute; nothing if it is
  /// content.
  std::string check(llvm::StringRef attribute) {
    std::string op = GetParam().op.str();
    op.replace(op.find('$'), 1, attribute);
    std::string text =
        "func.func private @g()\n"
        "func.func @f(%line: tensor<2x1000xf32>, %k: tensor<1xi64>, %rows: "
        "tensor<3x512xf32>, %words: tensor<10x4x64xui8>, %scales: "
        "tensor<10x4xf32>, %image: tensor<1x4x56x56x16xf32>, %w: "
        "tensor<4x4x1x1x16x16xf32>, %a: tensor<1x8x64xf32>, %b: "
        "tensor<1x4x64x16xf32>, %imageBuffer: memref<1x4x56x56x16xf32>, "
        "%wBuffer: memref<4x4x1x1x16x16xf32>, %padded: "
        "tensor<1x4x58x58x16xf32>, %few: tensor<1x1x4x4x4xf32>, %sums: "
        "tensor<2xf32>, %lineBuffer: memref<2x1000xf32>, %sumsBuffer: "
        "memref<2xf32>) {\n" +
        op + "\nreturn\n}";
    std::string found;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      found += diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << found << "\n" << text;
    if (!module) {
      return found;
    }
    bool fails = false;
    module->walk([&](Operation *inner) {
      fails |= failed(verifyFields(inner, GetParam().decided));
    });
    EXPECT_EQ(fails, !found.empty());
    return found;
  }

  MLIRContext context;
};

TEST_P(StrategyFields, ThatMeanSomethingAreAcceptedAndAllOthersRefused) {
  llvm::SmallVector<llvm::StringRef> known;
  GetParam().fields.split(known, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (const Field &field : kFields) {
    llvm::SmallVector<llvm::StringRef> names;
    field.needs.split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    names.push_back(field.name);
    bool isKnown = llvm::all_of(names, [&](llvm::StringRef name) {
      return llvm::is_contained(known, name);
    });
    std::string error =
        check(("VPU.strategy = #VPU.strategy<" + field.strategy + ">").str());
    if (isKnown) {
      EXPECT_EQ(error, "") << field.strategy.str();
      continue;
    }
    bool isNamed = llvm::any_of(names, [&](llvm::StringRef name) {
      return !llvm::is_contained(known, name) &&
             llvm::StringRef(error).contains(
                 ("expected no " + name + " with decide=").str());
    });
    EXPECT_TRUE(isNamed) << field.strategy.str() << ": " << error;
    EXPECT_TRUE(llvm::StringRef(error).contains("; leave it out")) << error;
  }
}

TEST_P(StrategyFields, OfAStrategyThatDecidesNothingAreNone) {
  EXPECT_EQ(check("VPU.strategy = #VPU.strategy<>"), "");
}

TEST_P(StrategyFields, OfAnotherAttributeAreRefused) {
  EXPECT_TRUE(llvm::StringRef(check("VPU.strategy = 5 : i64"))
                  .contains("expected VPU.strategy to be a #VPU.strategy<…>, "
                            "found 5"));
}

INSTANTIATE_TEST_SUITE_P(OfEachOp, StrategyFields, ::testing::ValuesIn(kPlaces),
                         [](const ::testing::TestParamInfo<Place> &info) {
                           return (info.param.name + "At" +
                                   stringifyDecision(info.param.decided))
                               .str();
                         });

} // namespace
