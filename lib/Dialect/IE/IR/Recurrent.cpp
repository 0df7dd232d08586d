//===- Recurrent.cpp - Recurrent layers -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: recurrent layers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Recurrent.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Recurrent.cpp.inc"

void IEDialect::registerRecurrentOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Recurrent.cpp.inc"
      >();
}

static int64_t getNumDirections(StringRef direction) {
  return direction == "bidirectional" ? 2 : 1;
}

/// Y and the last states, of which there are `numStates`.
static LogicalResult inferTypes(std::optional<Location> location, Value input,
                                Value recurrence, StringRef direction,
                                int64_t layout, unsigned numStates,
                                SmallVectorImpl<Type> &inferred) {
  auto x = cast<RankedTensorType>(input.getType());
  auto r = cast<RankedTensorType>(recurrence.getType());
  if (x.getRank() != 3 || r.getRank() != 3) {
    return emitOptionalError(location,
                             "expected X and R of three dimensions, found ", x,
                             " and ", r);
  }
  int64_t directions = getNumDirections(direction);
  int64_t hidden = r.getDimSize(2);
  int64_t length = x.getDimSize(layout == 0 ? 0 : 1);
  int64_t batch = x.getDimSize(layout == 0 ? 1 : 0);
  SmallVector<int64_t> all = {length, directions, batch, hidden};
  SmallVector<int64_t> last = {directions, batch, hidden};
  if (layout != 0) {
    all = {batch, length, directions, hidden};
    last = {batch, directions, hidden};
  }
  inferred.push_back(x.clone(all));
  inferred.append(numStates, x.clone(last));
  return success();
}

/// The sizes of the same.
template <typename OpT>
static LogicalResult buildRecurrentSizes(SizeBuilder &sizes, OpT op,
                                         ReifiedRankedShapedTypeDims &results) {
  Sizes x = sizes.getSizes(op.getX());
  OpFoldResult hidden = sizes.getSize(op.getR(), 2);
  OpFoldResult directions = sizes.number(getNumDirections(op.getDirection()));
  Sizes all = {x[0], directions, x[1], hidden};
  Sizes last = {directions, x[1], hidden};
  if (op.getLayout() != 0) {
    all = {x[0], x[1], directions, hidden};
    last = {x[0], directions, hidden};
  }
  results.assign(op->getNumResults(), last);
  results.front() = all;
  return success();
}

#define NACRE_INFER_RECURRENT(OpT, numStates)                                  \
  LogicalResult OpT::buildSizes(SizeBuilder &sizes,                            \
                                ReifiedRankedShapedTypeDims &results) {        \
    return buildRecurrentSizes(sizes, *this, results);                         \
  }                                                                            \
  LogicalResult OpT::inferReturnTypes(                                         \
      MLIRContext *, std::optional<Location> location, Adaptor adaptor,        \
      SmallVectorImpl<Type> &inferred) {                                       \
    return inferTypes(location, adaptor.getX(), adaptor.getR(),                \
                      adaptor.getDirection(), adaptor.getLayout(), numStates,  \
                      inferred);                                               \
  }
NACRE_INFER_RECURRENT(RNNOp, 1)
NACRE_INFER_RECURRENT(GRUOp, 1)
NACRE_INFER_RECURRENT(LSTMOp, 2)
#undef NACRE_INFER_RECURRENT

/// An operand has the dimensions `expected`, as far as both are known.
static LogicalResult checkShape(Operation *op, StringRef name, Value operand,
                                ArrayRef<int64_t> expected) {
  if (!operand) {
    return success();
  }
  auto type = cast<RankedTensorType>(operand.getType());
  if (succeeded(verifyCompatibleShape(type.getShape(), expected))) {
    return success();
  }
  return op->emitOpError("expected ")
         << name << " of type " << type.clone(expected) << ", found " << type;
}

/// The functions a direction may use.
static bool isActivation(StringRef name) {
  return llvm::StringSwitch<bool>(name.lower())
      .Cases({"affine", "elu", "hardsigmoid", "leakyrelu", "relu"}, true)
      .Cases({"scaledtanh", "sigmoid", "softplus", "softsign"}, true)
      .Cases({"tanh", "thresholdedrelu"}, true)
      .Default(false);
}

template <typename OpT>
static LogicalResult verifyRecurrent(OpT op, int64_t numGates,
                                     size_t numActivations) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  auto r = cast<RankedTensorType>(op.getR().getType());
  if (op.getLayout() != 0 && op.getLayout() != 1) {
    return op.emitOpError("expected layout 0 or 1, found ") << op.getLayout();
  }
  if (x.getRank() != 3 || r.getRank() != 3) {
    return success(); // type inference, which comes after this, says so
  }
  int64_t directions = getNumDirections(op.getDirection());
  int64_t hidden = r.getDimSize(2);
  if (op.getHiddenSize() && !ShapedType::isDynamic(hidden) &&
      static_cast<int64_t>(*op.getHiddenSize()) != hidden) {
    return op.emitOpError("expected R of hidden_size ")
           << *op.getHiddenSize() << ", found " << r;
  }
  auto times = [&](int64_t factor) {
    return ShapedType::isDynamic(hidden) ? hidden : factor * hidden;
  };
  int64_t batch = x.getDimSize(op.getLayout() == 0 ? 1 : 0);
  SmallVector<int64_t> state = {directions, batch, hidden};
  if (op.getLayout() != 0) {
    std::swap(state[0], state[1]);
  }
  if (failed(checkShape(op, "W", op.getW(),
                        {directions, times(numGates), x.getDimSize(2)})) ||
      failed(checkShape(op, "R", op.getR(),
                        {directions, times(numGates), hidden})) ||
      failed(
          checkShape(op, "B", op.getB(), {directions, times(2 * numGates)})) ||
      failed(checkShape(op, "sequence_lens", op.getSequenceLens(), {batch})) ||
      failed(checkShape(op, "initial_h", op.getInitialH(), state))) {
    return failure();
  }
  if (std::optional<ArrayAttr> names = op.getActivations()) {
    if (names->size() != numActivations * directions) {
      return op.emitOpError("expected ")
             << numActivations * directions << " activations, found "
             << names->size();
    }
    for (StringAttr name : names->template getAsRange<StringAttr>()) {
      if (!isActivation(name)) {
        return op.emitOpError("expected activations of ONNX, found ") << name;
      }
    }
  }
  return success();
}

LogicalResult RNNOp::verify() {
  return verifyRecurrent(*this, /*numGates=*/1, /*numActivations=*/1);
}

LogicalResult GRUOp::verify() {
  return verifyRecurrent(*this, /*numGates=*/3, /*numActivations=*/2);
}

LogicalResult LSTMOp::verify() {
  if (failed(verifyRecurrent(*this, /*numGates=*/4, /*numActivations=*/3))) {
    return failure();
  }
  auto r = cast<RankedTensorType>(getR().getType());
  auto h = cast<RankedTensorType>(getYH().getType());
  if (r.getRank() != 3) {
    return success();
  }
  int64_t peepholes =
      r.isDynamicDim(2) ? ShapedType::kDynamic : 3 * r.getDimSize(2);
  if (failed(checkShape(*this, "P", getP(),
                        {getNumDirections(getDirection()), peepholes}))) {
    return failure();
  }
  return checkShape(*this, "initial_c", getInitialC(), h.getShape());
}
