//===- ContribQuantization.cpp - Expansions: quantized operators ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX Runtime's operators on quantized tensors: what they do to floats,
// between a dequantization and a quantization, and products of integers.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"
#include "QuantizedMath.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Recurrent.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// Inputs `i` to `i` + 2: a quantized tensor, its scale and its zero point.
static Value dequantizeInput(Expander &e, unsigned i) {
  return dequantize(e, e.getRequiredInput(i, "a quantized tensor"),
                    e.getRequiredInput(i + 1, "its scale"), e.getInput(i + 2));
}

/// By the scale and zero point that are inputs `i` and `i` + 1, in the type of
/// the quantized input `like`.
static Value quantizeOutput(Expander &e, Value value, unsigned i,
                            unsigned like) {
  Value scale = e.getRequiredInput(i, "the result's scale");
  Type element = e.getElement(e.getInput(like));
  return e.hasFailed() ? Value()
                       : quantize(e, value, scale, e.getInput(i + 1), element);
}

template <typename OpT> static void expandBinary(Expander &e) {
  Value lhs = dequantizeInput(e, 0), rhs = dequantizeInput(e, 3);
  e.setResults(quantizeOutput(e, e.create<OpT>({lhs, rhs}), 6, 0));
}

/// An op on one tensor, which has the node's attributes.
template <typename OpT> static void expandUnary(Expander &e) {
  Value value = e.create<OpT>({dequantizeInput(e, 0)}, e.takeAttributes());
  e.setResults(quantizeOutput(e, value, 3, 0));
}

static void expandSoftmax(Expander &e) {
  // Before 13, the softmax is of all dimensions from the axis on.
  int64_t opset = e.takeRequiredInt("opset");
  Value value = dequantizeInput(e, 0);
  int64_t rank = e.getRank(value);
  int64_t axis = e.normalizeAxis(e.takeInt("axis", -1), rank);
  if (opset < 13 && axis != rank - 1) {
    return e.reject("several dimensions at once");
  }
  value = e.create<IE::SoftmaxOp>({value}, {e.attr("axis", axis)});
  e.setResults(quantizeOutput(e, value, 3, 0));
}

/// What `build` makes of an image with its channels in front; the result has
/// them where they were.
static void expandImage(Expander &e, function_ref<Value(Value)> build) {
  bool isLast = e.takeInt("channels_last", 0) != 0;
  Value value = dequantizeInput(e, 0);
  value = isLast ? e.withChannelsInFront(value, build) : build(value);
  e.setResults(quantizeOutput(e, value, 3, 0));
}

/// ONNX's, or of an image whose channels are last.
static void expandConv(Expander &e) {
  bool isLast = e.takeInt("channels_last", 0) != 0;
  SmallVector<NamedAttribute> attributes = e.takeAttributes();
  auto build = [&](Value image) {
    SmallVector<Value> operands(e.getInputs());
    operands.front() = image;
    return e.create<IE::QLinearConvOp>(operands, attributes);
  };
  Value image = e.getRequiredInput(0, "x");
  e.setResults(isLast ? e.withChannelsInFront(image, build) : build(image));
}

static void expandNhwcMaxPool(Expander &e) {
  Value image = e.getRequiredInput(0, "x");
  e.setResults(e.withChannelsInFront(image, [&](Value value) {
    return e.create<IE::MaxPoolOp>({value}, e.takeAttributes());
  }));
}

static void expandGlobalAveragePool(Expander &e) {
  expandImage(e, [&](Value value) {
    return e.create<IE::GlobalAveragePoolOp>({value});
  });
}

static void expandAveragePool(Expander &e) {
  expandImage(e, [&](Value value) {
    return e.create<IE::AveragePoolOp>({value}, e.takeAttributes());
  });
}

static void expandReduceMean(Expander &e) {
  SmallVector<int64_t> axes = e.takeInts("axes");
  bool keepDims = e.takeInt("keepdims", 1) != 0;
  Value mean =
      e.reduce<IE::ReduceMeanOp>(dequantizeInput(e, 0), axes, keepDims);
  e.setResults(quantizeOutput(e, mean, 3, 0));
}

/// The result's scale and zero point come first, then three inputs for each
/// part.
static void expandConcat(Expander &e) {
  SmallVector<Value> parts;
  for (unsigned i = 2; i < e.getNumInputs(); i += 3) {
    parts.push_back(dequantizeInput(e, i));
  }
  Value joined = e.concat(parts, e.takeRequiredInt("axis"));
  e.setResults(quantizeOutput(e, joined, 0, 2));
}

