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

/// Makes the weights int8 and a constant bias int32, both dequantized, for an
/// input of this scale.
void quantizeConstants(mlir::OpBuilder &builder, const LinearOperands &operands,
                       float inputScale, bool perChannel);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZECONSTANTS_H
