//===- Shape.cpp - Changes of shape that move no element ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family: changes
// of shape that move no element.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Shape.cpp.inc"

void IEDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Shape.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What the reshaping ops share
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The result type when only its rank may be known, from the length of the
/// operand that determines it: all dimensions dynamic, or no rank at all.
static Type getUnknownShape(int64_t rank, Type elementType) {
  if (ShapedType::isDynamic(rank)) {
    return UnrankedTensorType::get(elementType);
  }
  return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic),
                               elementType);
}

/// An op that keeps elements and shape does nothing. With one dynamic dimension
/// the number of elements still determines the shape.
static Value foldIdentity(Value input, Value result) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type != result.getType() || type.getNumDynamicDims() > 1 ||
      (!type.hasStaticShape() && llvm::is_contained(type.getShape(), 0))) {
    return {};
  }
  return input;
}

static LogicalResult verifySameNumElements(Operation *op) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (input.hasStaticShape() && result.hasStaticShape() &&
      input.getNumElements() != result.getNumElements()) {
    return op->emitOpError("expected a result of ")
           << input.getNumElements() << " elements, found " << result;
  }
  return success();
}

namespace {

/// Reshape-like of reshape-like with a static result is one Reshape of the
/// first operand.
template <typename OpT> struct MergeReshapes final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!type.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs a static result type");
    }
    Operation *producer = op->getOperand(0).getDefiningOp();
    if (!producer || !producer->hasTrait<KeepsElements>()) {
      return rewriter.notifyMatchFailure(op, "operand is not a reshape");
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, producer->getOperand(0));
    return success();
  }
};

/// A static result type says everything that a computed shape operand could;
/// naming it as a constant frees the op from the computation.
struct MaterializeStaticShape final : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs a static result type");
    }
    if (getConstantElements(op.getShape())) {
      return rewriter.notifyMatchFailure(op, "shape is a constant already");
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getData());
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

