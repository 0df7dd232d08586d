//===- Logical.cpp - Interpreter kernels: Logical family ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Logical.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"
#include "Movement.h"

#include "nacre/Dialect/IE/IR/Logical.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

// Adapts a comparison or a logical function object of the standard library,
// whose answer widens to the computation type and is stored as a bool.
template <typename OpT, typename Function> static auto makeFrom(OpT) {
  return [](auto a, auto b) { return Function()(a, b); };
}

template <typename OpT, typename Function>
static void attachComparison(MLIRContext *context) {
  attachKernel<OpT, evalBroadcast<OpT, makeFrom<OpT, Function>>>(context);
}

static auto makeNot(IE::NotOp) {
  return [](uint64_t x) { return x == 0; };
}

static LogicalResult evalEqual(IE::EqualOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  Tensor handles[] = {operands[0].withHandles(), operands[1].withHandles()};
  return evalBroadcast<IE::EqualOp, makeFrom<IE::EqualOp, std::equal_to<>>>(
      op, handles, results);
}

static LogicalResult evalWhere(IE::WhereOp, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> shape = results[0].getShape();
  std::vector<uint64_t> condition = load<uint64_t>(operands[0], shape);
  // Each operand gives the elements that the condition takes from it.
  for (bool wanted : {true, false}) {
    const Tensor &values = operands[wanted ? 1 : 2];
    SmallVector<int64_t> strides =
        computeBroadcastStrides(values.getShape(), shape);
    gatherElements(values, results[0],
                   [&](int64_t linear, ArrayRef<int64_t> index) -> int64_t {
                     if ((condition[linear] != 0) != wanted) {
                       return -1;
                     }
                     int64_t offset = 0;
                     for (auto [i, stride] : llvm::zip_equal(index, strides)) {
                       offset += i * stride;
                     }
                     return offset;
                   });
  }
  return success();
}

void interpreter::registerLogicalKernels(MLIRContext *context) {
  attachComparison<IE::AndOp, std::logical_and<>>(context);
  attachComparison<IE::OrOp, std::logical_or<>>(context);
  attachComparison<IE::XorOp, std::not_equal_to<>>(context);
  attachComparison<IE::GreaterOp, std::greater<>>(context);
  attachComparison<IE::GreaterOrEqualOp, std::greater_equal<>>(context);
  attachComparison<IE::LessOp, std::less<>>(context);
  attachComparison<IE::LessOrEqualOp, std::less_equal<>>(context);
  attachKernel<IE::NotOp, evalUnaryAs<uint64_t, IE::NotOp, makeNot>>(context);
  attachKernel<IE::EqualOp, evalEqual>(context);
  attachKernel<IE::WhereOp, evalWhere>(context);
}
