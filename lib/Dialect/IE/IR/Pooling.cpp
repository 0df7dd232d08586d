//===- Pooling.cpp - Pooling ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Pooling.cpp.inc"

void IEDialect::registerPoolingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Pooling.cpp.inc"
      >();
}

/// The window of a pooling op over the spatial dimensions of its input.
template <typename OpT>
static FailureOr<Window> resolvePool(std::optional<Location> location,
                                     RankedTensorType input, OpT op) {
  if (input.getRank() < 3 || input.getRank() > 5) {
    (void)emitOptionalError(
        location, "expected an input with 1 to 3 spatial dimensions, found ",
        input);
    return failure();
  }
  if (op.getKernelShape().empty()) {
    (void)emitOptionalError(location, "expected a 'kernel_shape'");
    return failure();
  }
  WindowAttributes attributes = getWindowAttributes(op, op.getKernelShape());
  attributes.ceilMode = op.getCeilMode() != 0;
  return resolveWindow(location, input.getShape().drop_front(2), attributes);
}

template <typename AdaptorT>
static LogicalResult inferPool(std::optional<Location> location,
                               AdaptorT adaptor,
                               SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<Window> window = resolvePool(location, input, adaptor);
  if (failed(window)) {
    return failure();
  }
  SmallVector<int64_t> shape(input.getShape().take_front(2));
  llvm::append_range(shape, window->output);
  inferred.push_back(input.clone(shape));
  return success();
}

/// Windows of the ops themselves, for lowering and interpretation.
template <typename OpT> static FailureOr<Window> getPoolWindow(OpT op) {
  return resolvePool(op.getLoc(),
                     cast<RankedTensorType>(op.getInput().getType()), op);
}

FailureOr<Window> MaxPoolOp::getWindow() { return getPoolWindow(*this); }
FailureOr<Window> MaxPoolWithIndicesOp::getWindow() {
  return getPoolWindow(*this);
}
FailureOr<Window> AveragePoolOp::getWindow() { return getPoolWindow(*this); }

template <typename OpT>
static SizedWindow buildPoolWindow(SizeBuilder &sizes, OpT op) {
  Sizes input = sizes.getSizes(op.getInput());
  WindowAttributes attributes = getWindowAttributes(op, op.getKernelShape());
  attributes.ceilMode = op.getCeilMode() != 0;
  return buildWindow(sizes, ArrayRef(input).drop_front(2),
                     getAsIndexOpFoldResult(op.getContext(), attributes.kernel),
                     attributes);
}

SizedWindow MaxPoolOp::getWindow(SizeBuilder &sizes) {
  return buildPoolWindow(sizes, *this);
}
SizedWindow MaxPoolWithIndicesOp::getWindow(SizeBuilder &sizes) {
  return buildPoolWindow(sizes, *this);
}
SizedWindow AveragePoolOp::getWindow(SizeBuilder &sizes) {
  return buildPoolWindow(sizes, *this);
}

template <typename OpT>
static LogicalResult buildPoolSizes(SizeBuilder &sizes, OpT op,
                                    ReifiedRankedShapedTypeDims &results) {
  Sizes result = {sizes.getSize(op.getInput(), 0),
                  sizes.getSize(op.getInput(), 1)};
  llvm::append_range(result, buildPoolWindow(sizes, op).output);
  results.assign(op->getNumResults(), result);
  return success();
}

LogicalResult MaxPoolOp::buildSizes(SizeBuilder &sizes,
                                    ReifiedRankedShapedTypeDims &results) {
  return buildPoolSizes(sizes, *this, results);
}
LogicalResult
MaxPoolWithIndicesOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  return buildPoolSizes(sizes, *this, results);
}
LogicalResult AveragePoolOp::buildSizes(SizeBuilder &sizes,
                                        ReifiedRankedShapedTypeDims &results) {
  return buildPoolSizes(sizes, *this, results);
}

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  return inferPool(location, adaptor, inferred);
}

LogicalResult MaxPoolWithIndicesOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  if (failed(inferPool(location, adaptor, inferred))) {
    return failure();
  }
  inferred.push_back(cast<RankedTensorType>(inferred.front())
                         .clone(IntegerType::get(context, 64)));
  return success();
}

LogicalResult AveragePoolOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  return inferPool(location, adaptor, inferred);
}

/// The shape of the tensor that was pooled.
template <typename OpT>
static FailureOr<SmallVector<int64_t>>
computePooledShape(std::optional<Location> location, OpT op) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> shape(input.getShape());
  size_t spatial = op.getKernelShape().size();
  ArrayRef<int64_t> pads = op.getPads().value_or(ArrayRef<int64_t>());
  ArrayRef<int64_t> strides = op.getStrides().value_or(ArrayRef<int64_t>());
  if (spatial == 0 || shape.size() != spatial + 2 ||
      (!pads.empty() && pads.size() != 2 * spatial) ||
      (!strides.empty() && strides.size() != spatial)) {
    (void)emitOptionalError(
        location,
        "expected as many values in 'kernel_shape', 'strides' and "
        "half of 'pads' as the input has spatial dimensions, found ",
        input);
    return failure();
  }
  for (size_t i = 0; i < spatial; ++i) {
    if (ShapedType::isDynamic(shape[i + 2])) {
      continue;
    }
    // Checked against overflow: the attributes come from the model.
    int64_t kernel = op.getKernelShape()[i];
    int64_t stride = strides.empty() ? 1 : strides[i];
    int64_t pad = 0, size = 0;
    bool overflows =
        (!pads.empty() && llvm::AddOverflow(pads[i], pads[i + spatial], pad)) ||
        llvm::MulOverflow(shape[i + 2] - 1, stride, size) ||
        llvm::AddOverflow(size, kernel, size) ||
        llvm::SubOverflow(size, pad, size);
    if (overflows || kernel < 1 || stride < 1 || size < 0) {
      (void)emitOptionalError(location,
                              "expected a window that fits dimension ", i + 2,
                              " of ", input, ", found kernel ", kernel,
                              ", stride ", stride, " and pads ", pad);
      return failure();
    }
    shape[i + 2] = size;
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, input.getElementType());
  return failed(type) ? FailureOr<SmallVector<int64_t>>(failure())
                      : FailureOr<SmallVector<int64_t>>(shape);
}

