//===- MatMulNBits.cpp - Lower products with weights of few bits ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights stay as few bits as they are: only their order changes, to that
// in which the engine reads them.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/ConstantBytes.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nacre;

/// The `i`-th of integers that are packed into bytes, the first in the lowest
/// bits.
static uint8_t getPacked(const IE::ConstantBytes &bytes, int64_t i,
                         int64_t bits) {
  constexpr int64_t kByteBits = 8;
  int64_t perByte = kByteBits / bits;
  return bytes[i / perByte] >> i % perByte * bits & ((1 << bits) - 1);
}

namespace {

/// The zero points of an op.
class ZeroPoints {
public:
  explicit ZeroPoints(IE::MatMulNBitsOp op)
      : bits(op.getBits()), blocks(op.getNumBlocks()) {
    Value value = op.getZeroPoints();
    if (!value) {
      return;
    }
    auto type = cast<RankedTensorType>(value.getType());
    if (op.hasPackedZeroPoints()) {
      bytes.emplace(value);
      // Each row is whole bytes.
      rowLength = type.getDimSize(1) * 8 / bits;
    } else {
      floats.emplace(value);
    }
  }

  /// False where they are computed at run time.
  explicit operator bool() const {
    return (!bytes || *bytes) && (!floats || *floats);
  }
  float get(int64_t column, int64_t block) const {
    if (bytes) {
      return getPacked(*bytes, column * rowLength + block, bits);
    }
    return floats ? static_cast<float>((*floats)[column * blocks + block])
                  : static_cast<float>(1 << (bits - 1));
  }

private:
  std::optional<IE::ConstantBytes> bytes;
  std::optional<ConstantFloats> floats;
  int64_t bits, blocks, rowLength = 0;
};

/// How the weights are cut into panels of columns and blocks of rows. Each
/// block of the model, of one scale and zero point, is one or more parts, which
/// are blocks of the engine.
struct Panels {
  int64_t columns;
  int64_t blocks;
  int64_t parts;
  /// The words of a part.
  int64_t words;
  int64_t width;

  int64_t getCount() const { return llvm::divideCeilSigned(columns, width); }

  /// (NB, rows, n) of what `get(column, row)` is; zero where there are no
  /// columns.
  template <typename T>
  std::vector<T> pack(int64_t rows,
                      llvm::function_ref<T(int64_t, int64_t)> get) const {
    std::vector<T> packed(getCount() * rows * width, T(0));
    for (int64_t column = 0; column < columns; ++column) {
      auto [panel, lane] = std::div(column, width);
      for (int64_t row = 0; row < rows; ++row) {
        packed[(panel * rows + row) * width + lane] = get(column, row);
      }
    }
    return packed;
  }
  /// One number for each column of a block.
  template <typename T>
  Value build(OpBuilder &builder, Location loc,
              llvm::function_ref<T(int64_t, int64_t)> get) const {
    return buildConstant(builder, loc, {getCount(), blocks, width},
                         pack<T>(blocks, get));
  }
};

} // namespace

static constexpr int64_t kWordBits = VPU::NCEMatMulNBitsOp::kWordBits;

/// Panels with blocks in as many parts as the strategy of the op says. The last
/// part of a block for each column is filled with zeroes.
static Panels cutPanels(IE::MatMulNBitsOp op, int64_t width) {
  int64_t parts = VPU::getBlockParts(op);
  return {op.getN(), op.getNumBlocks(), parts,
          llvm::divideCeilSigned(VPU::countBlockWords(op), parts), width};
}

/// The parts of eight bits of an element of a row that the model asks for, or,
/// where it does not say, the level `fallback`.
static int64_t getRowParts(IE::MatMulNBitsOp op, int64_t fallback) {
  auto level = static_cast<int64_t>(op.getAccuracyLevel());
  switch (level == 0 ? fallback : level) {
  case IE::MatMulNBitsOp::kOfF16:
  case IE::MatMulNBitsOp::kOfBF16:
    return VPU::NCEMatMulNBitsOp::kRowPartsOf16Bits;
  case IE::MatMulNBitsOp::kOfBytes:
    return 1;
  default:
    return VPU::NCEMatMulNBitsOp::kMostRowParts;
  }
}

namespace {

struct MatMulNBitsToVPU final : VPUPattern<IE::MatMulNBitsOp> {
  MatMulNBitsToVPU(VPU::ArchAttr arch, int64_t accuracyLevel,
                   MLIRContext *context)
      : VPUPattern(arch, context), accuracyLevel(accuracyLevel) {}

