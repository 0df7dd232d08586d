//===- ControlFlow.cpp - Branches and loops -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and canonicalization of the IE operator family:
// control flow.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/ControlFlowInterface.cpp.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/ControlFlow.cpp.inc"

void IEDialect::registerControlFlowOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/ControlFlow.cpp.inc"
      >();
}

/// The values that end a region's block; none while it is being built.
static OperandRange getYielded(Region &region) {
  OperandRange none(nullptr, 0);
  if (region.empty() || region.front().empty()) {
    return none;
  }
  auto yield = dyn_cast<YieldOp>(region.front().back());
  return yield ? yield.getValues() : none;
}

/// The scalar tensor of `elementType` that a body gets.
static RankedTensorType getScalarType(MLIRContext *context, unsigned width) {
  return RankedTensorType::get({}, IntegerType::get(context, width));
}

/// The type of what runs of a body take pieces of or put side by side: tensors
/// of known rank.
static FailureOr<RankedTensorType>
getScannedType(std::optional<Location> location, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    return emitOptionalError(location,
                             "expected a tensor of known rank to scan, found ",
                             value.getType());
  }
  return type;
}

static LogicalResult checkOneElement(Operation *op, Value value,
                                     StringRef what) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape() && type.getNumElements() != 1) {
    return op->emitOpError("expected ")
           << what << " of one element, found " << type;
  }
  return success();
}

LogicalResult RequireOp::verify() {
  return checkOneElement(*this, getCondition(), "a condition");
}

OpFoldResult RequireOp::fold(FoldAdaptor adaptor) {
  auto condition =
      dyn_cast_if_present<DenseElementsAttr>(adaptor.getCondition());
  bool holds =
      condition && condition.isSplat() && condition.getSplatValue<bool>();
  return holds && getInput().getType() == getType() ? OpFoldResult(getInput())
                                                    : OpFoldResult();
}

/// Each carried argument takes its operand and what the body yields for it.
static LogicalResult checkBody(BodyOpInterface op, unsigned numYielded) {
  Region &body = op->getRegion(0);
  SmallVector<Type> entry = op.getEntryTypes();
  if (!areCompatibleTypes(entry, body.getArgumentTypes())) {
    return op->emitOpError("expected a body of arguments ")
           << entry << ", found " << body.getArgumentTypes();
  }
  OperandRange yielded = getYielded(body);
  if (yielded.size() != numYielded) {
    return op->emitOpError("expected ")
           << numYielded << " values yielded by the body, found "
           << yielded.size();
  }
  for (auto [argument, number] : op.getCarriedArguments()) {
    Type wanted = body.getArgument(argument).getType();
    Type found = yielded[number].getType();
    if (!areCompatibleTypes(wanted, found)) {
      return op->emitOpError("expected the body to yield ")
             << wanted << " as value " << number << ", found " << found;
    }
  }
  return success();
}

