//===- Indexing.cpp - Element access by index -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family: element
// access by index.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Indexing.cpp.inc"

void IEDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Indexing.cpp.inc"
      >();
}

static bool mayDiffer(int64_t lhs, int64_t rhs) {
  return !ShapedType::isDynamic(lhs) && !ShapedType::isDynamic(rhs) &&
         lhs != rhs;
}

/// Checks each constant index against the size of the dimension it addresses,
/// where both are known.
static LogicalResult checkConstantIndices(std::optional<Location> location,
                                          Value indices, int64_t dim) {
  std::optional<SmallVector<int64_t>> constant = getConstantInts(indices);
  if (!constant || ShapedType::isDynamic(dim)) {
    return success();
  }
  for (int64_t index : *constant) {
    if (index < -dim || index >= dim) {
      return emitOptionalError(location, "expected indices in [", -dim, ", ",
                               dim - 1, "], found ", index);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gather, GatherElements, GatherND
//===----------------------------------------------------------------------===//

SamplesOfResults GatherOp::followSamples(ArrayRef<MaybeSamples> operands) {
  const MaybeSamples &data = operands[0], &indices = operands[1];
  auto from = dyn_cast<RankedTensorType>(getData().getType());
  auto by = dyn_cast<RankedTensorType>(getIndices().getType());
  if (!from || !by) {
    return failure();
  }
  int64_t axis = getAxis();
  axis += axis < 0 ? from.getRank() : 0;
  if (!data) {
    return SmallVector<MaybeSamples>{
        SamplePlace{axis + indices->dim, indices->size}};
  }
  if (indices || data->dim == axis) {
    return failure();
  }
  int64_t shift = data->dim < axis ? 0 : by.getRank() - 1;
  return SmallVector<MaybeSamples>{SamplePlace{data->dim + shift, data->size}};
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  RankedTensorType data = getTensorType(adaptor.getData());
  RankedTensorType indices = getTensorType(adaptor.getIndices());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), data.getRank());
  if (failed(axis) ||
      failed(checkConstantIndices(location, adaptor.getIndices(),
                                  data.getDimSize(*axis)))) {
    return failure();
  }
  SmallVector<int64_t> shape(data.getShape().take_front(*axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, data.getShape().drop_front(*axis + 1));
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, data.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult GatherOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getData()));
  Sizes chosen = sizes.getSizes(getIndices());
  int64_t axis = getAxis();
  axis += axis < 0 ? static_cast<int64_t>(result.size()) : 0;
  result.erase(result.begin() + axis);
  result.insert(result.begin() + axis, chosen.begin(), chosen.end());
  return success();
}

LogicalResult
GatherElementsOp::buildSizes(SizeBuilder &sizes,
                             ReifiedRankedShapedTypeDims &results) {
  results.push_back(sizes.getSizes(getIndices()));
  return success();
}

/// What GatherElements and ScatterElements ask of `indices`.
static LogicalResult checkElementIndices(std::optional<Location> location,
                                         RankedTensorType data, Value indices,
                                         int64_t axis) {
  RankedTensorType type = getTensorType(indices);
  if (type.getRank() != data.getRank()) {
    return emitOptionalError(location, "expected indices of rank ",
                             data.getRank(), ", found ", type);
  }
  FailureOr<int64_t> normalized = normalizeAxis(location, axis, data.getRank());
  if (failed(normalized)) {
    return failure();
  }
  for (int64_t i = 0; i < data.getRank(); ++i) {
    int64_t size = type.getDimSize(i), bound = data.getDimSize(i);
    if (i != *normalized && !ShapedType::isDynamic(size) &&
        !ShapedType::isDynamic(bound) && size > bound) {
      return emitOptionalError(location, "expected indices within ", data,
                               " outside the axis, found ", type);
    }
  }
  return checkConstantIndices(location, indices, data.getDimSize(*normalized));
}

LogicalResult GatherElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType data = getTensorType(adaptor.getData());
  if (failed(checkElementIndices(location, data, adaptor.getIndices(),
                                 adaptor.getAxis()))) {
    return failure();
  }
  inferred.push_back(
      getTensorType(adaptor.getIndices()).clone(data.getElementType()));
  return success();
}

LogicalResult GatherNDOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  RankedTensorType data = getTensorType(adaptor.getData());
  RankedTensorType indices = getTensorType(adaptor.getIndices());
  int64_t batch = adaptor.getBatchDims();
  if (batch < 0 || batch >= indices.getRank() || batch > data.getRank()) {
    return emitOptionalError(location, "expected batch_dims below the rank of ",
                             indices, " and within that of ", data, ", found ",
                             batch);
  }
  for (int64_t i = 0; i < batch; ++i) {
    if (mayDiffer(data.getDimSize(i), indices.getDimSize(i))) {
      return emitOptionalError(location,
                               "expected equal batch dimensions, "
                               "found ",
                               data, " and ", indices);
    }
  }
  int64_t tuple = indices.getShape().back();
  // A tuple has an entry at least.
  if (ShapedType::isDynamic(tuple) && data.getRank() - batch == 1) {
    tuple = 1;
  }
  if (ShapedType::isDynamic(tuple)) {
    inferred.push_back(UnrankedTensorType::get(data.getElementType()));
    return success();
  }
  if (tuple > data.getRank() - batch) {
    return emitOptionalError(location, "expected index tuples of at most ",
                             data.getRank() - batch, " entries, found ", tuple);
  }
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, data.getShape().drop_front(batch + tuple));
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, data.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

