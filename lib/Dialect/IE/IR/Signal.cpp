//===- Signal.cpp - Spectra of signals
//-------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: spectra of
// signals.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Signal.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Signal.cpp.inc"

void IEDialect::registerSignalOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Signal.cpp.inc"
      >();
}

/// The only element of a constant scalar; nothing when it is not constant.
static std::optional<int64_t> getConstantInt(Value value) {
  std::optional<SmallVector<int64_t>> elements = getConstantInts(value);
  return elements && elements->size() == 1 ? std::optional(elements->front())
                                           : std::nullopt;
}

/// How many elements of a transform of `length` there are.
static int64_t countBins(int64_t length, bool onesided) {
  return onesided && !ShapedType::isDynamic(length) ? length / 2 + 1 : length;
}

static LogicalResult checkLength(std::optional<Location> location,
                                 int64_t length) {
  // What is more than that only a damaged model asks for.
  constexpr int64_t kLongest = int64_t(1) << 31;
  if (!ShapedType::isDynamic(length) && (length < 1 || length > kLongest)) {
    return emitOptionalError(location,
                             "expected a positive length of a transform, "
                             "found ",
                             length);
  }
  return success();
}

/// Checks the last dimension, of real and imaginary part.
static LogicalResult checkParts(std::optional<Location> location,
                                RankedTensorType type) {
  int64_t parts = type.getShape().back();
  if (!ShapedType::isDynamic(parts) && parts != 1 && parts != 2) {
    return emitOptionalError(
        location, "expected a last dimension of 1 or 2, found ", type);
  }
  return success();
}