/// What is known of a carried value before the first run and after the last: a
/// model may declare of the latter more than holds of the former.
static Type getCarriedType(Value initial, Value last) {
  Type type = last.getType();
  return isa<RankedTensorType>(type) ? joinTypes(initial.getType(), type)
                                     : type;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

LogicalResult IfOp::inferReturnTypes(MLIRContext *,
                                     std::optional<Location> location,
                                     Adaptor adaptor,
                                     SmallVectorImpl<Type> &inferred) {
  OperandRange lhs = getYielded(*adaptor.getRegions()[0]);
  OperandRange rhs = getYielded(*adaptor.getRegions()[1]);
  if (lhs.size() != rhs.size()) {
    return emitOptionalError(location,
                             "expected branches of as many results, "
                             "found ",
                             lhs.size(), " and ", rhs.size());
  }
  for (auto [i, a, b] : llvm::enumerate(lhs, rhs)) {
    inferred.push_back(joinTypes(a.getType(), b.getType()));
    if (!inferred.back()) {
      return emitOptionalError(
          location,
          "expected branches of equal rank and element type for "
          "result ",
          i, ", found ", a.getType(), " and ", b.getType());
    }
  }
  return success();
}

SmallVector<Type> IfOp::getYieldedTypes() {
  return llvm::to_vector(getResultTypes());
}

LogicalResult IfOp::verify() {
  return checkOneElement(*this, getCondition(), "a condition");
}

/// True if a value of the type `type` cannot take the place of `result`: it
/// lacks a size that is known of that, or something else than an op of this
/// dialect has to have the same type.
static bool needsTypeOf(OpResult result, Type type) {
  auto known = dyn_cast<RankedTensorType>(result.getType());
  auto found = dyn_cast<RankedTensorType>(type);
  if (!known || !found || known == found ||
      known.getRank() != found.getRank()) {
    return false;
  }
  bool lacksSize = llvm::any_of(
      llvm::zip(known.getShape(), found.getShape()), [](auto dims) {
        auto [size, other] = dims;
        return !ShapedType::isDynamic(size) && ShapedType::isDynamic(other);
      });
  return lacksSize || llvm::any_of(result.getUsers(), [&](Operation *user) {
           return user->getDialect() != result.getOwner()->getDialect();
         });
}

LogicalResult IfOp::canonicalize(IfOp op, PatternRewriter &rewriter) {
  std::optional<SmallVector<int64_t>> condition =
      getConstantInts(op.getCondition());
  if (!condition || condition->size() != 1) {
    return rewriter.notifyMatchFailure(op, "the condition is not constant");
  }
  Region &taken =
      condition->front() != 0 ? op.getThenBranch() : op.getElseBranch();
  auto yield = cast<YieldOp>(taken.front().getTerminator());
  SmallVector<Value> results(yield.getValues());
  rewriter.inlineBlockBefore(&taken.front(), op);
  rewriter.eraseOp(yield);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
    if (needsTypeOf(result, value.getType())) {
      value = IdentityOp::create(rewriter, op.getLoc(),
                                 TypeRange(result.getType()), value)
                  ->getResult(0);
    }
  }
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// True for a value that is a constant true.
static bool isTrue(Value value) {
  std::optional<SmallVector<int64_t>> ints = getConstantInts(value);
  return ints && ints->size() == 1 && ints->front() != 0;
}

/// See LoopOp::hasConstantCondition.
static bool hasConstantCondition(Value initial, Region &body) {
  OperandRange yielded = getYielded(body);
  if (yielded.empty() || (initial && !isTrue(initial))) {
    return false;
  }
  return yielded[0] == body.getArgument(1) || isTrue(yielded[0]);
}

bool LoopOp::hasConstantCondition() {
  return ::hasConstantCondition(getCondition(), getBody());
}

SmallVector<Type> LoopOp::getEntryTypes() {
  SmallVector<Type> types = {getScalarType(getContext(), 64),
                             getScalarType(getContext(), 1)};
  llvm::append_range(types, getCarried().getTypes());
  return types;
}

SmallVector<std::pair<unsigned, unsigned>> LoopOp::getCarriedArguments() {
  SmallVector<std::pair<unsigned, unsigned>> pairs = {{1, 0}};
  for (unsigned i = 0; i < getCarried().size(); ++i) {
    pairs.emplace_back(i + 2, i + 1);
  }
  return pairs;
}

SmallVector<Type> LoopOp::getYieldedTypes() {
  SmallVector<Type> types = {getScalarType(getContext(), 1)};
  for (auto [initial, last] : llvm::zip(getCarried(), getOutputs())) {
    types.push_back(getCarriedType(initial, last));
  }
  for (Value stacked : getOutputs().drop_front(getCarried().size())) {
    types.push_back(getPartType(stacked.getType(), /*axis=*/0));
  }
  return types;
}

LogicalResult LoopOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  Region &body = *adaptor.getRegions()[0];
  OperandRange yielded = getYielded(body);
  size_t numCarried = adaptor.getCarried().size();
  if (yielded.size() < numCarried + 1) {
    return emitOptionalError(location,
                             "expected a body that yields a "
                             "condition and ",
                             numCarried, " carried values, found ",
                             yielded.size(), " values");
  }
  for (auto [initial, next] :
       llvm::zip(adaptor.getCarried(), yielded.drop_front())) {
    inferred.push_back(joinTypes(initial.getType(), next.getType()));
    if (!inferred.back()) {
      return emitOptionalError(
          location,
          "expected a carried value of one rank and element type, "
          "found ",
          initial.getType(), ", then ", next.getType());
    }
  }
  int64_t trips = ShapedType::kDynamic;
  if (::hasConstantCondition(adaptor.getCondition(), body)) {
    if (auto known = getConstantInts(adaptor.getMaxTripCount());
        known && known->size() == 1) {
      trips = std::max<int64_t>(known->front(), 0);
    }
  }
  for (Value scanned : yielded.drop_front(numCarried + 1)) {
    FailureOr<RankedTensorType> type = getScannedType(location, scanned);
    if (failed(type)) {
      return failure();
    }
    SmallVector<int64_t> shape = {trips};
    llvm::append_range(shape, type->getShape());
    inferred.push_back(type->clone(shape));
  }
  return success();
}

