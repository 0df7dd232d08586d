//===- ControlFlow.cpp - Evaluation of branches and loops -----------------===//
//
// Interpreter kernels of the IE operator family: control flow.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Copies between `whole` and a slice of it, the one at `position` of `axis`:
/// per element before the axis, `bytes` that lie `pitch` apart in `whole`.
template <typename CopyFn>
static void forEachRun(RankedTensorType whole, int64_t axis, int64_t position,
                       CopyFn copy) {
  ArrayRef<int64_t> shape = whole.getShape();
  int64_t element = getElementBytes(whole.getElementType());
  int64_t bytes =
      ShapedType::getNumElements(shape.drop_front(axis + 1)) * element;
  int64_t runs = ShapedType::getNumElements(shape.take_front(axis));
  for (int64_t run = 0; run < runs; ++run) {
    copy((run * shape[axis] + position) * bytes, run * bytes, bytes);
  }
}

static Tensor takeSlice(const Tensor &whole, int64_t axis, int64_t position) {
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + axis);
  Tensor slice(whole.getType().clone(shape));
  char *to = slice.getMutableBytes().data();
  const char *from = whole.getBytes().data();
  forEachRun(whole.getType(), axis, position,
             [&](int64_t outer, int64_t inner, int64_t bytes) {
               std::copy_n(from + outer, bytes, to + inner);
             });
  return slice;
}

/// The elements side by side along a new dimension `axis`. Without elements,
/// the other dimensions are those of `elementType`.
static FailureOr<Tensor> stack(Operation *op, ArrayRef<Datum> elements,
                               RankedTensorType elementType, int64_t axis,
                               bool reversed) {
  SmallVector<int64_t> shape;
  if (elements.empty()) {
    for (int64_t dim : elementType.getShape()) {
      shape.push_back(ShapedType::isDynamic(dim) ? 0 : dim);
    }
  } else {
    shape.assign(elements.front().getTensor().getShape());
  }
  auto count = static_cast<int64_t>(elements.size());
  SmallVector<int64_t> elementShape = shape;
  shape.insert(shape.begin() + axis, count);
  Tensor whole(elementType.clone(shape));
  char *to = whole.getMutableBytes().data();
  for (auto [i, datum] : llvm::enumerate(elements)) {
    const Tensor &element = datum.getTensor();
    if (element.getShape() != ArrayRef(elementShape)) {
      return op->emitError("expected elements of one shape to put side by "
                           "side, found ")
             << elements.front().getTensor().getType() << " and "
             << element.getType();
    }
    const char *from = element.getBytes().data();
    auto position = static_cast<int64_t>(i);
    forEachRun(whole.getType(), axis,
               reversed ? count - 1 - position : position,
               [&](int64_t outer, int64_t inner, int64_t bytes) {
                 std::copy_n(from + inner, bytes, to + outer);
               });
  }
  return whole;
}

static RankedTensorType getYieldedType(Region &body, unsigned i) {
  return cast<RankedTensorType>(
      body.front().getTerminator()->getOperand(i).getType());
}

static LogicalResult evalIf(IE::IfOp op, ArrayRef<Datum> operands,
                            RegionRunner run, SmallVectorImpl<Datum> &results) {
  bool condition = operands[0].getTensor().getInt(0) != 0;
  return run(condition ? op.getThenBranch() : op.getElseBranch(), {}, results);
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
  results.append(states);
  for (auto [i, list] : llvm::enumerate(scanned)) {
    FailureOr<Tensor> whole =
        stack(op, list, getYieldedType(op.getBody(), numStates + i),
              op.getOutputAxis(i), op.isOutputReversed(i));
    if (failed(whole)) {
      return failure();
    }
    results.push_back(*whole);
  }
  return success();
}

void interpreter::registerControlFlowKernels(MLIRContext *context) {
  attachCompositeKernel<IE::IfOp, evalIf>(context);
  attachCompositeKernel<IE::LoopOp, evalLoop>(context);
  attachCompositeKernel<IE::ScanOp, evalScan>(context);
}