void ReshapeOp::build(OpBuilder &builder, OperationState &state,
                      RankedTensorType type, Value data) {
  auto shapeType = RankedTensorType::get(type.getRank(), builder.getI64Type());
  Value shape =
      ConstantOp::create(builder, state.location,
                         DenseIntElementsAttr::get(shapeType, type.getShape()));
  // A 0 in the shape is a size, not a reference to the operand.
  int64_t allowzero = llvm::is_contained(type.getShape(), 0) ? 1 : 0;
  build(builder, state, type, data, shape, allowzero);
}

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto dataType = cast<RankedTensorType>(adaptor.getData().getType());
  std::optional<SmallVector<int64_t>> shape = getKnownInts(adaptor.getShape());
  FailureOr<int64_t> rank = getRankOf(location, adaptor.getShape());
  if (failed(rank)) {
    return failure();
  }
  if (!shape) {
    inferred.push_back(getUnknownShape(*rank, dataType.getElementType()));
    return success();
  }
  int64_t *rest = nullptr;
  bool isComputed = llvm::is_contained(*shape, ShapedType::kDynamic);
  for (auto [i, dim] : llvm::enumerate(*shape)) {
    if (ShapedType::isDynamic(dim)) {
      continue;
    }
    if (dim == -1) {
      if (rest) {
        return emitOptionalError(location, "expected at most one -1 in the "
                                           "shape");
      }
      rest = &dim;
    } else if (dim == 0 && adaptor.getAllowzero() == 0) {
      if (static_cast<int64_t>(i) >= dataType.getRank()) {
        return emitOptionalError(location, "expected an operand dimension ", i,
                                 " for the 0 in the shape, found ", dataType);
      }
      dim = dataType.getDimSize(i);
    } else if (dim < 0) {
      return emitOptionalError(
          location, "expected sizes, 0 or -1 in the shape, found ", dim);
    }
  }
  if (rest) {
    // Dynamic dimensions that are copied drop out of the quotient.
    SmallVector<int64_t> numerator(dataType.getShape()), denominator;
    for (int64_t &dim : *shape) {
      if (&dim == rest) {
        continue;
      }
      auto *same = llvm::find(numerator, dim);
      if (ShapedType::isDynamic(dim) && same != numerator.end()) {
        numerator.erase(same);
      } else {
        denominator.push_back(dim);
      }
    }
    bool unknown = isComputed ||
                   llvm::any_of(numerator, ShapedType::isDynamic) ||
                   llvm::any_of(denominator, ShapedType::isDynamic);
    *rest = ShapedType::kDynamic;
    if (!unknown) {
      int64_t total = ShapedType::getNumElements(numerator);
      int64_t known = ShapedType::getNumElements(denominator);
      if (known == 0 || total % known != 0) {
        return emitOptionalError(location, "expected a shape that divides ",
                                 total, " elements, found parts of ", known);
      }
      *rest = total / known;
    }
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location, *shape, dataType.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

/// 0 copies a size, -1 takes what the others leave. Dynamic sizes
/// may be either, too.
LogicalResult ReshapeOp::buildSizes(SizeBuilder &sizes,
                                    ReifiedRankedShapedTypeDims &results) {
  auto type = cast<RankedTensorType>(getType());
  Sizes input = sizes.getSizes(getData()), known;
  Sizes &result = results.emplace_back();
  OpFoldResult zero = sizes.number(0), one = sizes.number(1);
  // Per size that is read from a tensor, what it is there.
  Sizes read(type.getRank());
  for (int64_t i = 0; i < type.getRank(); ++i) {
    OpFoldResult size = type.isDynamicDim(i) ? sizes.getElement(getShape(), i)
                                             : sizes.number(type.getDimSize(i));
    bool copies = getAllowzero() == 0 && i < static_cast<int64_t>(input.size());
    if (getConstantIntValue(size) == 0 && copies) {
      size = input[i];
    }
    auto value = dyn_cast<Value>(size);
    if (value && value.getDefiningOp<arith::IndexCastOp>()) {
      read[i] = copies ? sizes.ifEqual(size, zero, input[i], size) : size;
      size = sizes.ifLess(read[i], zero, one, read[i]);
    }
    result.push_back(size);
    if (getConstantIntValue(size) != -1) {
      known.push_back(size);
    }
  }
  OpFoldResult rest;
  for (auto [size, asRead] : llvm::zip_equal(result, read)) {
    bool isRest = getConstantIntValue(size) == -1;
    if (!isRest && !asRead) {
      continue;
    }
    if (!rest) {
      rest = sizes.divide(input, known);
    }
    size = isRest ? rest : sizes.ifLess(asRead, zero, rest, size);
  }
  return success();
}

LogicalResult ReshapeOp::verify() { return verifySameNumElements(*this); }

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return foldIdentity(getData(), getReshaped());
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes<ReshapeOp>, MaterializeStaticShape>(context);
}

//===----------------------------------------------------------------------===//
// Flatten
//===----------------------------------------------------------------------===//

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t rank = type.getRank();
  int64_t axis = adaptor.getAxis();
  // Unlike elsewhere, the rank itself is an axis: all rows, one column.
  if (axis < -rank || axis > rank) {
    return emitOptionalError(location, "expected an axis in [", -rank, ", ",
                             rank, "], found ", axis);
  }
  axis = axis < 0 ? axis + rank : axis;
  auto product = [](ArrayRef<int64_t> dims) {
    return llvm::any_of(dims, ShapedType::isDynamic)
               ? ShapedType::kDynamic
               : ShapedType::getNumElements(dims);
  };
  inferred.push_back(
      RankedTensorType::get({product(type.getShape().take_front(axis)),
                             product(type.getShape().drop_front(axis))},
                            type.getElementType()));
  return success();
}