LogicalResult LoopOp::verify() {
  if (getMaxTripCount() &&
      failed(checkOneElement(*this, getMaxTripCount(), "a trip count"))) {
    return failure();
  }
  if (getCondition() &&
      failed(checkOneElement(*this, getCondition(), "a condition"))) {
    return failure();
  }
  if (getOutputs().size() < getCarried().size()) {
    return emitOpError("expected at least ")
           << getCarried().size() << " results, found " << getOutputs().size();
  }
  return checkBody(*this, getOutputs().size() + 1);
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// Entry `i` of an optional list; 0 when it is left out.
static int64_t getEntry(std::optional<ArrayRef<int64_t>> list, unsigned i) {
  return list && i < list->size() ? (*list)[i] : 0;
}

static int64_t getPositiveAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

int64_t ScanOp::getInputAxis(unsigned i) {
  auto type = cast<RankedTensorType>(getScannedInputs()[i].getType());
  return getPositiveAxis(getEntry(getScanInputAxes(), i), type.getRank());
}

int64_t ScanOp::getOutputAxis(unsigned i) {
  auto type =
      cast<RankedTensorType>(getOutputs()[getNumStates() + i].getType());
  return getPositiveAxis(getEntry(getScanOutputAxes(), i), type.getRank());
}

bool ScanOp::isInputReversed(unsigned i) {
  return getEntry(getScanInputDirections(), i) != 0;
}

bool ScanOp::isOutputReversed(unsigned i) {
  return getEntry(getScanOutputDirections(), i) != 0;
}

/// The common length of the scanned inputs along their axes.
static FailureOr<int64_t> inferLength(std::optional<Location> location,
                                      ValueRange scanned,
                                      std::optional<ArrayRef<int64_t>> axes) {
  int64_t length = ShapedType::kDynamic;
  for (auto [i, input] : llvm::enumerate(scanned)) {
    FailureOr<RankedTensorType> type = getScannedType(location, input);
    if (failed(type)) {
      return failure();
    }
    FailureOr<int64_t> axis =
        normalizeAxis(location, getEntry(axes, i), type->getRank());
    if (failed(axis)) {
      return failure();
    }
    int64_t dim = type->getDimSize(*axis);
    if (ShapedType::isDynamic(dim)) {
      continue;
    }
    if (!ShapedType::isDynamic(length) && dim != length) {
      return emitOptionalError(location,
                               "expected scanned inputs of one length, found ",
                               length, " and ", dim);
    }
    length = dim;
  }
  return length;
}

int64_t ScanOp::getLength() {
  FailureOr<int64_t> length =
      inferLength(std::nullopt, getScannedInputs(), getScanInputAxes());
  return succeeded(length) ? *length : ShapedType::kDynamic;
}

SmallVector<Type> ScanOp::getEntryTypes() {
  SmallVector<Type> types(getStates().getTypes());
  for (auto [i, input] : llvm::enumerate(getScannedInputs())) {
    types.push_back(getPartType(input.getType(), getInputAxis(i)));
  }
  return types;
}

SmallVector<std::pair<unsigned, unsigned>> ScanOp::getCarriedArguments() {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned i = 0; i < getNumStates(); ++i) {
    pairs.emplace_back(i, i);
  }
  return pairs;
}

SmallVector<Type> ScanOp::getYieldedTypes() {
  SmallVector<Type> types;
  for (auto [initial, last] : llvm::zip(getStates(), getOutputs())) {
    types.push_back(getCarriedType(initial, last));
  }
  for (auto [i, output] :
       llvm::enumerate(getOutputs().drop_front(getNumStates()))) {
    types.push_back(getPartType(output.getType(), getOutputAxis(i)));
  }
  return types;
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  int64_t numScanned = adaptor.getNumScanInputs();
  auto numInputs = static_cast<int64_t>(adaptor.getInputs().size());
  if (numScanned < 1 || numScanned > numInputs) {
    return emitOptionalError(location, "expected num_scan_inputs from 1 to ",
                             numInputs, ", found ", numScanned);
  }
  size_t numStates = numInputs - numScanned;
  FailureOr<int64_t> length =
      inferLength(location, adaptor.getInputs().drop_front(numStates),
                  adaptor.getScanInputAxes());
  if (failed(length)) {
    return failure();
  }
  OperandRange yielded = getYielded(*adaptor.getRegions()[0]);
  if (yielded.size() < numStates) {
    return emitOptionalError(location, "expected a body that yields at least ",
                             numStates, " values, found ", yielded.size());
  }
  for (auto [initial, next] : llvm::zip(adaptor.getInputs(), yielded)) {
    if (inferred.size() == numStates) {
      break;
    }
    inferred.push_back(joinTypes(initial.getType(), next.getType()));
    if (!inferred.back()) {
      return emitOptionalError(
          location, "expected a state of one rank and element type, found ",
          initial.getType(), ", then ", next.getType());
    }
  }
  for (auto [i, element] : llvm::enumerate(yielded.drop_front(numStates))) {
    FailureOr<RankedTensorType> type = getScannedType(location, element);
    if (failed(type)) {
      return failure();
    }
    FailureOr<int64_t> axis =
        normalizeAxis(location, getEntry(adaptor.getScanOutputAxes(), i),
                      type->getRank() + 1);
    if (failed(axis)) {
      return failure();
    }
    SmallVector<int64_t> shape(type->getShape());
    shape.insert(shape.begin() + *axis, *length);
    inferred.push_back(type->clone(shape));
  }
  return success();
}

LogicalResult ScanOp::verify() {
  int64_t numScanned = getNumScanInputs();
  if (numScanned < 1 || numScanned > static_cast<int64_t>(getInputs().size())) {
    return emitOpError("expected num_scan_inputs from 1 to ")
           << getInputs().size() << ", found " << numScanned;
  }
  if (getOutputs().size() < getNumStates()) {
    return emitOpError("expected at least ")
           << getNumStates() << " results, found " << getOutputs().size();
  }
  if (failed(inferLength(getLoc(), getScannedInputs(), getScanInputAxes()))) {
    return failure();
  }
  return checkBody(*this, getOutputs().size());
}
