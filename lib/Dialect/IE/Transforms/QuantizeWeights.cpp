//===- QuantizeWeights.cpp - The ie-quantize-weights pass -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices get weights of few bits, which ie-fuse-quantization has
// them read as they are. What is multiplied stays floats, so that no data are
// needed.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/QuantizeWeights.h"
#include "BuildConstant.h"
#include "KeepingPass.h"
#include "RoundWeights.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZEWEIGHTS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;
using interpreter::Tensor;

static constexpr unsigned kByteBits = 8;

std::string IE::findWeightObstacle(Operation *product, const KeepRules &rules) {
  std::string rule = rules.find(product);
  if (!rule.empty()) {
    return rule;
  }
  auto quantizable = cast<QuantizableOpInterface>(product);
  std::optional<LinearOperands> operands = quantizable.getLinearOperands();
  std::string obstacle = findFormObstacle(operands, "with weights of few bits");
  if (!obstacle.empty()) {
    return obstacle;
  }
  auto type = cast<RankedTensorType>(operands->weights->get().getType());
  return type.getRank() == 2 ? "" : "only matrices are read in few bits";
}

/// Rounds weights for what samples have shown of the input, if that is known.
static void roundWeights(IE::LowBitWeights &weights, ArrayRef<float> floats,
                         const IE::ValueKeys &keys,
                         const IE::WeightOptions &options) {
  const BlockLayout &layout = weights.layout;
  auto scaleOf = [&](size_t i) {
    auto number = static_cast<int64_t>(i);
    return weights.weights.scales[layout.getScaleIndex(
        number / layout.shape[1], number % layout.shape[1])];
  };
  int largest = (1 << (options.bits - 1)) - 1;
  int least = options.bits == kByteBits ? -largest : -largest - 1;
  auto rounded =
      IE::roundForInputs(weights.operands, {floats, scaleOf, least, largest},
                         keys, *options.ranges);
  if (rounded) {
    weights.weights.integers = std::move(rounded->integers);
    weights.roundingDecibels = rounded->decibels;
  }
}

IE::LowBitWeights IE::computeLowBitWeights(Operation *product,
                                           const ValueKeys &keys,
                                           const WeightOptions &options) {
  LowBitWeights result;
  result.operands = *cast<QuantizableOpInterface>(product).getLinearOperands();
  Value matrix = result.operands.weights->get();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(matrix.getType()).getShape();
  int64_t depth = shape[result.operands.inputAxis];
  bool isWhole = options.blockSize == 0 || options.blockSize >= depth;
  result.layout = {{shape[0], shape[1]},
                   result.operands.inputAxis,
                   isWhole ? depth : options.blockSize};
  std::vector<float> floats = ConstantFloats(matrix).getAll<float>();
  result.weights = quantizeBlocks(floats, result.layout, options.bits);
  if (options.ranges) {
    roundWeights(result, floats, keys, options);
  }
  return result;
}

int64_t IE::LowBitWeights::countBytes(unsigned bits) const {
  auto integers = static_cast<int64_t>(weights.integers.size());
  auto scales = static_cast<int64_t>(weights.scales.size());
  return integers * bits / kByteBits + scales * 4;
}

/// The integers of `bits` in a constant, and as bytes, as which they are
/// dequantized.
static Value buildIntegers(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, ArrayRef<int8_t> integers,
                           unsigned bits) {
  if (bits == kByteBits) {
    return IE::buildConstant<int8_t>(builder, loc, shape, builder.getI8Type(),
                                     integers);
  }
  // Each is held in a byte, with zeros above.
  Tensor tensor(RankedTensorType::get(shape, builder.getIntegerType(bits)));
  auto mask = static_cast<uint8_t>((1U << bits) - 1);
  for (auto [to, integer] :
       llvm::zip_equal(tensor.getMutableBytes(), integers)) {
    to = static_cast<char>(static_cast<uint8_t>(integer) & mask);
  }
  Value packed = IE::ConstantOp::create(builder, loc, tensor.toAttr());
  return IE::castTo(builder, loc, packed, builder.getI8Type());
}

