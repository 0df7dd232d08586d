//===- Reduction.cpp - Reductions along axes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// reductions along axes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Reduction.cpp.inc"

void IEDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Reduction.cpp.inc"
      >();
}

SmallVector<int64_t> IE::reduceShape(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> axes, bool keepDims) {
  SmallVector<int64_t> result;
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(i))) {
      result.push_back(dim);
    } else if (keepDims) {
      result.push_back(1);
    }
  }
  return result;
}

SmallVector<SmallVector<int64_t>>
IE::findReducedAxes(RankedTensorType inputType, Value axes,
                    RankedTensorType resultType) {
  // How many axes there are is the length of the operand; which ones is clear
  // when exactly one choice gives the declared shape.
  ArrayRef<int64_t> count = cast<RankedTensorType>(axes.getType()).getShape();
  int64_t rank = inputType.getRank();
  bool keepDims = resultType.getRank() == rank;
  SmallVector<SmallVector<int64_t>> found;
  for (uint64_t mask = 1;
       mask < (uint64_t(1) << std::min<int64_t>(rank, 16)) && found.size() < 2;
       ++mask) {
    SmallVector<int64_t> candidate;
    for (int64_t axis = 0; axis < rank; ++axis) {
      if (mask >> axis & 1) {
        candidate.push_back(axis);
      }
    }
    if (count.size() == 1 &&
        count[0] == static_cast<int64_t>(candidate.size()) &&
        reduceShape(inputType.getShape(), candidate, keepDims) ==
            resultType.getShape()) {
      found.push_back(candidate);
    }
  }
  return found;
}

std::optional<SmallVector<int64_t>>
IE::getReducedAxes(Value input, Value axes, bool noopWithEmptyAxes,
                   RankedTensorType resultType) {
  auto type = cast<RankedTensorType>(input.getType());
  auto all = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  SmallVector<int64_t> none;
  bool isEmpty = !axes || cast<RankedTensorType>(axes.getType()).getShape() ==
                              ArrayRef<int64_t>{0};
  if (isEmpty) {
    return noopWithEmptyAxes ? none : all;
  }
  if (std::optional<SmallVector<int64_t>> constants = getConstantInts(axes)) {
    FailureOr<SmallVector<int64_t>> normalized =
        normalizeAxes(std::nullopt, *constants, type.getRank());
    if (failed(normalized)) {
      return std::nullopt;
    }
    llvm::sort(*normalized);
    return *normalized;
  }
  if (!resultType || !resultType.hasStaticShape() || !type.hasStaticShape()) {
    return std::nullopt;
  }
  SmallVector<SmallVector<int64_t>> choices =
      findReducedAxes(type, axes, resultType);
  return choices.size() == 1 ? std::optional(choices.front()) : std::nullopt;
}

LogicalResult IE::inferReduction(std::optional<Location> location, Value input,
                                 Value axes, bool keepDims,
                                 bool noopWithEmptyAxes,
                                 SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(input.getType());
  if (axes && cast<RankedTensorType>(axes.getType()).getRank() != 1) {
    return emitOptionalError(location, "expected axes of rank 1, found ",
                             axes.getType());
  }
  if (axes) {
    std::optional<SmallVector<int64_t>> constants = getConstantInts(axes);
    if (constants &&
        failed(normalizeAxes(location, *constants, type.getRank()))) {
      return failure();
    }
  }
  if (std::optional<SmallVector<int64_t>> reduced =
          getReducedAxes(input, axes, noopWithEmptyAxes, RankedTensorType())) {
    inferred.push_back(
        type.clone(reduceShape(type.getShape(), *reduced, keepDims)));
    return success();
  }
  ArrayRef<int64_t> count = cast<RankedTensorType>(axes.getType()).getShape();
  if (keepDims) {
    inferred.push_back(
        type.clone(SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic)));
    return success();
  }
  if (ShapedType::isDynamic(count[0])) {
    inferred.push_back(UnrankedTensorType::get(type.getElementType()));
    return success();
  }
  if (count[0] > type.getRank()) {
    return emitOptionalError(location, "expected at most ", type.getRank(),
                             " axes, found ", axes.getType());
  }
  inferred.push_back(type.clone(
      SmallVector<int64_t>(type.getRank() - count[0], ShapedType::kDynamic)));
  return success();
}

