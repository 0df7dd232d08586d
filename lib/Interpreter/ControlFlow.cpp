//===- ControlFlow.cpp - Evaluation of branches and loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter kernels of the IE operator family: control flow.
//
//===----------------------------------------------------------------------===//

#include "Stacking.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static RankedTensorType getYieldedType(Region &body, unsigned i) {
  return cast<RankedTensorType>(
      body.front().getTerminator()->getOperand(i).getType());
}

static LogicalResult evalRequire(IE::RequireOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  if (operands[1].getInt(0) == 0) {
    return op.emitError(op.getMessage());
  }
  results[0] = operands[0].withType(results[0].getType());
  return success();
}

static LogicalResult evalIf(IE::IfOp op, ArrayRef<Datum> operands,
                            RegionRunner run, SmallVectorImpl<Datum> &results) {
  bool condition = operands[0].getTensor().getInt(0) != 0;
  Region &branch = condition ? op.getThenBranch() : op.getElseBranch();
  return run(branch, {}, results);
}

static LogicalResult evalLoop(IE::LoopOp op, ArrayRef<Datum> operands,
                              RegionRunner run,
                              SmallVectorImpl<Datum> &results) {
  int64_t limit = std::numeric_limits<int64_t>::max();
  if (op.getMaxTripCount()) {
    limit = operands.front().getTensor().getInt(0);
    operands = operands.drop_front();
  }
  bool goesOn = true;
  if (op.getCondition()) {
    goesOn = operands.front().getTensor().getInt(0) != 0;
    operands = operands.drop_front();
  }
  size_t numCarried = op.getCarried().size();
  SmallVector<Datum> carried(operands);
  SmallVector<SmallVector<Datum>> scanned(op.getNumScanned());
  Builder builder(op.getContext());
  for (int64_t trip = 0; trip < limit && goesOn; ++trip) {
    Tensor number(RankedTensorType::get({}, builder.getI64Type()));
    number.mutableValues<int64_t>()[0] = trip;
    Tensor condition(RankedTensorType::get({}, builder.getI1Type()));
    condition.mutableValues<bool>()[0] = true;
    SmallVector<Datum> arguments = {number, condition}, yielded;
    llvm::append_range(arguments, carried);
    if (failed(run(op.getBody(), arguments, yielded))) {
      return failure();
    }
    goesOn = yielded.front().getTensor().getInt(0) != 0;
    ArrayRef<Datum> rest = ArrayRef(yielded).drop_front();
    carried.assign(rest.begin(), rest.begin() + numCarried);
    for (auto [list, element] :
         llvm::zip_equal(scanned, rest.drop_front(numCarried))) {
      list.push_back(element);
    }
  }
  results.append(carried);
  for (auto [i, list] : llvm::enumerate(scanned)) {
    RankedTensorType type = getYieldedType(op.getBody(), 1 + numCarried + i);
    FailureOr<Tensor> whole =
        stack(op, list, type, /*axis=*/0, /*reversed=*/false);
    if (failed(whole)) {
      return failure();
    }
    results.push_back(*whole);
  }
  return success();
}

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static void refineTypes(IE::ScanOp scan, TypeRange operands);

/// Gives results of the ops of `body` the static types that follow from those
/// of its arguments.
static void refineTypes(Block &body) {
  for (Operation &inner : body) {
    if (auto scan = dyn_cast<IE::ScanOp>(inner)) {
      refineTypes(scan, scan->getOperandTypes());
      continue;
    }
    auto inferable = dyn_cast<InferTypeOpInterface>(inner);
    SmallVector<Type> inferred;
    if (!inferable || inner.getNumRegions() > 0 ||
        failed(inferable.inferReturnTypes(
            inner.getContext(), /*location=*/std::nullopt, inner.getOperands(),
            inner.getDiscardableAttrDictionary(), inner.getPropertiesStorage(),
            inner.getRegions(), inferred))) {
      continue;
    }
    for (auto [result, type] : llvm::zip_equal(inner.getResults(), inferred)) {
      if (isStatic(type)) {
        result.setType(type);
      }
    }
  }
}

