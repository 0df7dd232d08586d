//===- Pooling.cpp - Pooling ----------------------------------------------===//
//
// Type inference, verification and folding of the IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

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
