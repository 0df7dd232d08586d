//===- Interpreter.cpp - Evaluation of IE functions -----------------------===//
//
// The driver: walks a function's block in order and hands each op's operands
// to its kernel.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Interfaces/InterpretableOpInterface.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

LogicalResult interpreter::evaluate(Operation *op, ArrayRef<Tensor> operands,
                                    SmallVectorImpl<Tensor> &results) {
  ElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant))) {
    FailureOr<Tensor> tensor = Tensor::fromAttr(constant);
    if (failed(tensor)) {
      return op->emitError("expected a constant with data");
    }
    results.push_back(*tensor);
    return success();
  }
  auto interpretable = dyn_cast<InterpretableOpInterface>(op);
  if (!interpretable) {
    return op->emitError("the interpreter has no kernel for this op");
  }
  for (Type type : op->getResultTypes()) {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    if (!tensorType || !tensorType.hasStaticShape()) {
      return op->emitError("the interpreter needs static result types, found ")
             << type;
    }
    results.push_back(Tensor(tensorType));
  }
  return interpretable.interpret(operands, results);
}

LogicalResult interpreter::run(func::FuncOp function, ArrayRef<Tensor> inputs,
                               SmallVectorImpl<Tensor> &outputs) {
  if (!function.getBody().hasOneBlock()) {
    return function.emitError("expected a function of one block");
  }
  Block &block = function.getBody().front();
  llvm::DenseMap<Value, Tensor> values;
  llvm::DenseMap<Value, unsigned> usesLeft;
  auto define = [&](Value value, Tensor tensor) {
    usesLeft[value] = std::distance(value.use_begin(), value.use_end());
    values[value] = std::move(tensor);
  };
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs)) {
    if (argument.getType() != input.getType()) {
      return function.emitError("expected an input of type ")
             << argument.getType() << ", found " << input.getType();
    }
    define(argument, input);
  }
  for (Operation &op : block.without_terminator()) {
    SmallVector<Tensor> operands, results;
    for (Value operand : op.getOperands()) {
      operands.push_back(values[operand]);
    }
    if (failed(evaluate(&op, operands, results))) {
      return failure();
    }
    for (Value operand : op.getOperands()) {
      if (--usesLeft[operand] == 0) {
        values.erase(operand);
      }
    }
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results)) {
      define(result, std::move(tensor));
    }
  }
  for (Value result : block.getTerminator()->getOperands()) {
    outputs.push_back(values[result]);
  }
  return success();
}
