//===- QuantizeDynamic.cpp - The ie-quantize-dynamic pass -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has products compute on bytes without data: each run finds the range of what
// they read. The form is that of other tools, and what ie-fuse-quantization
// makes of dequantized operands.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/QuantizeDynamic.h"
#include "BuildConstant.h"
#include "KeepingPass.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Quantization/Parameters.h"
#include "nacre/Support/TensorTypes.h"

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZEDYNAMIC
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

/// True for a convolution of each channel for itself.
static bool isDepthwise(const IE::LinearOperands &operands) {
  return operands.groups > 1 && getTensorType(operands.weights->get())
                                        .getDimSize(operands.inputAxis) == 1;
}

std::string IE::findDynamicObstacle(Operation *product,
                                    const KeepRules &rules) {
  std::string rule = rules.find(product);
  if (!rule.empty()) {
    return rule;
  }
  if (isa<MatMulNBitsOp>(product)) {
    return "";
  }
  if (!isProduct(product)) {
    return "an op of its kind computes floats";
  }
  auto quantizable = cast<QuantizableOpInterface>(product);
  std::optional<LinearOperands> operands = quantizable.getLinearOperands();
  std::string obstacle = findFormObstacle(operands, "on integers");
  if (!obstacle.empty()) {
    return obstacle;
  }
  return isDepthwise(*operands)
             ? "a depthwise convolution takes less time than finding a range"
             : "";
}

IE::QuantizedConstants
IE::computeDynamicConstants(Operation *product,
                            const ConstantOptions &options) {
  QuantizedConstants result;
  result.weightBits = options.weightBits;
  result.operands = *cast<QuantizableOpInterface>(product).getLinearOperands();
  std::vector<float> floats =
      ConstantFloats(result.operands.weights->get()).getAll<float>();
  int64_t axis = options.perChannel ? result.operands.channelAxis : -1;
  ArrayRef<int64_t> shape = result.getShape();
  result.scales = getWeightScales(floats, shape, axis, options.weightBits);
  if (options.calibrateWeights) {
    shrinkWeightScales(floats, shape, axis, result.scales, options.weightBits);
  }
  result.weights =
      quantizeWeights(floats, shape, axis, result.scales, options.weightBits);
  return result;
}

/// The rows of a matrix as columns.
static SmallVector<int8_t> transpose(ArrayRef<int8_t> matrix, int64_t rows) {
  SmallVector<int8_t> result(matrix.size());
  auto columns = static_cast<int64_t>(matrix.size()) / rows;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      result[column * rows + row] = matrix[row * columns + column];
    }
  }
  return result;
}

/// Parameters of channels in a shape that broadcasts to a result of `rank`,
/// whose dimension `dim` channels are. A single one is a scalar.
static SmallVector<int64_t> getChannelShape(size_t count, int64_t rank,
                                            int64_t dim) {
  SmallVector<int64_t> shape;
  if (count != 1) {
    shape.assign(rank - dim, 1);
    shape.front() = static_cast<int64_t>(count);
  }
  return shape;
}

namespace {

/// Rewrites products, of which the first one that reads a value comes first.
class DynamicQuantizer {
public:
  DynamicQuantizer(MLIRContext *context, const IE::ConstantOptions &options)
      : builder(context), options(options) {}

  void rewrite(Operation *product);
  size_t getNumValues() const { return quantized.size(); }

private:
  IE::DynamicQuantizeLinearOp quantize(Value input, Location loc);
  Value convolve(IE::ConvOp op, IE::DynamicQuantizeLinearOp input,
                 const IE::QuantizedConstants &constants);
  Value multiply(Operation *op, IE::DynamicQuantizeLinearOp input,
                 const IE::QuantizedConstants &constants);
  Value buildBias(Value bias, int64_t rank, int64_t dim);

  OpBuilder builder;
  IE::ConstantOptions options;
  llvm::DenseMap<Value, IE::DynamicQuantizeLinearOp> quantized;
};

} // namespace

IE::DynamicQuantizeLinearOp DynamicQuantizer::quantize(Value input,
                                                       Location loc) {
  IE::DynamicQuantizeLinearOp &op = quantized[input];
  if (!op) {
    op = IE::DynamicQuantizeLinearOp::create(builder, loc, input);
  }
  return op;
}

/// The sums of a convolution.
Value DynamicQuantizer::convolve(IE::ConvOp op,
                                 IE::DynamicQuantizeLinearOp input,
                                 const IE::QuantizedConstants &constants) {
  constexpr int kMiddle = 128;
  Location loc = op.getLoc();
  Type byte = builder.getIntegerType(8, /*isSigned=*/false);
  auto bytes = llvm::map_to_vector(constants.weights, [](int16_t weight) {
    return static_cast<uint8_t>(weight + kMiddle);
  });
  Value weights = IE::buildConstant<uint8_t>(builder, loc, constants.getShape(),
                                             byte, bytes);
  return IE::ConvIntegerOp::create(
             builder, loc,
             getTensorType(op.getOutput()).clone(builder.getI32Type()),
             input.getOutput(), weights, input.getZeroPoint(),
             IE::buildScalar(builder, loc, byte, kMiddle), op.getAutoPadAttr(),
             op.getDilationsAttr(), op.getGroupAttr(), op.getKernelShapeAttr(),
             op.getPadsAttr(), op.getStridesAttr())
      ->getResult(0);
}