LogicalResult FlattenOp::buildSizes(SizeBuilder &sizes,
                                    ReifiedRankedShapedTypeDims &results) {
  Sizes input = sizes.getSizes(getInput());
  int64_t axis = getAxis();
  axis += axis < 0 ? static_cast<int64_t>(input.size()) : 0;
  results.push_back({sizes.multiply(ArrayRef(input).take_front(axis)),
                     sizes.multiply(ArrayRef(input).drop_front(axis))});
  return success();
}

LogicalResult FlattenOp::verify() { return verifySameNumElements(*this); }

OpFoldResult FlattenOp::fold(FoldAdaptor) {
  return foldIdentity(getInput(), getOutput());
}

void FlattenOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes<FlattenOp>>(context);
}

//===----------------------------------------------------------------------===//
// Squeeze
//===----------------------------------------------------------------------===//

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getData().getType());
  Type elementType = type.getElementType();
  SmallVector<int64_t> shape;
  if (!adaptor.getAxes()) {
    // A dynamic dimension may turn out to be 1: the rank is unknown.
    if (!type.hasStaticShape()) {
      inferred.push_back(UnrankedTensorType::get(elementType));
      return success();
    }
    llvm::copy_if(type.getShape(), std::back_inserter(shape),
                  [](int64_t dim) { return dim != 1; });
    inferred.push_back(RankedTensorType::get(shape, elementType));
    return success();
  }
  std::optional<SmallVector<int64_t>> axes = getConstantInts(adaptor.getAxes());
  if (!axes) {
    FailureOr<int64_t> count = getVectorLength(location, adaptor.getAxes());
    if (failed(count)) {
      return failure();
    }
    if (*count > type.getRank()) {
      return emitOptionalError(location, "expected at most ", type.getRank(),
                               " axes, found ", *count);
    }
    inferred.push_back(getUnknownShape(
        ShapedType::isDynamic(*count) ? *count : type.getRank() - *count,
        elementType));
    return success();
  }
  FailureOr<SmallVector<int64_t>> normalized =
      normalizeAxes(location, *axes, type.getRank());
  if (failed(normalized)) {
    return failure();
  }
  for (auto [i, dim] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(*normalized, i)) {
      shape.push_back(dim);
    } else if (dim != 1 && !ShapedType::isDynamic(dim)) {
      return emitOptionalError(location, "expected size 1 in dimension ", i,
                               ", found ", type);
    }
  }
  inferred.push_back(RankedTensorType::get(shape, elementType));
  return success();
}

LogicalResult SqueezeOp::buildSizes(SizeBuilder &sizes,
                                    ReifiedRankedShapedTypeDims &results) {
  Sizes input = sizes.getSizes(getData());
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  Sizes entries;
  if (getAxes()) {
    entries = sizes.getEntries(getAxes(), input.size());
  } else {
    OpFoldResult one = sizes.number(1);
    for (OpFoldResult size : input) {
      entries.push_back(
          sizes.ifEqual(size, one, sizes.number(0), sizes.number(-1)));
    }
  }
  results.push_back(sizes.selectUnlisted(input, entries, rank));
  return success();
}

LogicalResult SqueezeOp::verify() { return verifySameNumElements(*this); }

OpFoldResult SqueezeOp::fold(FoldAdaptor) {
  return foldIdentity(getData(), getSqueezed());
}

void SqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes<SqueezeOp>>(context);
}

//===----------------------------------------------------------------------===//
// Unsqueeze
//===----------------------------------------------------------------------===//

