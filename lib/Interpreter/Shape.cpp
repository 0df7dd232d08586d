//===- Shape.cpp - Interpreter kernels: Shape family ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Shape. The reshaping ops copy; a wrong
// declared shape shows in the number of elements.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

template <typename OpT>
static LogicalResult evalReshapeLike(OpT op, ArrayRef<Tensor> operands,
                                     MutableArrayRef<Tensor> results) {
  if (operands[0].getNumElements() != results[0].getNumElements()) {
    return op.emitError("expected ")
           << results[0].getNumElements() << " elements, found "
           << operands[0].getType();
  }
  copyElements(operands[0], results[0]);
  return success();
}

/// Whether `dims`, a Reshape's shape operand, describes `result`.
static bool describes(ArrayRef<int64_t> dims, const Tensor &data,
                      const Tensor &result, bool allowZero) {
  if (static_cast<int64_t>(dims.size()) != result.getRank()) {
    return false;
  }
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool copies = dim == 0 && !allowZero;
    if (copies && static_cast<int64_t>(i) >= data.getRank()) {
      return false;
    }
    int64_t expected = copies ? data.getDim(i) : dim;
    if (dim != -1 && expected != result.getDim(i)) {
      return false;
    }
  }
  return true;
}

static LogicalResult evalReshape(IE::ReshapeOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  SmallVector<int64_t> dims = *getInts(&operands[1]);
  if (!describes(dims, operands[0], results[0], op.getAllowzero() != 0)) {
    InFlightDiagnostic diag = op.emitError("expected a shape that gives ")
                              << results[0].getType() << ", found ";
    llvm::interleaveComma(dims, diag);
    return diag;
  }
  return evalReshapeLike(op, operands, results);
}

static LogicalResult evalShape(IE::ShapeOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  auto [start, size] =
      IE::ShapeOp::getBounds(operands[0].getRank(), op.getStart(), op.getEnd());
  llvm::copy(operands[0].getShape().slice(start, size),
             results[0].mutableValues<int64_t>().begin());
  return success();
}

static LogicalResult evalSize(IE::SizeOp, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  results[0].mutableValues<int64_t>()[0] = operands[0].getNumElements();
  return success();
}

void interpreter::registerShapeKernels(MLIRContext *context) {
  attachKernel<IE::ReshapeOp, evalReshape>(context);
  attachKernel<IE::FlattenOp, evalReshapeLike<IE::FlattenOp>>(context);
  attachKernel<IE::SqueezeOp, evalReshapeLike<IE::SqueezeOp>>(context);
  attachKernel<IE::UnsqueezeOp, evalReshapeLike<IE::UnsqueezeOp>>(context);
  attachKernel<IE::ShapeOp, evalShape>(context);
  attachKernel<IE::SizeOp, evalSize>(context);
}