static LogicalResult verifyOnesided(Operation *op, Value signal,
                                    bool onesided) {
  if (onesided && getTensorType(signal).getShape().back() == 2) {
    return op->emitOpError("expected a real signal where 'onesided' is 1, "
                           "found ")
           << signal.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DFT
//===----------------------------------------------------------------------===//

LogicalResult DFTOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  int64_t rank = input.getRank();
  if (rank < 2) {
    return emitOptionalError(
        location, "expected an input of rank 2 or more, found ", input);
  }
  if (failed(checkParts(location, input)) ||
      failed(checkScalar(location, adaptor.getDftLength())) ||
      failed(checkScalar(location, adaptor.getAxis()))) {
    return failure();
  }
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = 2;
  std::optional<int64_t> axis =
      adaptor.getAxis() ? getConstantInt(adaptor.getAxis()) : -2;
  if (!axis) {
    // Any dimension may change, unless none does.
    if (adaptor.getDftLength() || adaptor.getOnesided() != 0) {
      std::fill(shape.begin(), shape.end() - 1, ShapedType::kDynamic);
    }
    inferred.push_back(input.clone(shape));
    return success();
  }
  FailureOr<int64_t> normalized = normalizeAxis(location, *axis, rank);
  if (failed(normalized)) {
    return failure();
  }
  if (*normalized == rank - 1) {
    return emitOptionalError(location, "expected an axis other than the last, "
                                       "of real and imaginary part");
  }
  int64_t length = input.getDimSize(*normalized);
  if (adaptor.getDftLength()) {
    length =
        getConstantInt(adaptor.getDftLength()).value_or(ShapedType::kDynamic);
  }
  if (failed(checkLength(location, length))) {
    return failure();
  }
  shape[*normalized] = countBins(length, adaptor.getOnesided() != 0);
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult DFTOp::verify() {
  if (getInverse() != 0 && getOnesided() != 0) {
    return emitOpError("expected 'onesided' = 0 where 'inverse' is 1");
  }
  return getTensorType(getInput()).getRank() == 0
             ? success() // type inference, which comes after this, says so
             : verifyOnesided(*this, getInput(), getOnesided() != 0);
}

//===----------------------------------------------------------------------===//
// STFT
//===----------------------------------------------------------------------===//

LogicalResult STFTOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  RankedTensorType signal = getTensorType(adaptor.getSignal());
  if (signal.getRank() != 3) {
    return emitOptionalError(
        location, "expected a signal (batch, length, 1 or 2), found ", signal);
  }
  if (failed(checkParts(location, signal)) ||
      failed(checkScalar(location, adaptor.getFrameStep())) ||
      failed(checkScalar(location, adaptor.getFrameLength()))) {
    return failure();
  }
  if (!adaptor.getWindow() && !adaptor.getFrameLength()) {
    return emitOptionalError(location, "expected a window or a frame length");
  }
  int64_t length = ShapedType::kDynamic;
  if (adaptor.getFrameLength()) {
    length = getConstantInt(adaptor.getFrameLength()).value_or(length);
  }
  if (adaptor.getWindow()) {
    FailureOr<int64_t> size = getVectorLength(location, adaptor.getWindow());
    if (failed(size)) {
      return failure();
    }
    if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(*size) &&
        length != *size) {
      return emitOptionalError(location, "expected a window of ", length,
                               " elements, found ", *size);
    }
    length = ShapedType::isDynamic(length) ? *size : length;
  }
  if (failed(checkLength(location, length))) {
    return failure();
  }
  std::optional<int64_t> step = getConstantInt(adaptor.getFrameStep());
  if (step && *step < 1) {
    return emitOptionalError(location, "expected a positive frame step, found ",
                             *step);
  }
  int64_t frames = ShapedType::kDynamic, available = signal.getDimSize(1);
  if (step && !ShapedType::isDynamic(length) &&
      !ShapedType::isDynamic(available)) {
    if (length > available) {
      return emitOptionalError(location, "expected frames within the signal's ",
                               available, " elements, found frames of ",
                               length);
    }
    frames = (available - length) / *step + 1;
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location,
                     {signal.getDimSize(0), frames,
                      countBins(length, adaptor.getOnesided() != 0), 2},
                     signal.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult STFTOp::verify() {
  return getTensorType(getSignal()).getRank() == 0
             ? success() // type inference, which comes after this, says so
             : verifyOnesided(*this, getSignal(), getOnesided() != 0);
}

//===----------------------------------------------------------------------===//
// MelWeightMatrix
//===----------------------------------------------------------------------===//

LogicalResult MelWeightMatrixOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  for (Value operand : adaptor.getOperands()) {
    if (failed(checkScalar(location, operand))) {
      return failure();
    }
  }
  auto getPositive = [&](Value operand, StringRef name) -> FailureOr<int64_t> {
    int64_t value = getConstantInt(operand).value_or(ShapedType::kDynamic);
    if (!ShapedType::isDynamic(value) && value < 1) {
      return emitOptionalError(location, "expected a positive ", name,
                               ", found ", value);
    }
    return value;
  };
  FailureOr<int64_t> bins =
      getPositive(adaptor.getNumMelBins(), "number of bins");
  FailureOr<int64_t> length =
      getPositive(adaptor.getDftLength(), "length of a transform");
  if (failed(bins) || failed(length) ||
      failed(getPositive(adaptor.getSampleRate(), "sample rate"))) {
    return failure();
  }
  Type element = adaptor.getOutputDatatypeAttr()
                     ? adaptor.getOutputDatatypeAttr().getValue()
                     : Float32Type::get(context);
  FailureOr<RankedTensorType> type =
      getCheckedType(location, {countBins(*length, true), *bins}, element);
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static OpFoldResult countBins(SizeBuilder &sizes, OpFoldResult length,
                              bool onesided) {
  return onesided ? sizes.add(sizes.divideDown(length, sizes.number(2)), 1)
                  : length;
}

LogicalResult DFTOp::buildSizes(SizeBuilder &sizes,
                                ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  int64_t rank = result.size();
  result.back() = sizes.number(2);
  OpFoldResult axis = sizes.number(rank - 2);
  if (getAxis()) {
    axis = sizes.getElement(getAxis(), 0);
    axis = sizes.ifLess(axis, sizes.number(0), sizes.add(axis, rank), axis);
  }
  for (int64_t i = 0; i < rank - 1; ++i) {
    OpFoldResult length =
        getDftLength() ? sizes.getElement(getDftLength(), 0) : result[i];
    OpFoldResult bins = countBins(sizes, length, getOnesided() != 0);
    result[i] = sizes.ifEqual(axis, sizes.number(i), bins, result[i]);
  }
  return success();
}

LogicalResult STFTOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  OpFoldResult length = getWindow() ? sizes.getSize(getWindow(), 0)
                                    : sizes.getElement(getFrameLength(), 0);
  OpFoldResult available = sizes.getSize(getSignal(), 1);
  sizes.requireAtMost(length, available, "frames longer than the signal");
  OpFoldResult step = sizes.getElement(getFrameStep(), 0);
  sizes.requireAtMost(sizes.number(1), step, "a step of 0 or less");
  OpFoldResult frames =
      sizes.add(sizes.divideDown(sizes.subtract(available, length), step), 1);
  results.push_back({sizes.getSize(getSignal(), 0), frames,
                     countBins(sizes, length, getOnesided() != 0),
                     sizes.number(2)});
  return success();
}

LogicalResult
MelWeightMatrixOp::buildSizes(SizeBuilder &sizes,
                              ReifiedRankedShapedTypeDims &results) {
  results.push_back(
      {countBins(sizes, sizes.getElement(getDftLength(), 0), true),
       sizes.getElement(getNumMelBins(), 0)});
  return success();
}
