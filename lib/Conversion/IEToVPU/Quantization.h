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

/// The differences of constant 8-bit weights, (M, …), and their constant zero
/// point, one or one for each of M, or null for zero, as floats.
std::optional<llvm::SmallVector<float>> getExactWeights(mlir::Value value,
                                                        mlir::Value zeroPoint);

/// A constant zero point of one element (null for zero) of a model's `bytes`,
/// as the engine's bytes have it.
std::optional<int64_t> getZeroPoint(mlir::Value zeroPoint, mlir::Value bytes);

/// The zero point of the engine's bytes.
class ZeroPoint {
public:
  /// What `value`, one element or null for zero, is for a model's `bytes`;
  /// nothing where it has several, or where it is computed at run time and must
  /// not be.
  static std::optional<ZeroPoint> get(mlir::Value value, mlir::Value bytes,
                                      bool mayBeComputed);

  /// The number, if it is a constant.
  std::optional<int64_t> getKnown() const { return known; }
  bool isZero() const { return known == 0; }

  /// Minus what a known one adds to sums of products with weights whose `sums`
  /// for each channel these are, and `addends`, one for each channel or none.
  llvm::SmallVector<int32_t> getOffsets(llvm::ArrayRef<int32_t> sums,
                                        llvm::ArrayRef<int32_t> addends) const;

  /// The same of any, packed as 32-bit integers. Null where that is nothing.
  mlir::Value buildOffset(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<int32_t> sums,
                          llvm::ArrayRef<int32_t> addends,
                          BlockedLayout layout) const;

  /// Images are padded with it.
  Padding buildPadding(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  std::optional<int64_t> known;
  /// A scalar of the model's bytes.
  mlir::Value value;
};

/// What 8-bit values that `op` dequantizes stand for; null unless the engine
/// knows: there is one constant scale and zero point.
VPU::QuantAttr getQuant(IE::DequantizeLinearOp op);

/// The engine's zero point for a quantization that only rounds, shifts and
/// saturates to 8-bit integers: its scale is 1.
std::optional<int64_t> getRoundingZeroPoint(IE::QuantizeLinearOp op);

/// A number for each channel: constants, or computed at run time.
class ChannelNumbers {
public:
  ChannelNumbers() = default;

  /// `value` as the numbers of dimension `dim` of a tensor of `type`, to which
  /// it broadcasts; nothing where it is not.
  static std::optional<ChannelNumbers> get(mlir::Value value,
                                           mlir::RankedTensorType type,
                                           int64_t dim, bool mayBeComputed);

  explicit operator bool() const { return !known.empty() || value; }

  /// The constants, if they are.
  llvm::ArrayRef<float> getKnown() const { return known; }

  /// Packed, in blocks; null where there are none.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    BlockedLayout layout) const;

private:
  std::vector<float> known;
  /// Of one element, or one for each of `channels`.
  mlir::Value value;
  int64_t channels = 0;
};

/// What happens to sums of integers: y = ppe((sums + addends) * scale + bias),
/// quantized where `ppe` says so, or sums + addends.
struct SumsEpilogue {
  /// The last op of the chain, whose result is y.
  mlir::Operation *last = nullptr;
  /// One for each channel, or none.
  llvm::SmallVector<int32_t> addends;
  ChannelNumbers scale, bias;
  VPU::PPEAttr ppe;
  /// The result's elements: 32-bit integers, f32, or the engine's bytes.
  mlir::Type elementType;

  /// The engine's result, whose bytes are the model's already, in the type of
  /// the last op.
  mlir::Value buildResult(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value) const;
};

/// The chain of only uses that follows the 32-bit sums that `op` results in,
/// whose channels are dimension `dim`. Where it may not contain numbers that
/// are computed at run time, it may not end as integers of 32 bits, either.
std::optional<SumsEpilogue> collectEpilogue(mlir::Operation *op, int64_t dim,
                                            bool mayBeComputed);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_QUANTIZATION_H