LogicalResult UnsqueezeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getData().getType());
  std::optional<SmallVector<int64_t>> axes = getConstantInts(adaptor.getAxes());
  if (!axes) {
    ArrayRef<int64_t> axesShape = getShapeOf(adaptor.getAxes());
    int64_t count = axesShape.empty() ? 1 : axesShape[0];
    inferred.push_back(getUnknownShape(
        ShapedType::isDynamic(count) ? count : type.getRank() + count,
        type.getElementType()));
    return success();
  }
  int64_t rank = type.getRank() + axes->size();
  FailureOr<SmallVector<int64_t>> normalized =
      normalizeAxes(location, *axes, rank);
  if (failed(normalized)) {
    return failure();
  }
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> rest = type.getShape();
  for (int64_t i = 0; i < rank; ++i) {
    if (llvm::is_contained(*normalized, i)) {
      shape.push_back(1);
    } else {
      shape.push_back(rest.front());
      rest = rest.drop_front();
    }
  }
  inferred.push_back(RankedTensorType::get(shape, type.getElementType()));
  return success();
}

LogicalResult UnsqueezeOp::buildSizes(SizeBuilder &sizes,
                                      ReifiedRankedShapedTypeDims &results) {
  Sizes input = sizes.getSizes(getData());
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  Sizes entries = sizes.getEntries(getAxes(), rank);
  Sizes &result = results.emplace_back();
  // The position in the operand of the next dimension that is not new.
  OpFoldResult position = sizes.number(0);
  OpFoldResult one = sizes.number(1), none = sizes.number(-1);
  for (OpFoldResult entry : entries) {
    OpFoldResult own = one;
    for (auto [i, size] : llvm::enumerate(input)) {
      own = sizes.ifEqual(position, sizes.number(i), size, own);
    }
    result.push_back(sizes.ifEqual(entry, none, own, one));
    position = sizes.ifEqual(entry, none, sizes.add(position, 1), position);
  }
  sizes.requireEqual(position, sizes.number(input.size()),
                     "axes that leave another rank than the model declares");
  return success();
}

LogicalResult UnsqueezeOp::verify() { return verifySameNumElements(*this); }

OpFoldResult UnsqueezeOp::fold(FoldAdaptor) {
  return foldIdentity(getData(), getExpanded());
}

void UnsqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeReshapes<UnsqueezeOp>>(context);
}

//===----------------------------------------------------------------------===//
// Shape and Size
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> ShapeOp::getBounds(int64_t rank, int64_t start,
                                               std::optional<int64_t> end) {
  auto clamp = [rank](int64_t position) {
    position = position < 0 ? position + rank : position;
    return std::min(std::max<int64_t>(position, 0), rank);
  };
  int64_t first = clamp(start);
  int64_t last = end ? clamp(*end) : rank;
  return {first, std::max<int64_t>(last - first, 0)};
}

std::pair<int64_t, int64_t> ShapeOp::getBounds() {
  return getBounds(cast<RankedTensorType>(getData().getType()).getRank(),
                   getStart(), getEnd());
}

LogicalResult ShapeOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location>,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  int64_t rank = getShapeOf(adaptor.getData()).size();
  auto [start, size] = getBounds(rank, adaptor.getStart(), adaptor.getEnd());
  inferred.push_back(
      RankedTensorType::get(size, IntegerType::get(context, 64)));
  return success();
}

LogicalResult ShapeOp::buildSizes(SizeBuilder &sizes,
                                  ReifiedRankedShapedTypeDims &results) {
  results.push_back({sizes.number(getBounds().second)});
  return success();
}

OpFoldResult ShapeOp::fold(FoldAdaptor) {
  auto [start, size] = getBounds();
  ArrayRef<int64_t> dims = getShapeOf(getData()).slice(start, size);
  if (llvm::any_of(dims, ShapedType::isDynamic) ||
      !getType().hasStaticShape()) {
    return {};
  }
  return DenseIntElementsAttr::get(getType(), dims);
}

LogicalResult SizeOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>, Adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get({}, IntegerType::get(context, 64)));
  return success();
}

LogicalResult SizeOp::buildSizes(SizeBuilder &,
                                 ReifiedRankedShapedTypeDims &results) {
  results.emplace_back();
  return success();
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getData().getType());
  if (!type.hasStaticShape()) {
    return {};
  }
  return DenseIntElementsAttr::get(getType(), type.getNumElements());
}
