//===- Quantization.h - Integer operators of the engine ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowerings of integer convolutions, products, arithmetic and pooling
// share: constant bytes, and the chains of ops that end in a quantized value.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_QUANTIZATION_H
#define NACRE_LIB_CONVERSION_IETOVPU_QUANTIZATION_H

#include "Common.h"

#include "nacre/Dialect/IE/IR/Quantization.h"

namespace nacre {

/// The post-processing that an activation of IE is; null when `op` is none or
/// the engine has none for its parameters.
VPU::PPEAttr getActivation(mlir::Operation *op);

/// The elements of a constant of 8-bit weights as the engine's signed ones,
/// given the zero point they have in the model (null for zero). Nothing when
/// the value is not constant or its zero is not the signed one.
std::optional<llvm::SmallVector<int8_t, 0>>
getConstantWeights(mlir::Value value, mlir::Value zeroPoint);

/// A constant zero point of one element (null for zero) of a model's `bytes`,
/// as the engine's bytes have it.
std::optional<int64_t> getZeroPoint(mlir::Value zeroPoint, mlir::Value bytes);

/// What 8-bit values that `op` dequantizes stand for; null unless the engine
/// knows: there is one constant scale and zero point.
VPU::QuantAttr getQuant(IE::DequantizeLinearOp op);

/// The engine's zero point for a quantization that only rounds, shifts and
/// saturates to 8-bit integers: its scale is 1.
std::optional<int64_t> getRoundingZeroPoint(IE::QuantizeLinearOp op);

/// What happens to sums of integers: y = ppe(sums * scale + bias), quantized
/// where `ppe` says so. Scale and bias have one element per channel, or none.
struct SumsEpilogue {
  /// The last op of the chain, whose result is y.
  mlir::Operation *last = nullptr;
  llvm::SmallVector<float> scale, bias;
  VPU::PPEAttr ppe;
};

/// The chain of only uses that follows 32-bit `sums` whose channels are
/// dimension `dim`; nothing where it does not start with a conversion to f32.
std::optional<SumsEpilogue> collectEpilogue(mlir::Value sums, int64_t dim);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_QUANTIZATION_H
