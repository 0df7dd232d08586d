//===- Quantization.cpp - Linear quantization -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: linear
// quantization.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Quantization.cpp.inc"

void IEDialect::registerQuantizationOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Quantization.cpp.inc"
      >();
}

std::pair<int64_t, int64_t> IE::getIntegerRange(Type type) {
  auto integer = cast<IntegerType>(type);
  unsigned bits = integer.getWidth();
  if (integer.isUnsigned()) {
    return {0, static_cast<int64_t>(llvm::maxUIntN(bits))};
  }
  return {llvm::minIntN(bits), llvm::maxIntN(bits)};
}

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// The dimension that `axis` counts, from the end where negative.
template <typename OpT> static int64_t normalizeDim(OpT op) {
  int64_t axis = op.getAxis();
  return axis < 0 ? axis + shapedType(op.getInput()).getRank() : axis;
}

template <typename OpT> static bool isPerTensor(OpT op) {
  ShapedType scale = shapedType(op.getScale());
  return scale.hasStaticShape() && scale.getNumElements() == 1;
}

template <typename OpT> static LogicalResult verifyZeroPoint(OpT op) {
  if (!op.getZeroPoint()) {
    return success();
  }
  ShapedType zeroPoint = shapedType(op.getZeroPoint());
  ShapedType scale = shapedType(op.getScale());
  if (failed(verifyCompatibleShape(zeroPoint.getShape(), scale.getShape()))) {
    return op.emitOpError("expected a zero point of the scale's shape, found ")
           << zeroPoint << " and " << scale;
  }
  return success();
}

template <typename OpT> static LogicalResult verifyAxis(OpT op) {
  int64_t dim = normalizeDim(op), rank = shapedType(op.getInput()).getRank();
  if (dim < 0 || dim >= rank) {
    return op.emitOpError("expected an axis within the input's rank ")
           << rank << ", found " << static_cast<int64_t>(op.getAxis());
  }
  return success();
}

template <typename OpT> static LogicalResult verifyQuantization(OpT op) {
  ShapedType input = shapedType(op.getInput());
  ShapedType scale = shapedType(op.getScale());
  if (scale.getRank() > 1 && !isPerTensor(op)) {
    return op.emitOpError("expected a scale of one element or one dimension, "
                          "found ")
           << scale;
  }
  if (failed(verifyZeroPoint(op))) {
    return failure();
  }
  if (isPerTensor(op)) {
    return success();
  }
  if (failed(verifyAxis(op))) {
    return failure();
  }
  int64_t dim = normalizeDim(op);
  if (failed(
          verifyCompatibleDims({input.getDimSize(dim), scale.getDimSize(0)}))) {
    return op.emitOpError("expected a scale for each of the ")
           << input.getDimSize(dim) << " indices of dimension " << dim
           << ", found " << scale;
  }
  return success();
}

template <typename OpT>
static SmallVector<int64_t> computeParameterShape(OpT op) {
  SmallVector<int64_t> shape(shapedType(op.getInput()).getRank(), 1);
  if (!isPerTensor(op)) {
    shape[normalizeDim(op)] = shapedType(op.getScale()).getDimSize(0);
  }
  return shape;
}

LogicalResult
QuantizeLinearOp::inferReturnTypes(MLIRContext *context,
                                   std::optional<Location>, Adaptor adaptor,
                                   SmallVectorImpl<Type> &inferred) {
  Type element = IntegerType::get(context, 8, IntegerType::Unsigned);
  if (adaptor.getZeroPoint()) {
    element = shapedType(adaptor.getZeroPoint()).getElementType();
  }
  inferred.push_back(shapedType(adaptor.getInput()).clone(element));
  return success();
}

LogicalResult QuantizeLinearOp::verify() { return verifyQuantization(*this); }

SmallVector<int64_t> QuantizeLinearOp::getParameterShape() {
  return computeParameterShape(*this);
}

LogicalResult
DequantizeLinearOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                     Adaptor adaptor,
                                     SmallVectorImpl<Type> &inferred) {
  inferred.push_back(
      shapedType(adaptor.getInput())
          .clone(shapedType(adaptor.getScale()).getElementType()));
  return success();
}

/// The invariants of parameters that belong to blocks.
static LogicalResult verifyBlocks(DequantizeLinearOp op) {
  int64_t size = op.getBlockSize();
  if (size < 0) {
    return op.emitOpError("expected a block_size that is not negative, found ")
           << size;
  }
  if (failed(verifyAxis(op))) {
    return failure();
  }
  ShapedType scale = shapedType(op.getScale());
  SmallVector<int64_t> shape(shapedType(op.getInput()).getShape());
  int64_t &length = shape[op.getDim()];
  length = ShapedType::isDynamic(length) ? length : ceilDiv(length, size);
  if (failed(verifyCompatibleShape(scale.getShape(), shape))) {
    return op.emitOpError("expected a scale of shape ")
           << scale.clone(shape) << " for blocks of " << size << ", found "
           << scale;
  }
  return verifyZeroPoint(op);
}

LogicalResult DequantizeLinearOp::verify() {
  if (getZeroPoint() && shapedType(getZeroPoint()).getElementType() !=
                            shapedType(getInput()).getElementType()) {
    return emitOpError("expected a zero point of the input's type, found ")
           << getZeroPoint().getType() << " and " << getInput().getType();
  }
  return isBlocked() ? verifyBlocks(*this) : verifyQuantization(*this);
}

int64_t DequantizeLinearOp::getDim() { return normalizeDim(*this); }

SmallVector<int64_t> DequantizeLinearOp::getParameterShape() {
  return isBlocked() ? SmallVector<int64_t>(shapedType(getScale()).getShape())
                     : computeParameterShape(*this);
}

LogicalResult DynamicQuantizeLinearOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location>, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  ShapedType input = shapedType(adaptor.getInput());
  Type byte = IntegerType::get(context, 8, IntegerType::Unsigned);
  inferred.push_back(input.clone(byte));
  inferred.push_back(RankedTensorType::get({}, input.getElementType()));
  inferred.push_back(RankedTensorType::get({}, byte));
  return success();
}

LogicalResult
DynamicQuantizeLinearOp::buildSizes(SizeBuilder &sizes,
                                    ReifiedRankedShapedTypeDims &results) {
  results = {sizes.getSizes(getInput()), {}, {}};
  return success();
}
