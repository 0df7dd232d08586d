//===- SamplePlaces.cpp - Where results have the samples of a batch -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops say with that implement SamplePlacesOpInterface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Samples.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static SmallVector<MaybeSamples> ofAllResults(Operation *op,
                                              SamplePlace place) {
  return SmallVector<MaybeSamples>(op->getNumResults(), place);
}

/// The samples of the first operand if no other one has any.
static MaybeSamples getOnlyFirst(ArrayRef<MaybeSamples> operands) {
  bool isOnly =
      llvm::none_of(operands.drop_front(), [](const MaybeSamples &samples) {
        return samples.has_value();
      });
  return isOnly ? operands.front() : MaybeSamples();
}

SamplesOfResults IE::followFirst(Operation *op,
                                 ArrayRef<MaybeSamples> operands) {
  MaybeSamples samples = getOnlyFirst(operands);
  if (!samples) {
    return failure();
  }
  return ofAllResults(op, *samples);
}

SamplesOfResults
IE::followBeside(Operation *op, ArrayRef<MaybeSamples> operands,
                 const std::optional<SmallVector<int64_t>> &axes) {
  MaybeSamples samples = getOnlyFirst(operands);
  RankedTensorType type = getTensor(op->getOperand(0));
  if (!samples || !axes || !type) {
    return failure();
  }
  for (int64_t axis : *axes) {
    // An axis that is computed at run time may be any.
    if (ShapedType::isDynamic(axis) ||
        axis + (axis < 0 ? type.getRank() : 0) == samples->dim) {
      return failure();
    }
  }
  return ofAllResults(op, *samples);
}

SamplesOfResults
IE::followBeside(Operation *op, ArrayRef<MaybeSamples> operands, int64_t axis) {
  return followBeside(op, operands, SmallVector<int64_t>{axis});
}

SamplesOfResults
IE::followReduction(Operation *op, ArrayRef<MaybeSamples> operands,
                    const std::optional<SmallVector<int64_t>> &axes,
                    bool keepDims) {
  SamplesOfResults results = followBeside(op, operands, axes);
  if (failed(results) || keepDims) {
    return results;
  }
  int64_t rank = getTensor(op->getOperand(0)).getRank();
  SamplePlace samples = *operands.front();
  int64_t numBefore = llvm::count_if(*axes, [&](int64_t axis) {
    return axis + (axis < 0 ? rank : 0) < samples.dim;
  });
  samples.dim -= numBefore;
  return ofAllResults(op, samples);
}

bool IE::isBroadcastAlong(Value value, int64_t fromLast) {
  RankedTensorType type = getTensor(value);
  return type && (type.getRank() < fromLast ||
                  type.getDimSize(type.getRank() - fromLast) == 1);
}

SamplesOfResults IE::followBroadcast(Operation *op,
                                     ArrayRef<MaybeSamples> operands) {
  // Dimensions are counted from the last, 1, on.
  MaybeSamples found;
  for (auto [operand, samples] : llvm::zip_equal(op->getOperands(), operands)) {
    RankedTensorType type = getTensor(operand);
    if (!type) {
      return failure();
    }
    if (!samples) {
      continue;
    }
    SamplePlace own = {type.getRank() - samples->dim, samples->size};
    if (found && !(*found == own)) {
      return failure();
    }
    found = own;
  }
  if (!found) {
    return failure();
  }
  for (auto [operand, samples] : llvm::zip_equal(op->getOperands(), operands)) {
    if (!samples && !isBroadcastAlong(operand, found->dim)) {
      return failure();
    }
  }
  SmallVector<MaybeSamples> results;
  for (Value result : op->getResults()) {
    RankedTensorType type = getTensor(result);
    if (!type) {
      return failure();
    }
    results.push_back(SamplePlace{type.getRank() - found->dim, found->size});
  }
  return results;
}

SamplesOfResults IE::followElements(Operation *op,
                                    ArrayRef<MaybeSamples> operands) {
  MaybeSamples samples = getOnlyFirst(operands);
  RankedTensorType from = getTensor(op->getOperand(0));
  RankedTensorType to = getTensor(op->getResult(0));
  if (!samples || !from || !to || to.getNumDynamicDims() != 1) {
    return failure();
  }
  auto *dynamic = llvm::find_if(to.getShape(), ShapedType::isDynamic);
  int64_t dim = dynamic - to.getShape().begin();
  ArrayRef<int64_t> before = from.getShape().take_front(samples->dim);
  ArrayRef<int64_t> behind = from.getShape().drop_front(samples->dim + 1);
  if (ShapedType::isDynamicShape(before) ||
      ShapedType::isDynamicShape(behind)) {
    return failure();
  }
  int64_t numBehind =
      ShapedType::getNumElements(to.getShape().drop_front(dim + 1));
  int64_t numOfSample = samples->size * ShapedType::getNumElements(behind);
  // What is in front of the samples has to stay there, and each sample whole.
  bool staysInFront = ShapedType::getNumElements(before) ==
                      ShapedType::getNumElements(to.getShape().take_front(dim));
  if (!staysInFront || numOfSample == 0 || numBehind == 0 ||
      numOfSample % numBehind != 0) {
    return failure();
  }
  return ofAllResults(op, {dim, numOfSample / numBehind});
}
