//===- ChannelScaling.h - Factors for channels of values --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ie-equalize and ie-smooth have in common: products whose weights take
// factors, what rounding is expected to do to their results, and the record of
// what was rescaled.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_CHANNELSCALING_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_CHANNELSCALING_H

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Quantization/Calibrators.h"

namespace nacre::IE {

/// A product whose constants are changed. Those of the op are the ones that it
/// had until commit().
class ScalableProduct {
public:
  /// Null where the op is no product, or its weights or bias take no factors.
  static std::unique_ptr<ScalableProduct> find(mlir::Operation *op);

  mlir::Operation *getOp() const { return operands.input->getOwner(); }
  mlir::Value getInput() const { return operands.input->get(); }
  /// The dimension of the input, and of the result, that is its channels.
  int64_t getInputDim() const;
  int64_t getResultDim() const;
  size_t getNumInputs() const { return shape[operands.inputAxis] * groups; }
  size_t getNumChannels() const { return shape[operands.channelAxis]; }

  /// The largest weight that reads each channel of the input, and that computes
  /// each of the result.
  std::vector<double> getInputRanges() const;
  std::vector<double> getChannelRanges() const;

  /// Has the input's channels be multiplied by factors, or the result's.
  void takeInputs(llvm::ArrayRef<float> factors);
  void giveChannels(llvm::ArrayRef<float> factors);

  /// The mean squared error of each channel of the result, from errors of the
  /// input and from the rounding of weights to int8, which inputs of these mean
  /// squares are multiplied by.
  std::vector<double> getNoise(llvm::ArrayRef<double> inputErrors,
                               llvm::ArrayRef<double> inputSquares,
                               bool perChannel) const;

  void commit();

private:
  template <typename Visitor> void forEachWeight(Visitor visit) const;

  LinearOperands operands;
  int64_t groups = 1;
  llvm::SmallVector<int64_t> shape;
  std::vector<float> weights, bias;
  bool isChanged = false;
};

/// A value whose channels take factors.
struct Link {
  /// What computes it; null where nothing that is rounded does.
  ScalableProduct *producer = nullptr;
  mlir::Value value;
  /// All that reads it, at the place of their input.
  llvm::SmallVector<ScalableProduct *> consumers;
};

class ChannelScaler {
public:
  ChannelScaler(mlir::func::FuncOp function,
                std::shared_ptr<const KnownRanges> ranges,
                const quantization::CalibrationOptions &options,
                bool perChannel);

  const ValueKeys &getKeys() const { return keys; }
  const KnownRanges &getRanges() const { return *ranges; }
  /// The product that an op is; null where it is none.
  ScalableProduct *getProduct(mlir::Operation *op);

  /// What is known of a value now, if that is each of its channels: the indices
  /// of dimension `dim`. Null where nothing is, where nothing should be changed
  /// of it, or where it is not quantized.
  const quantization::ValueProfile *getProfile(mlir::Value value, int64_t dim);

  /// The mean squared error of all results of a link whose value gets factors;
  /// nothing where too little is known.
  std::optional<double> estimateNoise(const Link &link,
                                      llvm::ArrayRef<float> factors);

  /// Has the products of a link take factors, and the value have them.
  void apply(const Link &link, llvm::ArrayRef<float> factors);

private:
  struct Known {
    quantization::ValueProfile profile;
    bool isUsable = false;
  };
  Known &find(mlir::Value value);

  std::shared_ptr<const KnownRanges> ranges;
  quantization::CalibrationOptions options;
  bool perChannel;
  ValueKeys keys;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<ScalableProduct>> products;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Known>> known;
};

/// The largest magnitude of each channel.
std::vector<double> getMagnitudes(const quantization::ValueProfile &profile);

/// Numbers as factors: 1 in the geometric mean, and for those that are none.
std::vector<float> makeFactors(llvm::ArrayRef<double> numbers);

/// The factors of the least noise, with the decibels that they gain; nothing
/// where that is less than half of one.
struct ChosenFactors {
  std::vector<float> factors;
  double decibels;
};
std::optional<ChosenFactors>
chooseFactors(ChannelScaler &scaler, const Link &link,
              llvm::ArrayRef<std::vector<float>> candidates);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_CHANNELSCALING_H