/// A product of rows and packed blocks, two integers in a byte, which are as
/// many above 8 as weights are above 0.
static void multiplyBlocks(Operation *product, const IE::LowBitWeights &weights,
                           int64_t blockSize) {
  constexpr int64_t kPerByte = 2;
  constexpr uint8_t kZero = 8, kHalf = 4;
  const BlockLayout &layout = weights.layout;
  bool isTransposed = layout.axis == 1;
  int64_t depth = layout.shape[layout.axis];
  int64_t columns = layout.shape[1 - layout.axis];
  int64_t blocks = llvm::divideCeil(depth, blockSize);
  std::vector<uint8_t> packed(columns * blocks * blockSize / kPerByte,
                              kZero << kHalf | kZero);
  std::vector<float> scales;
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t i = 0; i < depth; ++i) {
      int64_t from = isTransposed ? column * depth + i : i * columns + column;
      auto integer =
          static_cast<uint8_t>(weights.weights.integers[from] + kZero);
      int64_t to = column * blocks * blockSize + i;
      unsigned shift = to % kPerByte == 0 ? 0 : kHalf;
      uint8_t &byte = packed[to / kPerByte];
      byte = static_cast<uint8_t>((byte & ~(0xFU << shift)) |
                                  static_cast<unsigned>(integer) << shift);
    }
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t i = block * blockSize;
      scales.push_back(weights.weights.scales[layout.getScaleIndex(
          isTransposed ? column : i, isTransposed ? i : column)]);
    }
  }
  OpBuilder builder(product);
  Location loc = product->getLoc();
  Value bytes = IE::buildConstant<uint8_t>(
      builder, loc, {columns, blocks, blockSize / kPerByte},
      builder.getIntegerType(kByteBits, /*isSigned=*/false), packed);
  Value steps = IE::buildConstant<float>(builder, loc, {columns, blocks},
                                         builder.getF32Type(), scales);
  Type type = product->getResult(0).getType();
  Value result = IE::MatMulNBitsOp::create(
      builder, loc, type, weights.operands.input->get(), bytes, steps,
      /*zero_points=*/Value(), /*bias=*/Value(),
      builder.getI64IntegerAttr(depth), builder.getI64IntegerAttr(kHalf),
      builder.getI64IntegerAttr(blockSize),
      /*accuracy_level=*/builder.getI64IntegerAttr(0));
  if (weights.operands.bias) {
    result =
        IE::AddOp::create(builder, loc, result, weights.operands.bias->get());
  }
  product->getResult(0).replaceAllUsesWith(
      IE::refineTo(builder, loc, result, type));
  product->erase();
}

/// Has the product read the integers, dequantized.
static void dequantize(Operation *product, const IE::LowBitWeights &weights,
                       unsigned bits) {
  const BlockLayout &layout = weights.layout;
  OpBuilder builder(product);
  Location loc = product->getLoc();
  Value integers =
      buildIntegers(builder, loc, layout.shape, weights.weights.integers, bits);
  SmallVector<int64_t> scaleShape(ArrayRef<int64_t>(layout.shape));
  scaleShape[layout.axis] = layout.getNumBlocks();
  bool isBlocked = layout.getNumBlocks() > 1;
  if (!isBlocked) {
    scaleShape.erase(scaleShape.begin() + layout.axis);
  }
  Value scales = IE::buildConstant<float>(
      builder, loc, scaleShape, builder.getF32Type(), weights.weights.scales);
  OpOperand &operand = *weights.operands.weights;
  Value floats =
      IE::DequantizeLinearOp::create(
          builder, loc, operand.get().getType(), integers, scales,
          /*zero_point=*/Value(),
          builder.getI64IntegerAttr(isBlocked ? layout.axis : 1 - layout.axis),
          builder.getI64IntegerAttr(isBlocked ? layout.blockSize : 0))
          .getOutput();
  operand.set(floats);
}

namespace {

struct QuantizeWeightsPass final
    : IE::KeepingPass<
          nacre::IE::impl::QuantizeWeightsBase<QuantizeWeightsPass>> {
  using KeepingPass::KeepingPass;

  LogicalResult initialize(MLIRContext *context) override {
    Location loc = UnknownLoc::get(context);
    if (failed(KeepingPass::initialize(context))) {
      return failure();
    }
    constexpr unsigned kHalfByteBits = 4;
    // Blocks that the engine reads are whole words.
    constexpr int64_t kWholeWords = 8;
    if ((bits != kByteBits && bits != kHalfByteBits) || blockSize < 0 ||
        blockSize % kWholeWords != 0) {
      return emitError(loc) << "expected 4 or 8 bits and blocks of a multiple "
                               "of 8 elements, found "
                            << bits.getValue() << " bits and blocks of "
                            << blockSize.getValue();
    }
    constexpr int64_t kSmallest = 16, kLargest = 256;
    if (nBits && (bits != kHalfByteBits || blockSize < kSmallest ||
                  blockSize > kLargest || !llvm::isPowerOf2_64(blockSize))) {
      return emitError(loc) << "expected 4 bits and blocks of 16, 32, 64, 128 "
                               "or 256 elements for MatMulNBits, found "
                            << bits.getValue() << " bits and blocks of "
                            << blockSize.getValue();
    }
    if (rounding == Rounding::Hessian) {
      auto known = IE::KnownRanges::read(loc, ranges, rounding);
      if (failed(known)) {
        return failure();
      }
      measured = *known;
    }
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    if (failed(IE::KeepRules::verify(function, keep))) {
      return signalPassFailure();
    }
    SmallVector<Operation *> products =
        IE::findProducts(function, keep, IE::findWeightObstacle);
    IE::ValueKeys keys(function);
    for (Operation *product : products) {
      IE::LowBitWeights weights = IE::computeLowBitWeights(
          product, keys, {bits, blockSize, measured.get()});
      if (nBits) {
        multiplyBlocks(product, weights, blockSize);
      } else {
        dequantize(product, weights, bits);
      }
    }
    numProducts += products.size();
  }

private:
  std::shared_ptr<const IE::KnownRanges> measured;
};

} // namespace