/// The same in the body of `scan`, and for its results.
static void refineTypes(IE::ScanOp scan, TypeRange operands) {
  Block &body = scan.getBody().front();
  unsigned numStates = scan.getNumStates();
  for (auto [i, type] : llvm::enumerate(operands)) {
    if (isStatic(type)) {
      body.getArgument(i).setType(
          i < numStates ? type
                        : IE::getPartType(cast<RankedTensorType>(type),
                                          scan.getInputAxis(i - numStates)));
    }
  }
  refineTypes(body);
  for (auto [i, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    // A state keeps its sizes.
    bool isKnown = i < numStates && isStatic(operands[i]);
    Type type = isKnown ? operands[i] : yielded.getType();
    if (isStatic(type) && i >= numStates) {
      auto part = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape(part.getShape());
      shape.insert(shape.begin() + scan.getOutputAxis(i - numStates),
                   scan.getLength());
      type = RankedTensorType::get(shape, part.getElementType());
    }
    if (isStatic(type)) {
      scan->getResult(i).setType(type);
    }
  }
}

/// The types of what the body of `op` would give for parts of `sequences`, if
/// there were any, as far as they follow from the types of these.
static SmallVector<RankedTensorType>
getElementTypes(IE::ScanOp op, ArrayRef<Datum> states,
                ArrayRef<Datum> sequences) {
  OwningOpRef<IE::ScanOp> copy(op.clone());
  SmallVector<Type> operands;
  for (const Datum &operand : llvm::concat<const Datum>(states, sequences)) {
    operands.push_back(operand.getTensor().getType());
  }
  refineTypes(*copy, operands);
  Block &body = copy->getBody().front();
  SmallVector<RankedTensorType> types;
  for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
    unsigned number = states.size() + i;
    Type type = body.getTerminator()->getOperand(number).getType();
    types.push_back(isStatic(type) ? cast<RankedTensorType>(type)
                                   : getYieldedType(op.getBody(), number));
  }
  return types;
}

static LogicalResult evalScan(IE::ScanOp op, ArrayRef<Datum> operands,
                              RegionRunner run,
                              SmallVectorImpl<Datum> &results) {
  size_t numStates = op.getNumStates();
  SmallVector<Datum> states(operands.take_front(numStates));
  ArrayRef<Datum> sequences = operands.drop_front(numStates);
  int64_t length = sequences[0].getTensor().getDim(op.getInputAxis(0));
  for (auto [i, sequence] : llvm::enumerate(sequences)) {
    if (sequence.getTensor().getDim(op.getInputAxis(i)) != length) {
      return op.emitError("expected scanned inputs of one length, found ")
             << length << " and "
             << sequence.getTensor().getDim(op.getInputAxis(i));
    }
  }
  SmallVector<SmallVector<Datum>> scanned(op.getNumScannedOutputs());
  for (int64_t step = 0; step < length; ++step) {
    SmallVector<Datum> arguments = states, yielded;
    for (auto [i, sequence] : llvm::enumerate(sequences)) {
      int64_t position = op.isInputReversed(i) ? length - 1 - step : step;
      arguments.push_back(
          takeSlice(sequence.getTensor(), op.getInputAxis(i), position));
    }
    if (failed(run(op.getBody(), arguments, yielded))) {
      return failure();
    }
    states.assign(yielded.begin(), yielded.begin() + numStates);
    for (auto [list, element] :
         llvm::zip_equal(scanned, ArrayRef(yielded).drop_front(numStates))) {
      list.push_back(element);
    }
  }
  SmallVector<RankedTensorType> types = getElementTypes(op, states, sequences);
  results.append(states);
  for (auto [i, list] : llvm::enumerate(scanned)) {
    FailureOr<Tensor> whole =
        stack(op, list, types[i], op.getOutputAxis(i), op.isOutputReversed(i));
    if (failed(whole)) {
      return failure();
    }
    results.push_back(*whole);
  }
  return success();
}

void interpreter::registerControlFlowKernels(MLIRContext *context) {
  attachKernel<IE::RequireOp, evalRequire>(context);
  attachCompositeKernel<IE::IfOp, evalIf>(context);
  attachCompositeKernel<IE::LoopOp, evalLoop>(context);
  attachCompositeKernel<IE::ScanOp, evalScan>(context);
}