LogicalResult MaxUnpoolOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<SmallVector<int64_t>> shape = computePooledShape(location, adaptor);
  if (failed(shape)) {
    return failure();
  }
  if (adaptor.getOutputShape()) {
    std::optional<SmallVector<int64_t>> given =
        getConstantInts(adaptor.getOutputShape());
    shape->assign(input.getRank(), ShapedType::kDynamic);
    if (given && given->size() != shape->size()) {
      return emitOptionalError(location, "expected an output shape of rank ",
                               input.getRank(), ", found ", given->size(),
                               " values");
    }
    if (given) {
      shape = *given;
    }
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location, *shape, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

FailureOr<SmallVector<int64_t>> MaxUnpoolOp::getPooledShape() {
  return computePooledShape(getLoc(), *this);
}

Sizes MaxUnpoolOp::getPooledSizes(SizeBuilder &sizes) {
  Sizes result = sizes.getSizes(getInput());
  size_t spatial = result.size() - 2;
  ArrayRef<int64_t> pads = getPads().value_or(ArrayRef<int64_t>());
  ArrayRef<int64_t> strides = getStrides().value_or(ArrayRef<int64_t>());
  for (size_t i = 0; i < spatial; ++i) {
    OpFoldResult &size = result[i + 2];
    int64_t pad = pads.empty() ? 0 : pads[i] + pads[i + spatial];
    OpFoldResult last = sizes.subtract(size, sizes.number(1));
    OpFoldResult step = sizes.number(strides.empty() ? 1 : strides[i]);
    size = sizes.max(
        sizes.add(sizes.multiply({last, step}), getKernelShape()[i] - pad),
        sizes.number(0));
  }
  return result;
}

LogicalResult MaxUnpoolOp::buildSizes(SizeBuilder &sizes,
                                      ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(getPooledSizes(sizes));
  if (getOutputShape()) {
    for (auto [i, size] : llvm::enumerate(result)) {
      size = sizes.getElement(getOutputShape(), static_cast<int64_t>(i));
    }
  }
  return success();
}

LogicalResult MaxUnpoolOp::verify() {
  auto indices = cast<RankedTensorType>(getIndices().getType());
  if (failed(verifyCompatibleShape(
          indices.getShape(),
          cast<RankedTensorType>(getInput().getType()).getShape()))) {
    return emitOpError("expected an index for each element of ")
           << getInput().getType() << ", found " << indices;
  }
  FailureOr<SmallVector<int64_t>> shape = getPooledShape();
  if (failed(shape)) {
    return failure();
  }
  auto output = cast<RankedTensorType>(getOutput().getType());
  bool fits = output.getRank() == static_cast<int64_t>(shape->size());
  for (int64_t i = 0; fits && i < output.getRank(); ++i) {
    fits = output.isDynamicDim(i) || ShapedType::isDynamic((*shape)[i]) ||
           (i < 2 ? output.getDimSize(i) == (*shape)[i]
                  : output.getDimSize(i) >= (*shape)[i]);
  }
  if (!fits) {
    auto pooled = RankedTensorType::get(*shape, output.getElementType());
    return emitOpError("expected a result of at least ")
           << pooled << ", found " << output;
  }
  return success();
}

static LogicalResult inferGlobalPool(std::optional<Location> location,
                                     Value input,
                                     SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getRank() < 3) {
    return emitOptionalError(
        location, "expected an input with spatial dimensions, found ", type);
  }
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[0] = type.getDimSize(0);
  shape[1] = type.getDimSize(1);
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult GlobalAveragePoolOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferGlobalPool(location, adaptor.getInput(), inferred);
}

LogicalResult GlobalMaxPoolOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferGlobalPool(location, adaptor.getInput(), inferred);
}

static LogicalResult
buildGlobalPoolSizes(SizeBuilder &sizes, Value input,
                     ReifiedRankedShapedTypeDims &results) {
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  Sizes &result = results.emplace_back(rank, sizes.number(1));
  result[0] = sizes.getSize(input, 0);
  result[1] = sizes.getSize(input, 1);
  return success();
}

LogicalResult
GlobalAveragePoolOp::buildSizes(SizeBuilder &sizes,
                                ReifiedRankedShapedTypeDims &results) {
  return buildGlobalPoolSizes(sizes, getInput(), results);
}

LogicalResult
GlobalMaxPoolOp::buildSizes(SizeBuilder &sizes,
                            ReifiedRankedShapedTypeDims &results) {
  return buildGlobalPoolSizes(sizes, getInput(), results);
}
