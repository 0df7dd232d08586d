//===- QuantizeBoundary.cpp - The ie-quantize-boundary pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has a function take the integers that it made of its arguments, and give
// those that its results are made of.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/BoundaryIntegers.h"

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZEBOUNDARY
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The op that alone reads an argument and makes integers of it; null where
/// there is none.
static IE::QuantizeLinearOp findQuantization(BlockArgument argument) {
  if (!argument.hasOneUse()) {
    return {};
  }
  OpOperand &use = *argument.use_begin();
  auto op = dyn_cast<IE::QuantizeLinearOp>(use.getOwner());
  bool isRead = op && op.getInput() == use.get() && IE::getIntegers(op);
  return isRead ? op : IE::QuantizeLinearOp();
}

/// The numbers of results that are states, which stay as they are.
static llvm::SmallDenseSet<int64_t> findStates(func::FuncOp function) {
  llvm::SmallDenseSet<int64_t> states;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (auto state = abi::getOfArgument<abi::State>(function, i)) {
      states.insert(state.getInt());
    }
  }
  return states;
}

namespace {

struct QuantizeBoundaryPass final
    : nacre::IE::impl::QuantizeBoundaryBase<QuantizeBoundaryPass> {
  using QuantizeBoundaryBase::QuantizeBoundaryBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    takeIntegers(function);
    giveIntegers(function);
    Block &body = function.getBody().front();
    function.setType(
        FunctionType::get(&getContext(), body.getArgumentTypes(),
                          body.getTerminator()->getOperandTypes()));
    IE::noteIntegers(function);
  }

private:
  void takeIntegers(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      IE::QuantizeLinearOp op = findQuantization(argument);
      if (!op || abi::getOfArgument<abi::State>(function, number)) {
        continue;
      }
      abi::setOfArgument<abi::Integers>(function, number, IE::getIntegers(op));
      argument.setType(op.getOutput().getType());
      op.getOutput().replaceAllUsesWith(argument);
      op.erase();
      ++numValues;
    }
  }

  void giveIntegers(func::FuncOp function) {
    llvm::SmallDenseSet<int64_t> states = findStates(function);
    Operation *end = function.getBody().front().getTerminator();
    for (OpOperand &operand : end->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      auto op = operand.get().getDefiningOp<IE::DequantizeLinearOp>();
      abi::IntegersAttr integers = op ? IE::getIntegers(op) : nullptr;
      if (!integers || states.contains(number)) {
        continue;
      }
      abi::setOfResult<abi::Integers>(function, number, integers);
      operand.set(op.getInput());
      if (op->use_empty()) {
        op.erase();
      }
      ++numValues;
    }
  }
};

} // namespace
