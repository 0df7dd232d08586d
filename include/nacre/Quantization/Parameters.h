//===- Parameters.h - Scales and zero points --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the range of a value to the parameters of QuantizeLinear.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_PARAMETERS_H
#define NACRE_QUANTIZATION_PARAMETERS_H

#include "nacre/Quantization/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace nacre::quantization {

struct Range {
  double low = 0, high = 0;
};

/// An integer q stands for (q - zeroPoint) * scale.
struct Parameters {
  float scale = 1;
  int32_t zeroPoint = 0;
  bool isSigned = false;
  unsigned bits = 8; // or 16
  /// As "uint8".
  std::string getTypeName() const {
    return (isSigned ? "int" : "uint") + std::to_string(bits);
  }
  /// The least and the largest integer of the type.
  int32_t getLeast() const { return isSigned ? -(1 << (bits - 1)) : 0; }
  int32_t getLargest() const { return (1 << (isSigned ? bits - 1 : bits)) - 1; }
  /// The numbers that can be told apart.
  Range getRange() const;
  /// `value` as an integer, ties to even, and what that stands for.
  int32_t quantize(double value) const;
  double roundTrip(double value) const;
};

/// The parameters for a range, which is widened to hold 0.
Parameters getParameters(Range range, Schema schema, ActivationType type);

/// Symmetric integers, int8 of -127 to 127, for weights whose largest magnitude
/// is given.
float getWeightScale(float largest, unsigned bits = 8);

/// One scale for each index of dimension `axis`, or one for all where it is
/// negative.
std::vector<float> getWeightScales(llvm::ArrayRef<float> weights,
                                   llvm::ArrayRef<int64_t> shape, int64_t axis,
                                   unsigned bits = 8);
/// The same scales, each made smaller where that gives a lesser squared error,
/// though it cuts off the largest weights.
void shrinkWeightScales(llvm::ArrayRef<float> weights,
                        llvm::ArrayRef<int64_t> shape, int64_t axis,
                        llvm::MutableArrayRef<float> scales, unsigned bits = 8);
/// The weights as integers of these scales.
std::vector<int16_t> quantizeWeights(llvm::ArrayRef<float> weights,
                                     llvm::ArrayRef<int64_t> shape,
                                     int64_t axis, llvm::ArrayRef<float> scales,
                                     unsigned bits = 8);

/// The scale of weights such that a bias is an int32 of 30 bits at most, with
/// which sums cannot overflow, where the input has `inputScale`.
float fitBias(float weightScale, float inputScale, float bias);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_PARAMETERS_H
