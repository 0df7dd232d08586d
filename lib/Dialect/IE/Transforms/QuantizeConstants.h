//===- QuantizeConstants.h - Quantized constants ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants that the ie-quantize pass makes of scales, weights and biases.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Quantization/Parameters.h"

#include "mlir/IR/Builders.h"

namespace nacre::IE {

/// `value` through a QuantizeLinear and a DequantizeLinear.
mlir::Value buildRoundTrip(mlir::OpBuilder &builder, mlir::Value value,
                           const quantization::Parameters &parameters);

/// True for weights that int8 can stand for: constant finite f32.
bool canQuantizeWeights(const LinearOperands &operands);

/// What is known of a linear op's input.
struct InputStatistics {
  float scale;
  /// Of each channel; empty where nobody knows.
  llvm::ArrayRef<float> means;
};

/// Makes the weights int8 and a constant bias int32, both dequantized. The bias
/// makes up for what rounding of the weights changes in the mean.
void quantizeConstants(mlir::OpBuilder &builder, const LinearOperands &operands,
                       const InputStatistics &input, bool perChannel);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H