int64_t GatherNDOp::getTupleLength() {
  RankedTensorType indices = getTensorType(getIndices());
  // The ranks say it, too.
  return indices.getRank() - 1 + getTensorType(getData()).getRank() -
         static_cast<int64_t>(getBatchDims()) -
         getTensorType(getOutput()).getRank();
}

LogicalResult GatherNDOp::buildSizes(SizeBuilder &sizes,
                                     ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getIndices()));
  int64_t length = getTupleLength();
  sizes.requireEqual(result.back(), sizes.number(length),
                     "index tuples of another length than the model declares");
  result.pop_back();
  Sizes data = sizes.getSizes(getData());
  result.append(data.begin() + getBatchDims() + length, data.end());
  return success();
}

//===----------------------------------------------------------------------===//
// ScatterElements, ScatterND
//===----------------------------------------------------------------------===//

LogicalResult ScatterElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType data = getTensorType(adaptor.getData());
  RankedTensorType updates = getTensorType(adaptor.getUpdates());
  if (failed(checkElementIndices(location, data, adaptor.getIndices(),
                                 adaptor.getAxis()))) {
    return failure();
  }
  if (failed(verifyCompatibleShape(updates,
                                   getTensorType(adaptor.getIndices())))) {
    return emitOptionalError(location, "expected updates in the shape of ",
                             adaptor.getIndices().getType(), ", found ",
                             updates);
  }
  inferred.push_back(data);
  return success();
}

LogicalResult ScatterNDOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  RankedTensorType data = getTensorType(adaptor.getData());
  RankedTensorType indices = getTensorType(adaptor.getIndices());
  RankedTensorType updates = getTensorType(adaptor.getUpdates());
  inferred.push_back(data);
  if (indices.getRank() == 0) {
    return emitOptionalError(location, "expected indices of rank 1 or more");
  }
  int64_t tuple = indices.getShape().back();
  if (ShapedType::isDynamic(tuple)) {
    return success();
  }
  if (tuple > data.getRank()) {
    return emitOptionalError(location, "expected index tuples of at most ",
                             data.getRank(), " entries, found ", tuple);
  }
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, data.getShape().drop_front(tuple));
  if (failed(verifyCompatibleShape(shape, updates.getShape()))) {
    return emitOptionalError(
        location, "expected updates of type ",
        RankedTensorType::get(shape, data.getElementType()), ", found ",
        updates);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// OneHot
//===----------------------------------------------------------------------===//

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  RankedTensorType indices = getTensorType(adaptor.getIndices());
  RankedTensorType values = getTensorType(adaptor.getValues());
  FailureOr<int64_t> numValues = getVectorLength(location, adaptor.getValues());
  if (failed(numValues) || failed(checkScalar(location, adaptor.getDepth()))) {
    return failure();
  }
  if (mayDiffer(*numValues, 2)) {
    return emitOptionalError(location, "expected 2 values, found ", values);
  }
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), indices.getRank() + 1);
  if (failed(axis)) {
    return failure();
  }
  int64_t depth = ShapedType::kDynamic;
  if (auto ints = getConstantInts(adaptor.getDepth())) {
    depth = ints->front();
  } else if (auto floats = getConstantFloats(adaptor.getDepth())) {
    depth = static_cast<int64_t>(floats->front());
  }
  SmallVector<int64_t> shape(indices.getShape());
  shape.insert(shape.begin() + *axis, depth);
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, values.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

template <typename OpT> static LogicalResult verifyScatter(OpT op) {
  if (op.getReduction() == "none") {
    return success();
  }
  Type element = getElementTypeOrSelf(op.getData());
  if (isa<StringType>(element)) {
    return op.emitOpError("expected no reduction of strings, found '")
           << op.getReduction() << "'";
  }
  if (isSmallNumber(element) || isa<ComplexType>(element)) {
    return op.emitOpError("expected no reduction of ")
           << element << ", found '" << op.getReduction() << "'";
  }
  return success();
}

LogicalResult ScatterElementsOp::verify() { return verifyScatter(*this); }
LogicalResult ScatterNDOp::verify() { return verifyScatter(*this); }

int64_t ScatterNDOp::getTupleLength() {
  return getTensorType(getIndices()).getRank() - 1 +
         getTensorType(getData()).getRank() -
         getTensorType(getUpdates()).getRank();
}

LogicalResult OneHotOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  auto type = cast<RankedTensorType>(getType());
  Sizes &result = results.emplace_back(sizes.getSizes(getIndices()));
  int64_t axis = getAxis();
  axis += axis < 0 ? type.getRank() : 0;
  OpFoldResult depth = sizes.number(0);
  if (isa<FloatType>(getElementTypeOrSelf(getDepth().getType()))) {
    OpBuilder &builder = sizes.getBuilder();
    Value integer =
        arith::FPToSIOp::create(builder, sizes.getLoc(), builder.getI64Type(),
                                sizes.getScalar(getDepth()));
    depth = arith::IndexCastOp::create(builder, sizes.getLoc(),
                                       builder.getIndexType(), integer)
                .getResult();
  } else {
    depth = sizes.getElement(getDepth(), 0);
  }
  sizes.requireAtMost(sizes.number(0), depth, "a negative depth");
  result.insert(result.begin() + axis, depth);
  return success();
}
