//===- Sorting.cpp - Elements by their order ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: sorting.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Sorting.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Sorting.cpp.inc"

void IEDialect::registerSortingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Sorting.cpp.inc"
      >();
}

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), input.getRank());
  if (failed(axis) || failed(checkScalar(location, adaptor.getK()))) {
    return failure();
  }
  SmallVector<int64_t> shape(input.getShape());
  int64_t length = shape[*axis];
  shape[*axis] = ShapedType::kDynamic;
  if (std::optional<SmallVector<int64_t>> k = getConstantInts(adaptor.getK())) {
    if (k->front() < 0) {
      return emitOptionalError(location, "expected k of 0 or more, found ",
                               k->front());
    }
    if (!ShapedType::isDynamic(length) && k->front() > length) {
      return emitOptionalError(location, "expected k between 0 and the ",
                               length, " elements of dimension ", *axis,
                               ", found ", k->front());
    }
    shape[*axis] = k->front();
  }
  inferred.push_back(input.clone(shape));
  inferred.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 64)));
  return success();
}

LogicalResult TopKOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  Sizes result = sizes.getSizes(getInput());
  int64_t axis = getAxis();
  axis += axis < 0 ? static_cast<int64_t>(result.size()) : 0;
  OpFoldResult k = sizes.getElement(getK(), 0);
  sizes.requireAtMost(sizes.number(0), k, "a negative number of elements");
  sizes.requireAtMost(k, result[axis], "more elements than there are");
  result[axis] = k;
  results.assign(2, result);
  return success();
}

LogicalResult TopKOp::verify() {
  // A declared result may be more static than the inferred one.
  auto input = cast<RankedTensorType>(getInput().getType());
  auto values = cast<RankedTensorType>(getValues().getType());
  int64_t axis = getAxis();
  axis += axis < 0 ? input.getRank() : 0;
  if (axis < 0 || axis >= input.getRank() ||
      values.getRank() != input.getRank()) {
    return success(); // type inference, which comes after this, says so
  }
  int64_t length = input.getDimSize(axis), k = values.getDimSize(axis);
  if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(k) &&
      k > length) {
    return emitOpError("expected at most the ")
           << length << " elements of dimension " << axis << ", found "
           << values;
  }
  if (failed(verifyCompatibleShape(
          values.getShape(),
          cast<ShapedType>(getIndices().getType()).getShape()))) {
    return emitOpError("expected values and indices of one shape, found ")
           << values << " and " << getIndices().getType();
  }
  return success();
}
