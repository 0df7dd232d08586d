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
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The unsigned bytes of a constant, which are read where they are.
class ConstantBytes {
public:
  explicit ConstantBytes(Value value) {
    ElementsAttr attr = value ? IE::getConstantElements(value) : ElementsAttr();
    if (!attr || !attr.getElementType().isUnsignedInteger(8)) {
      return;
    }
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
      bytes = resource.getData();
      valid = true;
    } else if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
      for (const APInt &element : dense.getValues<APInt>()) {
        storage.push_back(static_cast<char>(element.getZExtValue()));
      }
      bytes = storage;
      valid = true;
    }
  }
  explicit operator bool() const { return valid; }
  uint8_t operator[](size_t i) const { return static_cast<uint8_t>(bytes[i]); }
  /// A word that starts at byte `i`, whose first byte is its lowest.
  int32_t getWord(size_t i) const {
    return static_cast<int32_t>(llvm::support::endian::read32le(&bytes[i]));
  }

private:
  bool valid = false;
  ArrayRef<char> bytes;
  SmallVector<char, 0> storage;
};

/// How the weights are cut into panels of columns and blocks of rows.
struct Panels {
  int64_t columns;
  int64_t blocks;
  int64_t width;

  int64_t getCount() const { return llvm::divideCeilSigned(columns, width); }

  /// (NB, blocks, depth, n) of what `get(column, block, i)` is at the i-th
  /// position of a block; zero where there are no columns.
  template <typename T>
  std::vector<T>
  pack(int64_t depth,
       llvm::function_ref<T(int64_t, int64_t, int64_t)> get) const {
    std::vector<T> packed(getCount() * blocks * depth * width, T(0));
    for (int64_t column = 0; column < columns; ++column) {
      auto [panel, lane] = std::div(column, width);
      for (int64_t i = 0; i < blocks * depth; ++i) {
        packed[(panel * blocks * depth + i) * width + lane] =
            get(column, i / depth, i % depth);
      }
    }
    return packed;
  }
  /// One number for each column of a block.
  template <typename T>
  Value build(OpBuilder &builder, Location loc,
              llvm::function_ref<T(int64_t, int64_t)> get) const {
    std::vector<T> packed =
        pack<T>(1, [&](int64_t column, int64_t block, int64_t) {
          return get(column, block);
        });
    return buildConstant(builder, loc, {getCount(), blocks, width},
                         std::move(packed));
  }
};

struct MatMulNBitsToVPU final : VPUPattern<IE::MatMulNBitsOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulNBitsOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    if (arch.isNPU() || !type.getElementType().isF32() ||
        type.getShape().back() != static_cast<int64_t>(op.getK())) {
      return rewriter.notifyMatchFailure(
          op, "needs rows of f32 of known length, and a CPU");
    }
    ConstantBytes weights(op.getWeights());
    ConstantFloats scales(op.getScales());
    if (!weights || !scales) {
      return rewriter.notifyMatchFailure(op, "needs constant weights");
    }
    int64_t bits = op.getBits(), size = op.getBlockSize();
    constexpr int64_t kWordBits = VPU::NCEMatMulNBitsOp::kWordBits;
    if (size * bits % kWordBits != 0) {
      return rewriter.notifyMatchFailure(op, "needs blocks of whole words");
    }
    Location loc = op.getLoc();
    Panels panels{op.getN(), op.getNumBlocks(), arch.getLanes()};
    FailureOr<Value> zeroPoint = buildZeroPoint(op, rewriter, panels);
    if (failed(zeroPoint)) {
      return rewriter.notifyMatchFailure(op, "needs constant zero points");
    }
    int64_t words = size * bits / kWordBits;
    Value packed = buildConstant(
        rewriter, loc, {panels.getCount(), panels.blocks, words, panels.width},
        panels.pack<int32_t>(words, [&](int64_t column, int64_t block,
                                        int64_t word) {
          constexpr int64_t kWordBytes = 4;
          return weights.getWord(
              ((column * panels.blocks + block) * words + word) * kWordBytes);
        }));
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
    Value rows = buildRows(rewriter, loc, op.getInput(), sizes);
    if (panels.blocks * size != type.getShape().back()) {
      // The last block has more weights than there are rows of them.
      Value zero = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getF32FloatAttr(0.0f));
      rows = buildEnlarged(rewriter, loc, rows, /*dim=*/2, panels.blocks * size,
                           zero);
    }
    sizes.back() = rewriter.getIndexAttr(panels.columns);
    MixedSizes matrix = getMixedSizes(rewriter, loc, rows);
    matrix.back() = sizes.back();
    Value init =
        tensor::EmptyOp::create(rewriter, loc, matrix, rewriter.getF32Type());
    Value result =
        VPU::NCEMatMulNBitsOp::create(rewriter, loc, init.getType(), rows,
                                      packed, scale, *zeroPoint, columnBias,
                                      /*residual=*/Value(), /*scratch=*/Value(),
                                      init, rewriter.getI64IntegerAttr(bits))
            ->getResult(0);
    result = buildFromRows(rewriter, loc, result, sizes,
                           cast<RankedTensorType>(op.getOutput().getType()));
    if (op.getBias() && !columnBias) {
      result = IE::AddOp::create(rewriter, loc, result.getType(), result,
                                 op.getBias());
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// Null where there is none; nothing where a run computes it.
  static FailureOr<Value> buildZeroPoint(IE::MatMulNBitsOp op,
                                         OpBuilder &builder,
                                         const Panels &panels) {
    Location loc = op.getLoc();
    Value zeroPoints = op.getZeroPoints();
    if (!zeroPoints) {
      return Value();
    }
    if (!op.hasPackedZeroPoints()) {
      ConstantFloats floats(zeroPoints);
      if (!floats) {
        return failure();
      }
      return panels.build<float>(
          builder, loc, [&](int64_t column, int64_t block) {
            return static_cast<float>(floats[column * panels.blocks + block]);
          });
    }
    ConstantBytes bytes(zeroPoints);
    if (!bytes) {
      return failure();
    }
    constexpr int64_t kByteBits = 8;
    int64_t bits = op.getBits(), perByte = kByteBits / bits;
    int64_t rowBytes =
        cast<RankedTensorType>(zeroPoints.getType()).getDimSize(1);
    return panels.build<int8_t>(
        builder, loc, [&](int64_t column, int64_t block) {
          uint8_t byte = bytes[column * rowBytes + block / perByte];
          return static_cast<int8_t>(byte >> block % perByte * bits &
                                     ((1 << bits) - 1));
        });
  }
};

} // namespace

void nacre::populateMatMulNBitsToVPUPatterns(VPU::ArchAttr arch,
                                             RewritePatternSet &patterns) {
  patterns.add<MatMulNBitsToVPU>(arch, patterns.getContext());
}
