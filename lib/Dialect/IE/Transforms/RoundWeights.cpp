//===- RoundWeights.cpp - Weights rounded for their inputs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundWeights.h"

#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Quantization/Distortion.h"
#include "nacre/Quantization/InputProducts.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

namespace {

/// Where the weights of a group are: row `r` computes one of its channels,
/// column `c` is multiplied by one of the numbers that are summed.
struct WeightLayout {
  WeightLayout(const IE::LinearOperands &operands, ArrayRef<int64_t> shape) {
    groups = operands.groups;
    rows = shape[operands.channelAxis] / groups;
    columns = 1;
    for (int64_t size : shape) {
      columns *= size;
    }
    columns /= shape[operands.channelAxis];
    inputs = shape[operands.inputAxis];
    channelsLast = operands.channelAxis != 0;
  }

  size_t getNumber(size_t group, size_t row, size_t column) const {
    return channelsLast ? column * rows + row
                        : (group * rows + row) * columns + column;
  }
  /// The channel of the input that a column belongs to.
  size_t getInput(size_t group, size_t column) const {
    return group * inputs + column / (columns / inputs);
  }

  size_t groups, rows, columns, inputs;
  bool channelsLast;
};

} // namespace

/// The triangle of a group, for the input as it is now.
static std::vector<float> adjust(ArrayRef<float> triangle,
                                 const WeightLayout &layout, size_t group,
                                 Value input) {
  std::vector<float> result = triangle.vec();
  std::optional<IE::Rescaling> rescaling = IE::getRescaling(input);
  if (!rescaling) {
    return result;
  }
  for (size_t i = 0; i < layout.columns; ++i) {
    float *products = result.data() + getTriangleSize(i);
    float factor = rescaling->factors[layout.getInput(group, i)];
    for (size_t j = 0; j <= i; ++j) {
      products[j] *= factor * rescaling->factors[layout.getInput(group, j)];
    }
  }
  return result;
}

std::optional<IE::RoundedConstants>
IE::roundForInputs(const LinearOperands &operands, const RoundingTarget &target,
                   const ValueKeys &keys, const KnownRanges &ranges) {
  WeightLayout layout(
      operands,
      cast<RankedTensorType>(operands.weights->get().getType()).getShape());
  Value output = operands.input->getOwner()->getResult(0);
  std::optional<Rescaling> rescaling = getRescaling(output);
  ArrayRef<float> triangles =
      ranges.findSums(rescaling ? rescaling->was : keys.get(output),
                      layout.columns, layout.groups);
  if (triangles.empty()) {
    return std::nullopt;
  }
  RoundedConstants result;
  result.integers.resize(target.weights.size());
  size_t size = getTriangleSize(layout.columns);
  double error = 0, nearestError = 0;
  for (size_t group = 0; group < layout.groups; ++group) {
    std::vector<float> weights;
    for (size_t row = 0; row < layout.rows; ++row) {
      for (size_t column = 0; column < layout.columns; ++column) {
        weights.push_back(target.weights[layout.getNumber(group, row, column)]);
      }
    }
    auto scaleOf = [&](size_t row, size_t column) {
      return target.scaleOf(layout.getNumber(group, row, column));
    };
    RoundedWeights rounded = roundByProducts(
        {weights, layout.columns, scaleOf, target.least, target.largest},
        adjust(triangles.slice(group * size, size), layout, group,
               operands.input->get()));
    for (size_t i = 0; i < rounded.integers.size(); ++i) {
      result.integers[layout.getNumber(
          group, i / layout.columns, i % layout.columns)] = rounded.integers[i];
    }
    error += rounded.error;
    nearestError += rounded.nearestError;
  }
  result.decibels = getDecibels(nearestError, error);
  return result;
}
