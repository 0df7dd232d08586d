//===- PhasesAsChannels.cpp - Transposed convolutions by DepthToSpace -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution that has the phases of a transposed one as channels, which
// DepthToSpace spreads out.
//
//===----------------------------------------------------------------------===//

#include "TransposedConvolution.h"
#include "Weights.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

/// A convolution, DepthToSpace, and a Slice of what is not cropped.
class ChannelBuilder {
public:
  ChannelBuilder(PatternRewriter &rewriter, IE::ConvTransposeOp op,
                 const TransposedConvolution &transposed)
      : rewriter(rewriter), loc(op.getLoc()), op(op), transposed(transposed),
        weights(op.getWeights()), bias(op.getBias()),
        elementType(getElementTypeOrSelf(op.getType())),
        stride(transposed.axes[1].stride) {}

  void replace();

private:
  double getWeight(int64_t input, int64_t output, int64_t row,
                   int64_t column) const {
    int64_t perGroup = transposed.sizes.getOutputsPerGroup();
    int64_t pair = input * perGroup + output % perGroup;
    const auto &[images, rows, columns] = transposed.axes;
    return weights[(pair * rows.kernel + row) * columns.kernel + column];
  }
  /// The number of the convolution's outputs beyond its inputs.
  static int64_t getSurplus(const TransposedAxis &axis) {
    return std::max<int64_t>(
        llvm::divideCeilSigned(axis.surplus + axis.padsBegin, axis.stride), 0);
  }
  static int64_t getTaps(const TransposedAxis &axis) {
    return llvm::divideCeilSigned(axis.kernel, axis.stride);
  }
  Value buildWeights();
  template <typename T> Value buildConstantWeights();
  Value buildRunTimeWeights();
  Value buildBias();
  Value buildCrop(Value value);

  PatternRewriter &rewriter;
  Location loc;
  IE::ConvTransposeOp op;
  const TransposedConvolution &transposed;
  ConstantFloats weights, bias;
  Type elementType;
  int64_t stride;
};

} // namespace

/// Weights (M * stride * stride, C / groups, taps, taps).
template <typename T> Value ChannelBuilder::buildConstantWeights() {
  const auto &[images, rows, columns] = transposed.axes;
  int64_t inputsPerGroup = transposed.sizes.getInputsPerGroup();
  SmallVector<int64_t> shape = {transposed.sizes.outputs * stride * stride,
                                inputsPerGroup, getTaps(rows),
                                getTaps(columns)};
  std::vector<T> values;
  values.reserve(ShapedType::getNumElements(shape));
  for (int64_t channel = 0; channel < shape[0]; ++channel) {
    int64_t m = channel / (stride * stride);
    int64_t first = m / transposed.sizes.getOutputsPerGroup() * inputsPerGroup;
    int64_t phaseRow = channel / stride % stride,
            phaseColumn = channel % stride;
    for (int64_t c = first; c < first + inputsPerGroup; ++c) {
      for (int64_t i = shape[2]; i-- > 0;) {
        for (int64_t j = shape[3]; j-- > 0;) {
          int64_t row = phaseRow + i * stride,
                  column = phaseColumn + j * stride;
          bool isInside = row < rows.kernel && column < columns.kernel;
          values.push_back(
              isInside ? static_cast<T>(getWeight(c, m, row, column)) : T(0));
        }
      }
    }
  }
  return buildConstant(rewriter, loc, shape, std::move(values));
}

Value ChannelBuilder::buildWeights() {
  if (!weights) {
    return buildRunTimeWeights();
  }
  return withFloatType(elementType, [&](auto zero) {
    return buildConstantWeights<decltype(zero)>();
  });
}

