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
#include "RoundWeights.h"

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

static void quantize(Operation *product, const IE::ValueKeys &keys,
                     const IE::WeightOptions &options) {
  IE::LowBitWeights weights = IE::computeLowBitWeights(product, keys, options);
  const BlockLayout &layout = weights.layout;
  OpBuilder builder(product);
  Location loc = product->getLoc();
  Value integers = buildIntegers(builder, loc, layout.shape,
                                 weights.weights.integers, options.bits);
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
    : nacre::IE::impl::QuantizeWeightsBase<QuantizeWeightsPass> {
  using QuantizeWeightsBase::QuantizeWeightsBase;

  LogicalResult initialize(MLIRContext *context) override {
    Location loc = UnknownLoc::get(context);
    FailureOr<IE::KeepOptions> read = IE::KeepOptions::make(
        loc, *keepNodes, *keepOps, *onlyOps, *keepBetween, keepFirst, keepLast);
    if (failed(read)) {
      return failure();
    }
    keep = std::move(*read);
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
      quantize(product, keys, {bits, blockSize, measured.get()});
    }
    numProducts += products.size();
  }

private:
  IE::KeepOptions keep;
  std::shared_ptr<const IE::KnownRanges> measured;
};

} // namespace
