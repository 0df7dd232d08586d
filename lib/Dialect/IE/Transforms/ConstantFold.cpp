//===- ConstantFold.cpp - The ie-constant-fold pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the constant part of the graph once, at compile time.
//
//===----------------------------------------------------------------------===//

#include "FoldConstants.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Interpreter/TensorMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {
#define GEN_PASS_DEF_CONSTANTFOLD
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// How many elements a result of `op` may have that outgrows its operands.
static int64_t getMost(Operation *op, const IE::ConstantFoldOptions &bounds) {
  bool isMask = llvm::all_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
  int64_t bound = op->getNumOperands() == 0 ? bounds.maxGenerated
                  : isMask                  ? bounds.maxMask
                                            : bounds.maxElements;
  return std::min(bound, bounds.maxElements);
}

/// True when the results are known statically and small enough, against a
/// fixed bound or against the operands they replace.
static bool isWorthFolding(Operation *op,
                           const IE::ConstantFoldOptions &bounds) {
  int64_t operandElements = 0;
  for (Type type : op->getOperandTypes()) {
    operandElements += cast<ShapedType>(type).getNumElements();
  }
  return llvm::all_of(op->getResultTypes(), [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() &&
           interpreter::getElementBytes(tensor.getElementType()) != 0 &&
           tensor.getNumElements() <=
               std::max(getMost(op, bounds), operandElements);
  });
}

/// What has no elements is known, whatever it is computed from.
static int64_t foldEmptyTensors(Operation *root,
                                llvm::function_ref<bool(Operation *)> selects) {
  auto isEmpty = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
  };
  int64_t numFolded = 0;
  root->walk([&](Operation *op) {
    if (!IE::isOperator(op) || isa<IE::ConstantOp>(op) ||
        op->getNumResults() == 0 || !selects(op) ||
        !llvm::all_of(op->getResultTypes(), isEmpty)) {
      return;
    }
    OpBuilder builder(op);
    for (Value result : op->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      result.replaceAllUsesWith(IE::ConstantOp::create(
          builder, op->getLoc(),
          DenseElementsAttr::get(type, ArrayRef<Attribute>())));
    }
    op->erase();
    ++numFolded;
  });
  return numFolded;
}

FailureOr<int64_t>
IE::foldConstants(Operation *root, const ConstantFoldOptions &bounds,
                  llvm::function_ref<bool(Operation *)> selects) {
  int64_t numFolded = foldEmptyTensors(root, selects);
  // In program order, so that a chain of constants folds in one walk.
  WalkResult walk = root->walk([&](InterpretableOpInterface op) {
    if (!selects(op)) {
      return WalkResult::advance();
    }
    SmallVector<ElementsAttr> constants;
    for (Value operand : op->getOperands()) {
      constants.push_back(IE::getConstantElements(operand));
    }
    if (!llvm::all_of(constants, [](Attribute value) { return !!value; }) ||
        !isWorthFolding(op, bounds)) {
      return WalkResult::advance();
    }
    SmallVector<interpreter::Tensor> operands, results;
    for (ElementsAttr constant : constants) {
      if (failed(interpreter::requireMemoryForConstant(op, constant))) {
        return WalkResult::interrupt();
      }
      FailureOr<interpreter::Tensor> tensor =
          interpreter::Tensor::fromAttr(constant);
      if (failed(tensor)) {
        return WalkResult::advance();
      }
      operands.push_back(*tensor);
    }
    if (failed(interpreter::evaluate(op, operands, results))) {
      return WalkResult::interrupt();
    }
    OpBuilder builder(op);
    for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results)) {
      result.replaceAllUsesWith(
          IE::ConstantOp::create(builder, op->getLoc(), tensor.toAttr()));
    }
    op->erase();
    ++numFolded;
    return WalkResult::advance();
  });
  if (walk.wasInterrupted()) {
    return failure();
  }
  return numFolded;
}

namespace {
struct ConstantFoldPass final
    : nacre::IE::impl::ConstantFoldBase<ConstantFoldPass> {
  using ConstantFoldBase::ConstantFoldBase;

  void runOnOperation() override {
    FailureOr<int64_t> number =
        IE::foldConstants(getOperation(), {maxElements, maxGenerated, maxMask},
                          [](Operation *) { return true; });
    if (failed(number)) {
      return signalPassFailure();
    }
    numFolded += *number;
  }
};
} // namespace