/// The sums of a product of matrices.
Value DynamicQuantizer::multiply(Operation *op,
                                 IE::DynamicQuantizeLinearOp input,
                                 const IE::QuantizedConstants &constants) {
  Location loc = op->getLoc();
  SmallVector<int64_t> shape(constants.getShape());
  auto weights = llvm::map_to_vector(constants.weights, [](int16_t weight) {
    return static_cast<int8_t>(weight);
  });
  if (constants.operands.channelAxis < constants.operands.inputAxis) {
    weights = transpose(weights, shape[0]);
    std::swap(shape[0], shape[1]);
  }
  Value matrix = IE::buildConstant<int8_t>(builder, loc, shape,
                                           builder.getI8Type(), weights);
  return IE::MatMulIntegerOp::create(
             builder, loc,
             getTensorType(op->getResult(0)).clone(builder.getI32Type()),
             input.getOutput(), matrix, input.getZeroPoint(), Value())
      ->getResult(0);
}

/// A convolution's bias in a shape that broadcasts to its result.
Value DynamicQuantizer::buildBias(Value bias, int64_t rank, int64_t dim) {
  IE::ConstantFloats constant(bias);
  if (!constant) {
    return IE::reshapeChannels(builder, bias.getLoc(), bias, rank, dim);
  }
  return IE::buildConstant<float>(
      builder, bias.getLoc(), getChannelShape(constant.size(), rank, dim),
      builder.getF32Type(), constant.getAll<float>());
}

void DynamicQuantizer::rewrite(Operation *product) {
  IE::QuantizedConstants constants =
      IE::computeDynamicConstants(product, options);
  Location loc = product->getLoc();
  builder.setInsertionPoint(product);
  IE::DynamicQuantizeLinearOp input =
      quantize(constants.operands.input->get(), loc);
  auto conv = dyn_cast<IE::ConvOp>(product);
  Value sums = conv ? convolve(conv, input, constants)
                    : multiply(product, input, constants);
  int64_t rank = getTensorType(sums).getRank(), dim = conv ? 1 : rank - 1;
  Value floats = IE::castToF32(builder, loc, sums);
  Value weightScale = IE::buildConstant<float>(
      builder, loc, getChannelShape(constants.scales.size(), rank, dim),
      builder.getF32Type(), constants.scales);
  Value scale = IE::MulOp::create(builder, loc, input.getScale(), weightScale);
  Value result = IE::MulOp::create(builder, loc, floats, scale);
  if (constants.operands.bias) {
    Value bias = constants.operands.bias->get();
    result = IE::AddOp::create(builder, loc, result,
                               conv ? buildBias(bias, rank, dim) : bias);
  }
  product->getResult(0).replaceAllUsesWith(
      IE::refineTo(builder, loc, result, product->getResult(0).getType()));
  product->erase();
}

namespace {

struct QuantizeDynamicPass final
    : IE::KeepingPass<
          nacre::IE::impl::QuantizeDynamicBase<QuantizeDynamicPass>> {
  using KeepingPass::KeepingPass;

  LogicalResult initialize(MLIRContext *context) override {
    if (failed(KeepingPass::initialize(context))) {
      return failure();
    }
    if (weightBits != 7 && weightBits != 8) {
      return emitError(UnknownLoc::get(context))
             << "expected weights of 7 or 8 bits, found "
             << weightBits.getValue();
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
        IE::findProducts(function, keep, IE::findDynamicObstacle);
    IE::ConstantOptions options;
    options.perChannel = perChannel;
    options.weightBits = weightBits;
    options.calibrateWeights = calibrateWeights;
    DynamicQuantizer quantizer(&getContext(), options);
    for (Operation *product : products) {
      quantizer.rewrite(product);
    }
    numProducts += products.size();
    numValues += quantizer.getNumValues();
    numProducts += roundRows(function);
  }

private:
  /// Weights of few bits stay as they are, and what they are multiplied with
  /// becomes bytes, block by block. The number of such products.
  size_t roundRows(func::FuncOp function) {
    IE::KeepRules rules(function, keep);
    size_t count = 0;
    for (auto op : function.getOps<IE::MatMulNBitsOp>()) {
      if (IE::findDynamicObstacle(op, rules).empty()) {
        op.setAccuracyLevel(IE::MatMulNBitsOp::kOfBytes);
        ++count;
      }
    }
    return count;
  }
};

} // namespace
