//===- Sequence.cpp - Evaluation of sequences and optionals ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreter kernels of the IE operator family: sequences and optionals.
//
//===----------------------------------------------------------------------===//

#include "Stacking.h"

#include "nacre/Dialect/IE/IR/Sequence.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// A position operand in [0, limit], where negative ones count from the end.
static FailureOr<int64_t> getPosition(Operation *op, const Datum &datum,
                                      int64_t count, int64_t limit) {
  int64_t given = datum.getTensor().getInt(0);
  int64_t position = given < 0 ? given + count : given;
  if (position < 0 || position > limit) {
    return op->emitError("expected a position in a sequence of ")
           << count << " elements, found " << given;
  }
  return position;
}

static LogicalResult evalEmpty(IE::SequenceEmptyOp, ArrayRef<Datum>,
                               RegionRunner, SmallVectorImpl<Datum> &results) {
  results.push_back(Datum::list({}));
  return success();
}

static LogicalResult evalConstruct(IE::SequenceConstructOp,
                                   ArrayRef<Datum> operands, RegionRunner,
                                   SmallVectorImpl<Datum> &results) {
  results.push_back(Datum::list(operands.vec()));
  return success();
}

static LogicalResult evalAt(IE::SequenceAtOp op, ArrayRef<Datum> operands,
                            RegionRunner, SmallVectorImpl<Datum> &results) {
  ArrayRef<Datum> elements = operands[0].getElements();
  auto count = static_cast<int64_t>(elements.size());
  FailureOr<int64_t> position = getPosition(op, operands[1], count, count - 1);
  if (failed(position)) {
    return failure();
  }
  results.push_back(elements[*position]);
  return success();
}

static LogicalResult evalInsert(IE::SequenceInsertOp op,
                                ArrayRef<Datum> operands, RegionRunner,
                                SmallVectorImpl<Datum> &results) {
  std::vector<Datum> elements = operands[0].getElements().vec();
  auto count = static_cast<int64_t>(elements.size());
  int64_t position = count;
  if (op.getPosition()) {
    FailureOr<int64_t> given = getPosition(op, operands[2], count, count);
    if (failed(given)) {
      return failure();
    }
    position = *given;
  }
  elements.insert(elements.begin() + position, operands[1]);
  results.push_back(Datum::list(std::move(elements)));
  return success();
}

static LogicalResult evalErase(IE::SequenceEraseOp op, ArrayRef<Datum> operands,
                               RegionRunner, SmallVectorImpl<Datum> &results) {
  std::vector<Datum> elements = operands[0].getElements().vec();
  auto count = static_cast<int64_t>(elements.size());
  int64_t position = count - 1;
  if (op.getPosition()) {
    FailureOr<int64_t> given = getPosition(op, operands[1], count, count - 1);
    if (failed(given)) {
      return failure();
    }
    position = *given;
  }
  if (elements.empty()) {
    return op.emitError("expected a sequence of an element at least");
  }
  elements.erase(elements.begin() + position);
  results.push_back(Datum::list(std::move(elements)));
  return success();
}

static LogicalResult evalLength(IE::SequenceLengthOp op,
                                ArrayRef<Datum> operands, RegionRunner,
                                SmallVectorImpl<Datum> &results) {
  Tensor length(cast<RankedTensorType>(op.getLength().getType()));
  length.mutableValues<int64_t>()[0] =
      static_cast<int64_t>(operands[0].getElements().size());
  results.push_back(length);
  return success();
}

/// The sizes of the parts along an axis of `length` elements.
static FailureOr<SmallVector<int64_t>> getPartSizes(IE::SplitToSequenceOp op,
                                                    ArrayRef<Datum> operands,
                                                    int64_t length) {
  SmallVector<int64_t> sizes;
  if (!op.getSplit()) {
    sizes.assign(length, 1);
    return sizes;
  }
  const Tensor &split = operands[1].getTensor();
  if (split.getRank() == 0) {
    int64_t size = split.getInt(0);
    if (size <= 0) {
      return op.emitError("expected parts of a positive size, found ") << size;
    }
    for (int64_t left = length; left > 0; left -= size) {
      sizes.push_back(std::min(size, left));
    }
    return sizes;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < split.getNumElements(); ++i) {
    sizes.push_back(split.getInt(i));
    sum += sizes.back();
  }
  if (sum != length ||
      llvm::any_of(sizes, [](int64_t size) { return size < 0; })) {
    return op.emitError("expected sizes that add up to ")
           << length << ", found " << sum;
  }
  return sizes;
}