  LogicalResult matchAndRewrite(IE::MatMulNBitsOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    if (arch.hasFixedFunctionNCE() || !type.getElementType().isF32() ||
        type.getShape().back() != static_cast<int64_t>(op.getK())) {
      return rewriter.notifyMatchFailure(
          op,
          "needs rows of f32 of known length, and an engine for such weights");
    }
    IE::ConstantBytes weights(op.getWeights());
    ConstantFloats scales(op.getScales());
    if (!weights || !scales) {
      return rewriter.notifyMatchFailure(op, "needs constant weights");
    }
    int64_t bits = op.getBits();
    if (op.getBlockSize() * bits % kWordBits != 0) {
      return rewriter.notifyMatchFailure(op, "needs blocks of whole words");
    }
    Location loc = op.getLoc();
    Panels panels = cutPanels(op, arch.getLanes());
    FailureOr<Value> zeroPoint = buildZeroPoint(op, rewriter, panels);
    if (failed(zeroPoint)) {
      return rewriter.notifyMatchFailure(op, "needs constant zero points");
    }
    Value packed = buildWeights(op, rewriter, panels, weights);
    Value scale =
        panels.build<float>(rewriter, loc, [&](int64_t column, int64_t block) {
          return static_cast<float>(scales[column * panels.blocks + block]);
        });
    // A bias that is not constant is added like any other value.
    ConstantFloats bias(op.getBias() ? op.getBias() : op.getScales());
    Value columnBias =
        op.getBias() && bias
            ? buildPackedBias(rewriter, loc, bias.getAll<float>(),
                              {panels.width})
            : Value();
    MixedSizes sizes = getMixedSizes(rewriter, loc, op.getInput());
    Value rows = buildMatrices(rewriter, loc, op.getInput());
    int64_t depth =
        panels.blocks * panels.parts * panels.words * kWordBits / bits;
    if (depth != type.getShape().back()) {
      // The last block has more weights than there are rows of them.
      Value zero = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getF32FloatAttr(0.0f));
      rows = buildEnlarged(rewriter, loc, rows, /*dim=*/2, depth, zero);
    }
    sizes.back() = rewriter.getIndexAttr(panels.columns);
    MixedSizes matrix = getMixedSizes(rewriter, loc, rows);
    matrix.back() = sizes.back();
    Value init =
        tensor::EmptyOp::create(rewriter, loc, matrix, rewriter.getF32Type());
    Value result =
        VPU::NCEMatMulNBitsOp::create(
            rewriter, loc, init.getType(), rows, packed, scale, *zeroPoint,
            columnBias,
            /*residual=*/Value(), /*scratch=*/Value(), init,
            rewriter.getI64IntegerAttr(bits),
            rewriter.getI64IntegerAttr(getRowParts(op, accuracyLevel)))
            ->getResult(0);
    result =
        buildFromMatrices(rewriter, loc, result, sizes,
                          cast<RankedTensorType>(op.getOutput().getType()));
    if (op.getBias() && !columnBias) {
      result = IE::AddOp::create(rewriter, loc, result.getType(), result,
                                 op.getBias());
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value buildWeights(IE::MatMulNBitsOp op, OpBuilder &builder,
                            const Panels &panels,
                            const IE::ConstantBytes &weights) {
    constexpr int64_t kWordBytes = 4;
    int64_t stored =
        panels.blocks * op.getBlockSize() * op.getBits() / kWordBits;
    int64_t blocks = panels.blocks * panels.parts;
    return buildConstant(
        builder, op.getLoc(),
        {panels.getCount(), blocks, panels.words, panels.width},
        panels.pack<int32_t>(
            blocks * panels.words, [&](int64_t column, int64_t word) {
              return word < stored ? static_cast<int32_t>(weights.getWord(
                                         (column * stored + word) * kWordBytes))
                                   : 0;
            }));
  }

  /// Null where there is none; nothing where it is computed at run time.
  static FailureOr<Value> buildZeroPoint(IE::MatMulNBitsOp op,
                                         OpBuilder &builder,
                                         const Panels &panels) {
    if (!op.getZeroPoints()) {
      return Value();
    }
    ZeroPoints zeroPoints(op);
    if (!zeroPoints) {
      return failure();
    }
    auto get = [&](int64_t column, int64_t block) {
      return zeroPoints.get(column, block);
    };
    if (!op.hasPackedZeroPoints()) {
      return panels.build<float>(builder, op.getLoc(), get);
    }
    return panels.build<int8_t>(
        builder, op.getLoc(), [&](int64_t column, int64_t block) {
          return static_cast<int8_t>(static_cast<uint8_t>(get(column, block)));
        });
  }

  int64_t accuracyLevel;
};

/// The engine of an NPU multiplies by floats.
struct UnfoldMatMulNBits final : VPUPattern<IE::MatMulNBitsOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulNBitsOp op,
                                PatternRewriter &rewriter) const override {
    IE::ConstantBytes weights(op.getWeights());
    ConstantFloats scales(op.getScales());
    ZeroPoints zeroPoints(op);
    auto type = cast<RankedTensorType>(op.getInput().getType());
    if (!arch.hasFixedFunctionNCE() || !type.getElementType().isF32() ||
        !weights || !scales || !zeroPoints) {
      return rewriter.notifyMatchFailure(
          op, "needs constants, and an engine without such weights");
    }
    int64_t rows = op.getK(), columns = op.getN(), bits = op.getBits();
    int64_t size = op.getBlockSize(), blocks = op.getNumBlocks();
    std::vector<float> floats(rows * columns);
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t row = 0; row < rows; ++row) {
        int64_t block = row / size;
        auto integer = static_cast<float>(
            getPacked(weights, column * blocks * size + row, bits));
        floats[row * columns + column] =
            (integer - zeroPoints.get(column, block)) *
            static_cast<float>(scales[column * blocks + block]);
      }
    }
    Location loc = op.getLoc();
    Value matrix =
        buildConstant(rewriter, loc, {rows, columns}, std::move(floats));
    Value result = IE::MatMulOp::create(rewriter, loc, op.getType(),
                                        op.getInput(), matrix);
    if (op.getBias()) {
      result =
          IE::AddOp::create(rewriter, loc, op.getType(), result, op.getBias());
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void nacre::populateMatMulNBitsToVPUPatterns(VPU::ArchAttr arch,
                                             int64_t accuracyLevel,
                                             RewritePatternSet &patterns) {
  patterns.add<MatMulNBitsToVPU>(arch, accuracyLevel, patterns.getContext());
  patterns.add<UnfoldMatMulNBits>(arch, patterns.getContext());
}
