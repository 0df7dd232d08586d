//===- QuantizeConstants.h - Quantized constants ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What quantization makes of scales, weights and biases.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/QuantizationPlan.h"

#include "mlir/IR/Builders.h"

namespace nacre::IE {

/// `value` through a QuantizeLinear and a DequantizeLinear at `loc`.
mlir::Value buildRoundTrip(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value,
                           const quantization::Parameters &parameters);

/// True for weights that integers can stand for: constant finite f32.
bool canQuantizeWeights(const LinearOperands &operands);

/// What of an op itself keeps it f32: that it has no form on `integers`, or its
/// weights. Empty where nothing does.
std::string findFormObstacle(const std::optional<LinearOperands> &operands,
                             llvm::StringRef integers);

struct ConstantOptions {
  /// Whether each channel of weights has a scale of its own.
  bool perChannel = true;
  quantization::BiasCorrection biasCorrection =
      quantization::BiasCorrection::Fast;
  unsigned weightBits = 8; // or 7, which int8 holds, or 16
  quantization::BiasType bias = quantization::BiasType::Int32;
  quantization::Rounding rounding = quantization::Rounding::Nearest;
  /// Whether scales are those of the least squared error, not those that cut
  /// nothing off.
  bool calibrateWeights = false;

  /// Those of the ie-quantize pass.
  template <typename OptionsT>
  static ConstantOptions read(const OptionsT &options) {
    return {options.perChannel, options.biasCorrection,
            options.weightBits, options.bias,
            options.rounding,   options.calibrateWeights};
  }
};

/// The dimension whose indices are channels, of `rank`, of what a product reads
/// or computes.
int64_t getProductChannelDim(mlir::Operation *product, int64_t rank);

/// How many channels have a bias of their own that quantization may change; 0
/// for other addends, and for none.
int64_t countBiases(const LinearOperands &operands);

/// The constants of a product on integers.
struct QuantizedConstants {
  LinearOperands operands;
  /// Integers, and one scale for all or for each channel.
  std::vector<int16_t> weights;
  std::vector<float> scales;
  unsigned weightBits = 8;
  /// The bits of the type that holds the weights.
  unsigned getStorageBits() const { return weightBits > 8 ? 16 : 8; }
  /// Integers, and one scale for all or for each; empty where the bias stays as
  /// it is. Of floats there are no scales.
  std::vector<double> bias;
  std::vector<float> biasScales;
  quantization::BiasType biasType = quantization::BiasType::Int32;
  /// What weights gain that were rounded for their inputs; nothing for others.
  std::optional<double> roundingDecibels;

  llvm::ArrayRef<int64_t> getShape() const;
  /// The floats that these integers stand for.
  std::vector<float> getWeights() const;
  std::vector<float> getBias() const;
};

/// Those of a product that the plan has on integers.
QuantizedConstants computeConstants(mlir::Operation *product,
                                    const QuantizationPlan &plan,
                                    const KnownRanges &ranges,
                                    const ConstantOptions &options);

/// Has the product read them, dequantized.
void quantizeConstants(mlir::OpBuilder &builder,
                       const QuantizedConstants &constants);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H
