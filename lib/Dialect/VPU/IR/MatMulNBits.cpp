//===- MatMulNBits.cpp - Verification of VPU.NCE.MatMulNBits --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCEVerifiers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// There is one for each column of the panels of weights, and for as many of
/// their blocks in each.
static LogicalResult verifyBlockParameter(NCEMatMulNBitsOp op, StringRef what,
                                          Value value) {
  if (failed(verifySameDim(op, ("panels of " + what + " and weights").str(),
                           value, 0, op.getWeights(), 0)) ||
      failed(verifySameDim(op,
                           ("panel widths of " + what + " and weights").str(),
                           value, 2, op.getWeights(), 3))) {
    return failure();
  }
  int64_t blocks = op.getWeightsShape()[1];
  int64_t parameters = shapedType(value).getDimSize(1);
  if (ShapedType::isDynamic(parameters) || parameters < 1 ||
      blocks % parameters != 0) {
    return op.emitOpError("expected a ")
           << what << " for as many of the " << blocks
           << " blocks of weights each, found " << value.getType();
  }
  return success();
}

LogicalResult NCEMatMulNBitsOp::verify() {
  if (failed(verifyOperands(*this))) {
    return failure();
  }
  int64_t bits = getBits();
  if (bits != 2 && bits != 4 && bits != 8) {
    return emitOpError("expected 2, 4 or 8 bits, found ") << bits;
  }
  Operation *op = *this;
  int64_t reduction = shapedType(getLhs()).getDimSize(2);
  if (!ShapedType::isDynamic(reduction) && reduction != getDepth()) {
    return emitOpError("expected equal reduction sizes, found ")
           << reduction << " and " << getDepth() << " in " << getLhs().getType()
           << " and " << getWeights().getType();
  }
  if (failed(verifySameDim(op, "batches of lhs and destination", getLhs(), 0,
                           getInit(), 0)) ||
      failed(verifySameDim(op, "rows of lhs and destination", getLhs(), 1,
                           getInit(), 1))) {
    return failure();
  }
  ArrayRef<int64_t> weights = getWeightsShape();
  int64_t columns = getInitType().getDimSize(2);
  if (columns > weights[0] * weights[3]) {
    return emitOpError("expected at most ")
           << weights[0] * weights[3] << " columns for " << weights[0]
           << " panels of " << weights[3] << ", found " << columns;
  }
  if (failed(verifyBlockParameter(*this, "scale", getScale())) ||
      (getZeroPoint() &&
       (failed(verifyBlockParameter(*this, "zeroPoint", getZeroPoint())) ||
        failed(verifySameDim(op, "blocks of zeroPoint and scale",
                             getZeroPoint(), 1, getScale(), 1)))) ||
      (getBias() &&
       (failed(verifySameDim(op, "panels of bias and weights", getBias(), 0,
                             getWeights(), 0)) ||
        failed(verifySameDim(op, "panel widths of bias and weights", getBias(),
                             1, getWeights(), 3))))) {
    return failure();
  }
  auto rowParts = static_cast<int64_t>(getRowParts());
  if (rowParts < 1 || rowParts > kMostRowParts) {
    return emitOpError("expected 1 to ")
           << kMostRowParts << " parts of an element of a row, found "
           << rowParts;
  }
  int64_t needed = std::min(getRowElements(), getDepth() * getPanelWidth());
  if (getScratch() && shapedType(getScratch()).getDimSize(0) < needed) {
    return emitOpError("expected at least ")
           << needed << " elements of scratch, found "
           << getScratch().getType();
  }
  auto integerRows = static_cast<int64_t>(getIntegerRows());
  if (integerRows < 0 ||
      (integerRows > 0 &&
       (!getScratch() ||
        integerRows > shapedType(getScratch()).getDimSize(0) /
                          std::max<int64_t>(getRowElements(), 1)))) {
    return emitOpError("expected scratch for ")
           << integerRows << " rows of " << getRowElements() << " elements";
  }
  if (integerRows > 0 && integerRows < kFewRows &&
      ShapedType::isDynamic(shapedType(getLhs()).getDimSize(1))) {
    return emitOpError("expected at least ")
           << kFewRows << " integerRows for an open number of rows, found "
           << integerRows;
  }
  return getResidual()
             ? verifySameShape(*this, "residual", getResidual(), getInit())
             : success();
}
