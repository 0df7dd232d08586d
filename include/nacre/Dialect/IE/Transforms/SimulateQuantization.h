//===- SimulateQuantization.h - Quantization at run time --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of floats that rounds as a quantized one does, as far as an input
// says: many quantizations of a model are tried without compiling it again.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_SIMULATEQUANTIZATION_H
#define NACRE_DIALECT_IE_TRANSFORMS_SIMULATEQUANTIZATION_H

#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"

namespace nacre::IE {

/// Adds an input to the function, a vector of f32, that says what is rounded:
/// of each value of the plan, in its order, five numbers; then of each of its
/// products one, which is 1 if it reads rounded weights and 0 if not. With
/// `channelMeans`, then of each of findBiases() as many as it has channels,
/// which are added to its biases; and a result, the means of what these
/// products compute, channel by channel in that order, if there are any.
void simulateQuantization(mlir::func::FuncOp function,
                          const QuantizationPlan &plan,
                          const KnownRanges &ranges,
                          const ConstantOptions &options,
                          bool channelMeans = false);

/// The names of that input and that result.
inline constexpr llvm::StringLiteral kQuantizationInput = "nacre.quantization";
inline constexpr llvm::StringLiteral kMeansOutput = "nacre.means";

/// Appends the numbers of a value: rounded as the parameters say, or, without
/// them, as it is.
void appendSimulation(
    llvm::SmallVectorImpl<float> &numbers,
    const std::optional<quantization::Parameters> &parameters);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_SIMULATEQUANTIZATION_H
