//===- Quantization.cpp - Interpreter kernels: linear quantization --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family: linear quantization. In float, not in
// double: which integer a value rounds to is part of the result.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/IR/Quantization.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// A scale or zero point, broadcast to the input's shape.
template <typename C, typename OpT>
static std::vector<C> loadParameter(OpT op, const Tensor &parameter,
                                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> broadcast = op.getParameterShape();
  auto type = RankedTensorType::get(broadcast, parameter.getElementType());
  return load<C>(parameter.withType(type), shape);
}

static LogicalResult evalQuantize(IE::QuantizeLinearOp op,
                                  ArrayRef<Tensor> operands,
                                  MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> shape = results[0].getShape();
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> scales = loadParameter<double>(op, operands[1], shape);
  std::vector<int64_t> zeroPoints(values.size(), 0);
  if (op.getZeroPoint()) {
    zeroPoints = loadParameter<int64_t>(op, operands[2], shape);
  }
  auto [low, high] = IE::getIntegerRange(results[0].getElementType());
  std::vector<int64_t> quantized(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    float quotient =
        static_cast<float>(values[i]) / static_cast<float>(scales[i]);
    // The rounding mode of the process is to nearest even.
    double rounded = std::nearbyint(quotient);
    double least = static_cast<double>(low - zeroPoints[i]);
    double most = static_cast<double>(high - zeroPoints[i]);
    // NaN becomes the least value.
    double clamped = rounded > least ? std::min(rounded, most) : least;
    quantized[i] = static_cast<int64_t>(clamped) + zeroPoints[i];
  }
  store(quantized, results[0]);
  return success();
}

/// A parameter of blocks, repeated for each element of the input.
template <typename C>
static std::vector<C> loadBlocks(IE::DequantizeLinearOp op,
                                 const Tensor &parameter,
                                 ArrayRef<int64_t> shape) {
  std::vector<C> own = load<C>(parameter), result;
  SmallVector<int64_t> strides = computeStrides(parameter.getShape());
  int64_t dim = op.getDim(), size = op.getBlockSize();
  result.reserve(ShapedType::getNumElements(shape));
  forEachIndex(shape, [&](int64_t, ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::enumerate(strides)) {
      int64_t at = index[i];
      offset += (static_cast<int64_t>(i) == dim ? at / size : at) * stride;
    }
    result.push_back(own[offset]);
  });
  return result;
}

static LogicalResult evalDequantize(IE::DequantizeLinearOp op,
                                    ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> shape = results[0].getShape();
  std::vector<int64_t> values = load<int64_t>(operands[0]);
  std::vector<double> scales =
      op.isBlocked() ? loadBlocks<double>(op, operands[1], shape)
                     : loadParameter<double>(op, operands[1], shape);
  std::vector<int64_t> zeroPoints(values.size(), 0);
  if (op.getZeroPoint()) {
    zeroPoints = op.isBlocked()
                     ? loadBlocks<int64_t>(op, operands[2], shape)
                     : loadParameter<int64_t>(op, operands[2], shape);
  }
  std::vector<double> floats(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    floats[i] = static_cast<double>(values[i] - zeroPoints[i]) * scales[i];
  }
  store(floats, results[0]);
  return success();
}

void interpreter::registerQuantizationKernels(MLIRContext *context) {
  attachKernel<IE::QuantizeLinearOp, evalQuantize>(context);
  attachKernel<IE::DequantizeLinearOp, evalDequantize>(context);
}
