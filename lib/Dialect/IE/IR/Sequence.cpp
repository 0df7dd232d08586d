//===- Sequence.cpp - Lists of tensors, and nothing -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, type inference and verification of the IE operator family: sequences
// and optionals.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Sequence.cpp.inc"

void IEDialect::registerSequenceOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Sequence.cpp.inc"
      >();
}

Type IE::joinTypes(Type lhs, Type rhs, bool allowUnranked) {
  if (lhs == rhs) {
    return lhs;
  }
  if (auto a = dyn_cast<SequenceType>(lhs), b = dyn_cast<SequenceType>(rhs);
      a && b) {
    Type element = joinTypes(a.getElementType(), b.getElementType(),
                             /*allowUnranked=*/true);
    return element ? SequenceType::get(element) : Type();
  }
  if (auto a = dyn_cast<OptionalType>(lhs), b = dyn_cast<OptionalType>(rhs);
      a && b) {
    Type element = joinTypes(a.getElementType(), b.getElementType(),
                             /*allowUnranked=*/true);
    return element ? OptionalType::get(element) : Type();
  }
  auto a = dyn_cast<TensorType>(lhs), b = dyn_cast<TensorType>(rhs);
  if (!a || !b || a.getElementType() != b.getElementType()) {
    return {};
  }
  if (!a.hasRank() || !b.hasRank() || a.getRank() != b.getRank()) {
    return allowUnranked ? UnrankedTensorType::get(a.getElementType()) : Type();
  }
  SmallVector<int64_t> shape(a.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, b.getShape())) {
    dim = dim == other ? dim : ShapedType::kDynamic;
  }
  return RankedTensorType::get(shape, a.getElementType());
}

static Type getElementType(Value sequence) {
  return cast<SequenceType>(sequence.getType()).getElementType();
}

LogicalResult
SequenceEmptyOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                  Adaptor adaptor,
                                  SmallVectorImpl<Type> &inferred) {
  Type element = adaptor.getDtype().value_or(Float32Type::get(context));
  inferred.push_back(SequenceType::get(UnrankedTensorType::get(element)));
  return success();
}

/// ONNX has no lists of small numbers.
static LogicalResult verifyHeld(std::optional<Location> location, Type type) {
  return isSmallNumber(getElementTypeOrSelf(type))
             ? emitOptionalError(location,
                                 "expected a tensor of other "
                                 "elements, found ",
                                 type)
             : success();
}

LogicalResult SequenceConstructOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  if (adaptor.getInputs().empty()) {
    return emitOptionalError(location, "expected an element at least");
  }
  if (failed(verifyHeld(location, adaptor.getInputs().front().getType()))) {
    return failure();
  }
  Type joined = adaptor.getInputs().front().getType();
  for (Value input : adaptor.getInputs().drop_front()) {
    Type next = joinTypes(joined, input.getType(), /*allowUnranked=*/true);
    if (!next) {
      return emitOptionalError(location,
                               "expected elements of one type, found ", joined,
                               " and ", input.getType());
    }
    joined = next;
  }
  inferred.push_back(SequenceType::get(joined));
  return success();
}

LogicalResult SequenceConstructOp::verify() {
  return getInputs().empty() ? emitOpError("expected an element at least")
                             : success();
}

LogicalResult SequenceAtOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  inferred.push_back(getElementType(adaptor.getInputSequence()));
  return success();
}

LogicalResult SequenceInsertOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  Type present = getElementType(adaptor.getInputSequence());
  Type added = adaptor.getTensor().getType();
  Type joined = joinTypes(present, added, /*allowUnranked=*/true);
  if (!joined) {
    return emitOptionalError(location, "expected an element of type ", present,
                             ", found ", added);
  }
  inferred.push_back(SequenceType::get(joined));
  return success();
}

LogicalResult
SequenceEraseOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                  Adaptor adaptor,
                                  SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getInputSequence().getType());
  return success();
}

LogicalResult
SequenceLengthOp::inferReturnTypes(MLIRContext *context,
                                   std::optional<Location>, Adaptor,
                                   SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get({}, IntegerType::get(context, 64)));
  return success();
}

LogicalResult SplitToSequenceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), type.getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<int64_t> shape(type.getShape());
  if (adaptor.getSplit()) {
    shape[*axis] = ShapedType::kDynamic;
    auto sizes = getConstantInts(adaptor.getSplit());
    if (sizes && !sizes->empty() && llvm::all_equal(*sizes) &&
        (sizes->size() > 1 ||
         (!type.isDynamicDim(*axis) && sizes->front() > 0 &&
          type.getDimSize(*axis) % sizes->front() == 0))) {
      shape[*axis] = sizes->front();
    }
  } else if (adaptor.getKeepdims() != 0) {
    shape[*axis] = 1;
  } else {
    shape.erase(shape.begin() + *axis);
  }
  inferred.push_back(SequenceType::get(type.clone(shape)));
  return success();
}

LogicalResult ConcatFromSequenceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto element =
      dyn_cast<TensorType>(getElementType(adaptor.getInputSequence()));
  if (!element) {
    return emitOptionalError(location, "expected a sequence of tensors, found ",
                             adaptor.getInputSequence().getType());
  }
  if (!element.hasRank()) {
    inferred.push_back(element);
    return success();
  }
  bool isNew = adaptor.getNewAxis() != 0;
  SmallVector<int64_t> shape(element.getShape());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), shape.size() + isNew);
  if (failed(axis)) {
    return failure();
  }
  if (isNew) {
    // A sequence that is written out says how many elements it has.
    auto list = adaptor.getInputSequence().getDefiningOp<SequenceConstructOp>();
    shape.insert(shape.begin() + *axis,
                 list ? static_cast<int64_t>(list.getInputs().size())
                      : ShapedType::kDynamic);
  } else {
    shape[*axis] = ShapedType::kDynamic;
  }
  inferred.push_back(RankedTensorType::get(shape, element.getElementType()));
  return success();
}

LogicalResult OptionalOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  if (!adaptor.getInput() && !adaptor.getType()) {
    return emitOptionalError(location, "expected an operand or a type");
  }
  if (failed(verifyHeld(location, adaptor.getInput()
                                      ? adaptor.getInput().getType()
                                      : *adaptor.getType()))) {
    return failure();
  }
  inferred.push_back(OptionalType::get(
      adaptor.getInput() ? adaptor.getInput().getType() : *adaptor.getType()));
  return success();
}

LogicalResult
OptionalGetElementOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  Type type = adaptor.getInput().getType();
  auto optional = dyn_cast<OptionalType>(type);
  inferred.push_back(optional ? optional.getElementType() : type);
  return success();
}

OpFoldResult OptionalGetElementOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType()) {
    return getInput();
  }
  return {};
}

LogicalResult
OptionalHasElementOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>, Adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get({}, IntegerType::get(context, 1)));
  return success();
}