LogicalResult IE::dropEmptyAxes(Operation *reduction, MutableOperandRange axes,
                                PatternRewriter &rewriter) {
  if (axes.empty()) {
    return rewriter.notifyMatchFailure(reduction, "has no axes operand");
  }
  auto type = cast<RankedTensorType>(axes[0].get().getType());
  if (!type.hasStaticShape() || type.getNumElements() != 0) {
    return rewriter.notifyMatchFailure(reduction, "may have axes");
  }
  rewriter.modifyOpInPlace(reduction, [&] { axes.clear(); });
  return success();
}

Sizes IE::getReductionEntries(SizeBuilder &sizes, Value input, Value axes,
                              bool noopWithEmptyAxes,
                              RankedTensorType resultType) {
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  OpFoldResult none = sizes.number(-1), some = sizes.number(0);
  if (std::optional<SmallVector<int64_t>> reduced =
          getReducedAxes(input, axes, noopWithEmptyAxes, resultType)) {
    Sizes entries(rank, none);
    for (int64_t axis : *reduced) {
      entries[axis] = some;
    }
    return entries;
  }
  Sizes entries = sizes.getEntries(axes, rank);
  if (!noopWithEmptyAxes) {
    // No axes stand for all of them.
    OpFoldResult count = sizes.getSize(axes, 0);
    for (OpFoldResult &entry : entries) {
      entry = sizes.ifEqual(count, some, some, entry);
    }
  }
  return entries;
}

void IE::buildReductionSizes(SizeBuilder &sizes, Value input,
                             ArrayRef<OpFoldResult> entries, bool keepDims,
                             RankedTensorType resultType,
                             ReifiedRankedShapedTypeDims &results) {
  Sizes all = sizes.getSizes(input);
  if (!keepDims) {
    results.push_back(sizes.selectUnlisted(all, entries, resultType.getRank()));
    return;
  }
  OpFoldResult none = sizes.number(-1), one = sizes.number(1);
  for (auto [size, entry] : llvm::zip_equal(all, entries)) {
    size = sizes.ifEqual(entry, none, size, one);
  }
  results.push_back(all);
}

template <typename OpT>
static LogicalResult buildArgSizes(SizeBuilder &sizes, OpT op,
                                   ReifiedRankedShapedTypeDims &results) {
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  int64_t axis = op.getAxis();
  Sizes entries(rank, sizes.number(-1));
  entries[axis < 0 ? axis + rank : axis] = sizes.number(0);
  buildReductionSizes(sizes, op.getInput(), entries, op.getKeepdims() != 0,
                      cast<RankedTensorType>(op.getType()), results);
  return success();
}

LogicalResult ArgMaxOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  return buildArgSizes(sizes, *this, results);
}

LogicalResult ArgMinOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  return buildArgSizes(sizes, *this, results);
}

template <typename AdaptorT>
static LogicalResult
inferArgReduction(MLIRContext *context, std::optional<Location> location,
                  AdaptorT adaptor, SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), type.getRank());
  if (failed(axis)) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(
      reduceShape(type.getShape(), *axis, adaptor.getKeepdims() != 0),
      IntegerType::get(context, 64)));
  return success();
}

LogicalResult ArgMaxOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  return inferArgReduction(context, location, adaptor, inferred);
}

LogicalResult ArgMinOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  return inferArgReduction(context, location, adaptor, inferred);
}

LogicalResult IE::inferScan(std::optional<Location> location, Value input,
                            Value axis, SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(input.getType());
  auto axisType = cast<RankedTensorType>(axis.getType());
  if (type.getRank() == 0) {
    return emitOptionalError(location, "expected an input with an axis, found ",
                             type);
  }
  if (axisType.getRank() > 1 ||
      (axisType.getRank() == 1 && axisType.getDimSize(0) != 1 &&
       !axisType.isDynamicDim(0))) {
    return emitOptionalError(location, "expected one axis, found ", axisType);
  }
  std::optional<SmallVector<int64_t>> constant = getConstantInts(axis);
  if (constant && failed(normalizeAxes(location, *constant, type.getRank()))) {
    return failure();
  }
  inferred.push_back(type);
  return success();
}