/// The same of weights that are computed at run time.
Value ChannelBuilder::buildRunTimeWeights() {
  const auto &[images, rows, columns] = transposed.axes;
  const ConvolutionSizes &sizes = transposed.sizes;
  int64_t inputs = sizes.getInputsPerGroup();
  int64_t outputs = sizes.getOutputsPerGroup();
  SmallVector<int64_t> kernel = {sizes.groups, inputs, outputs, rows.kernel,
                                 columns.kernel};
  SmallVector<int64_t> filled(kernel);
  filled[3] = getTaps(rows) * stride;
  filled[4] = getTaps(columns) * stride;
  Value source = buildReshape(rewriter, loc, op.getWeights(), kernel);
  if (filled != kernel) {
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getZeroAttr(elementType));
    Value init = buildEmpty(rewriter, loc, filled, elementType);
    Value zeroes =
        linalg::FillOp::create(rewriter, loc, zero, init).getResult(0);
    MixedSizes offsets(5, rewriter.getIndexAttr(0));
    MixedSizes strides(5, rewriter.getIndexAttr(1));
    source = tensor::InsertSliceOp::create(
        rewriter, loc, source, zeroes, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), kernel), strides);
  }
  SmallVector<int64_t> shape = {sizes.groups,    outputs, stride,
                                stride,          inputs,  getTaps(rows),
                                getTaps(columns)};
  SmallVector<AffineExpr> d(shape.size());
  bindDimsList(rewriter.getContext(), MutableArrayRef(d));
  Value phases = buildGather(
      rewriter, loc, source, shape,
      {d[0], d[4], d[1], d[2] - d[5] * stride + (getTaps(rows) - 1) * stride,
       d[3] - d[6] * stride + (getTaps(columns) - 1) * stride});
  return buildReshape(rewriter, loc, phases,
                      {sizes.outputs * stride * stride, inputs, getTaps(rows),
                       getTaps(columns)});
}

Value ChannelBuilder::buildBias() {
  if (!op.getBias()) {
    return {};
  }
  if (!bias) {
    Value init =
        buildEmpty(rewriter, loc, {transposed.sizes.outputs, stride * stride},
                   elementType);
    Value repeated = linalg::BroadcastOp::create(rewriter, loc, op.getBias(),
                                                 init, ArrayRef<int64_t>{1})
                         ->getResult(0);
    return buildReshape(rewriter, loc, repeated,
                        {transposed.sizes.outputs * stride * stride});
  }
  return withFloatType(elementType, [&](auto zero) {
    std::vector<decltype(zero)> values;
    for (auto value : bias.getAll<decltype(zero)>()) {
      values.insert(values.end(), stride * stride, value);
    }
    auto size = static_cast<int64_t>(values.size());
    return buildConstant(rewriter, loc, {size}, std::move(values));
  });
}

Value ChannelBuilder::buildCrop(Value value) {
  SmallVector<int64_t> starts, ends;
  for (const TransposedAxis &axis : ArrayRef(transposed.axes).drop_front()) {
    starts.push_back(axis.padsBegin);
    int64_t rest = stride * getSurplus(axis) - axis.surplus - axis.padsBegin;
    ends.push_back(rest == 0 ? std::numeric_limits<int64_t>::max() : -rest);
  }
  auto build = [&](ArrayRef<int64_t> numbers) {
    auto type = RankedTensorType::get({2}, rewriter.getI64Type());
    return arith::ConstantOp::create(rewriter, loc,
                                     DenseElementsAttr::get(type, numbers));
  };
  return IE::SliceOp::create(rewriter, loc, op.getOutput().getType(), value,
                             build(starts), build(ends), build({2, 3}),
                             /*steps=*/Value());
}

void ChannelBuilder::replace() {
  const auto &[images, rows, columns] = transposed.axes;
  SmallVector<int64_t> pads = {getTaps(rows) - 1, getTaps(columns) - 1,
                               getSurplus(rows), getSurplus(columns)};
  DenseI64ArrayAttr none;
  Value phaseWeights = buildWeights(), phaseBias = buildBias();
  Value phases = IE::ConvOp::create(
      rewriter, loc, op.getInput(), phaseWeights, phaseBias,
      rewriter.getStringAttr("NOTSET"), /*dilations=*/none, op.getGroupAttr(),
      /*kernel_shape=*/none, rewriter.getDenseI64ArrayAttr(pads),
      /*strides=*/none);
  Value spread = IE::DepthToSpaceOp::create(rewriter, loc, phases, stride,
                                            rewriter.getStringAttr("CRD"));
  rewriter.replaceOp(op, buildCrop(spread));
}

void nacre::replaceByPhasesAsChannels(PatternRewriter &rewriter,
                                      IE::ConvTransposeOp op,
                                      const TransposedConvolution &transposed) {
  ChannelBuilder(rewriter, op, transposed).replace();
}