static LogicalResult evalSplit(IE::SplitToSequenceOp op,
                               ArrayRef<Datum> operands, RegionRunner,
                               SmallVectorImpl<Datum> &results) {
  const Tensor &input = operands[0].getTensor();
  int64_t axis = op.getAxis();
  axis += axis < 0 ? input.getRank() : 0;
  FailureOr<SmallVector<int64_t>> sizes =
      getPartSizes(op, operands, input.getDim(axis));
  if (failed(sizes)) {
    return failure();
  }
  std::vector<Datum> parts;
  int64_t offset = 0;
  for (int64_t size : *sizes) {
    Tensor part = takeSection(input, axis, offset, size);
    if (!op.getSplit() && op.getKeepdims() == 0) {
      part = takeSlice(input, axis, offset);
    }
    parts.push_back(part);
    offset += size;
  }
  results.push_back(Datum::list(std::move(parts)));
  return success();
}

static LogicalResult evalConcat(IE::ConcatFromSequenceOp op,
                                ArrayRef<Datum> operands, RegionRunner,
                                SmallVectorImpl<Datum> &results) {
  ArrayRef<Datum> elements = operands[0].getElements();
  if (elements.empty()) {
    return op.emitError("expected a sequence of an element at least");
  }
  bool isNew = op.getNewAxis() != 0;
  RankedTensorType type = elements.front().getTensor().getType();
  int64_t axis = op.getAxis();
  axis += axis < 0 ? type.getRank() + isNew : 0;
  if (axis < 0 || axis >= type.getRank() + isNew) {
    return op.emitError("expected an axis of ")
           << type << ", found " << op.getAxis();
  }
  FailureOr<Tensor> whole =
      isNew ? stack(op, elements, type, axis, /*reversed=*/false)
            : concat(op, elements, axis);
  if (failed(whole)) {
    return failure();
  }
  results.push_back(*whole);
  return success();
}

static LogicalResult evalOptional(IE::OptionalOp, ArrayRef<Datum> operands,
                                  RegionRunner,
                                  SmallVectorImpl<Datum> &results) {
  results.push_back(Datum::list(operands.vec()));
  return success();
}

static LogicalResult evalGetElement(IE::OptionalGetElementOp op,
                                    ArrayRef<Datum> operands, RegionRunner,
                                    SmallVectorImpl<Datum> &results) {
  if (!isa<IE::OptionalType>(op.getInput().getType())) {
    results.push_back(operands[0]);
    return success();
  }
  if (operands[0].getElements().empty()) {
    return op.emitError("expected an optional that holds something");
  }
  results.push_back(operands[0].getElements().front());
  return success();
}

static LogicalResult evalHasElement(IE::OptionalHasElementOp op,
                                    ArrayRef<Datum> operands, RegionRunner,
                                    SmallVectorImpl<Datum> &results) {
  Tensor has(cast<RankedTensorType>(op.getOutput().getType()));
  has.mutableValues<bool>()[0] =
      op.getInput() && (!isa<IE::OptionalType>(op.getInput().getType()) ||
                        !operands[0].getElements().empty());
  results.push_back(has);
  return success();
}

void interpreter::registerSequenceKernels(MLIRContext *context) {
  attachCompositeKernel<IE::SequenceEmptyOp, evalEmpty>(context);
  attachCompositeKernel<IE::SequenceConstructOp, evalConstruct>(context);
  attachCompositeKernel<IE::SequenceAtOp, evalAt>(context);
  attachCompositeKernel<IE::SequenceInsertOp, evalInsert>(context);
  attachCompositeKernel<IE::SequenceEraseOp, evalErase>(context);
  attachCompositeKernel<IE::SequenceLengthOp, evalLength>(context);
  attachCompositeKernel<IE::SplitToSequenceOp, evalSplit>(context);
  attachCompositeKernel<IE::ConcatFromSequenceOp, evalConcat>(context);
  attachCompositeKernel<IE::OptionalOp, evalOptional>(context);
  attachCompositeKernel<IE::OptionalGetElementOp, evalGetElement>(context);
  attachCompositeKernel<IE::OptionalHasElementOp, evalHasElement>(context);
}
