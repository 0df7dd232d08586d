//===- MatMulSamples.cpp - Samples of products ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the results of the IE operator family matrix products have the samples
// of a batch: a product sums along one dimension of each operand, and keeps the
// others apart.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/MatMul.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// Operands without samples, and results, may be of any type.
static bool areRanked(Operation *op) {
  auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), isRanked) &&
         llvm::all_of(op->getResultTypes(), isRanked);
}

SamplesOfResults MatMulOp::followSamples(ArrayRef<MaybeSamples> operands) {
  if (!areRanked(getOperation())) {
    return failure();
  }
  // Dimensions are counted from the last, 1, on. A vector is a matrix of one
  // row or column.
  int64_t lhsRank = getRank(getLhs()), rhsRank = getRank(getRhs());
  const MaybeSamples &lhs = operands[0], &rhs = operands[1];
  int64_t ofLhs = lhs ? lhsRank - lhs->dim : 0;
  int64_t ofRhs = rhs ? rhsRank - rhs->dim : 0;
  int64_t dim = lhs ? ofLhs : ofRhs;
  int64_t size = lhs ? lhs->size : rhs->size;
  constexpr int64_t kColumns = 1, kRows = 2;
  bool keepsApart = false;
  if (dim > kRows) {
    keepsApart = lhs && rhs ? ofLhs == ofRhs && lhs->size == rhs->size
                 : lhs      ? isBroadcastAlong(getRhs(), dim)
                            : isBroadcastAlong(getLhs(), dim);
  } else {
    keepsApart = !(lhs && rhs) && dim == (lhs ? kRows : kColumns) &&
                 (lhs || rhsRank > 1);
  }
  if (!keepsApart) {
    return failure();
  }
  // A row or column of one disappears.
  bool losesColumns = rhsRank == 1, losesRows = lhsRank == 1;
  int64_t lost = (losesColumns && dim > kColumns ? 1 : 0) +
                 (losesRows && dim > kRows ? 1 : 0);
  return SmallVector<MaybeSamples>{
      SamplePlace{getRank(getOutput()) - (dim - lost), size}};
}

SamplesOfResults GemmOp::followSamples(ArrayRef<MaybeSamples> operands) {
  if (!areRanked(getOperation())) {
    return failure();
  }
  const MaybeSamples &lhs = operands[0], &rhs = operands[1];
  MaybeSamples addend = operands.size() > 2 ? operands[2] : MaybeSamples();
  MaybeSamples result;
  if (lhs && !rhs && lhs->dim == (getTransA() ? 1 : 0)) {
    result = SamplePlace{0, lhs->size};
  } else if (rhs && !lhs && rhs->dim == (getTransB() ? 0 : 1)) {
    result = SamplePlace{1, rhs->size};
  }
  if (!result) {
    return failure();
  }
  int64_t fromLast = 2 - result->dim;
  bool fits = addend ? getRank(getAddend()) - addend->dim == fromLast &&
                           addend->size == result->size
                     : !getAddend() || isBroadcastAlong(getAddend(), fromLast);
  if (!fits) {
    return failure();
  }
  return SmallVector<MaybeSamples>{result};
}