static void expandWhere(Expander &e) {
  Value chosen = e.where(e.getRequiredInput(0, "condition"),
                         dequantizeInput(e, 1), dequantizeInput(e, 4));
  e.setResults(quantizeOutput(e, chosen, 7, 1));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The sums of a product as floats of the scales of both operands.
static Value scaleSums(Expander &e, Value sums, Value lhsScale,
                       Value rhsScale) {
  Value scale =
      e.mul(asScalarIfSingle(e, lhsScale), asScalarIfSingle(e, rhsScale));
  return e.mul(e.cast(sums, e.getElement(scale)), scale);
}

static void expandQGemm(Expander &e) {
  Value lhs = e.getRequiredInput(0, "A"), rhs = e.getRequiredInput(3, "B");
  Value lhsScale = e.getRequiredInput(1, "a_scale");
  Value rhsScale = e.getRequiredInput(4, "b_scale");
  double alpha = e.takeFloat("alpha", 1);
  if (!e.expectRank(lhs, 2, "A") || !e.expectRank(rhs, 2, "B")) {
    return;
  }
  if (e.takeInt("transA", 0) != 0) {
    lhs = e.transpose(lhs, {1, 0});
  }
  if (e.takeInt("transB", 0) != 0) {
    rhs = e.transpose(rhs, {1, 0});
  }
  Value sums = buildIntegerProduct(e, lhs, rhs, e.getInput(2), e.getInput(5));
  if (Value addend = e.getInput(6)) {
    // In steps of the product's scale.
    sums = e.add(sums, addend);
  }
  Value result = scaleSums(e, sums, lhsScale, rhsScale);
  if (alpha != 1) {
    result = e.mul(result, alpha);
  }
  e.setResults(e.getInput(7) ? quantizeOutput(e, result, 7, 0) : result);
}

static void expandMatMulIntegerToFloat(Expander &e) {
  Value sums = buildIntegerProduct(e, e.getRequiredInput(0, "A"),
                                   e.getRequiredInput(1, "B"), e.getInput(4),
                                   e.getInput(5));
  Value result = scaleSums(e, sums, e.getRequiredInput(2, "a_scale"),
                           e.getRequiredInput(3, "b_scale"));
  if (Value bias = e.getInput(6)) {
    result = e.add(result, bias);
  }
  e.setResults(result);
}

/// A float operand is quantized to bytes by its own range.
static void expandDynamicQuantizeMatMul(Expander &e) {
  Value lhs = e.getRequiredInput(0, "A"), rhs = e.getRequiredInput(1, "B");
  Value rhsScale = e.getRequiredInput(2, "b_scale");
  SmallVector<Value> quantized =
      e.createAll<IE::DynamicQuantizeLinearOp>({lhs});
  if (e.hasFailed()) {
    return;
  }
  Value sums =
      buildIntegerProduct(e, quantized[0], rhs, quantized[2], e.getInput(3));
  Value result = scaleSums(e, sums, quantized[1], rhsScale);
  if (Value bias = e.getInput(4)) {
    result = e.add(result, bias);
  }
  e.setResults(result);
}

/// An LSTM with weights of integers, (directions, inputs, gates). The input and
/// the state stay floats: ONNX Runtime rounds them to bytes to be faster.
static void expandDynamicQuantizeLSTM(Expander &e) {
  auto readWeights = [&](unsigned i, unsigned scale, StringRef name) {
    Value weights = e.getRequiredInput(i, name);
    Value factor = e.getRequiredInput(scale, "its scale");
    Value zero = e.getRequiredInput(scale + 1, "its zero point");
    if (!e.expectRank(weights, 3, name)) {
      return Value();
    }
    Type element = e.getElement(factor);
    auto align = [&](Value parameter) {
      // Of each direction, or of each of its gates.
      return e.unsqueeze(parameter, e.getRank(parameter) == 1
                                        ? ArrayRef<int64_t>({1, 2})
                                        : ArrayRef<int64_t>(1));
    };
    Value steps = e.sub(e.cast(weights, element), align(e.cast(zero, element)));
    return e.transpose(e.mul(steps, align(factor)), {0, 2, 1});
  };
  Value weights = readWeights(1, 8, "W"), recurrence = readWeights(2, 10, "R");
  e.setResults(e.createAll<IE::LSTMOp>(
      {e.getRequiredInput(0, "X"), weights, recurrence, e.getInput(3),
       e.getInput(4), e.getInput(5), e.getInput(6), e.getInput(7)},
      e.takeAttributes()));
}

ArrayRef<ExpansionEntry> onnx_import::getContribQuantizationExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"com.microsoft", "DynamicQuantizeLSTM", expandDynamicQuantizeLSTM},
      {"com.microsoft", "DynamicQuantizeMatMul", expandDynamicQuantizeMatMul},
      {"com.microsoft", "MatMulIntegerToFloat", expandMatMulIntegerToFloat},
      {"com.microsoft", "NhwcMaxPool", expandNhwcMaxPool},
      {"com.microsoft", "QGemm", expandQGemm},
      {"com.microsoft", "QLinearAdd", expandBinary<IE::AddOp>},
      {"com.microsoft", "QLinearAveragePool", expandAveragePool},
      {"com.microsoft", "QLinearConcat", expandConcat},
      {"com.microsoft", "QLinearConv", expandConv},
      {"com.microsoft", "QLinearGlobalAveragePool", expandGlobalAveragePool},
      {"com.microsoft", "QLinearLeakyRelu", expandUnary<IE::LeakyReluOp>},
      {"com.microsoft", "QLinearMul", expandBinary<IE::MulOp>},
      {"com.microsoft", "QLinearReduceMean", expandReduceMean},
      {"com.microsoft", "QLinearSigmoid", expandUnary<IE::SigmoidOp>},
      {"com.microsoft", "QLinearSoftmax", expandSoftmax},
      {"com.microsoft", "QLinearWhere", expandWhere},
  };
  return kEntries;
}
