//===- BindStates.cpp - States in their old buffers -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two values in one buffer are a matter of what is read before it is written.
// One-shot bufferization decides just that for the tensors that an op is given
// to write to, so it is given the old state.
//
//===----------------------------------------------------------------------===//

#include "ResultBinding.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Argument `argument` becomes result `result`.
struct State {
  BlockArgument argument;
  unsigned result;
};

} // namespace

static LogicalResult findStates(func::FuncOp function,
                                SmallVectorImpl<State> &states) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto result = abi::getOfArgument<abi::State>(function, i);
    if (!result || function.isExternal()) {
      continue;
    }
    Type type = function.getArgumentTypes()[i];
    Type becomes = function.getResultTypes()[result.getInt()];
    auto element = abi::getOfArgument<abi::Element>(function, i);
    if (element && isa<rt::ValueType>(type)) {
      return function.emitError("unsupported state of argument ")
             << i << ", a value of the runtime of " << element.getValue()
             << ": a state is a buffer of known size, of numbers of a byte at "
                "least";
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || type != becomes) {
      InFlightDiagnostic error = function.emitError();
      error << "expected a state to keep one type of static shape, found "
            << type;
      if (auto name = abi::getOfArgument<abi::Name>(function, i)) {
        error << " of '" << name.getValue() << "'";
      }
      return error << " to become " << becomes;
    }
    states.push_back(
        {function.getArgument(i), static_cast<unsigned>(result.getInt())});
  }
  return success();
}

static void bind(func::FuncOp function, ArrayRef<State> states) {
  Operation *terminator = function.getBody().back().getTerminator();
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState analysis(options);
  for (const State &state : states) {
    // Where the result is computed, if it were computed in place throughout.
    llvm::SetVector<Value> origins = analysis.findValueInReverseUseDefChain(
        &terminator->getOpOperand(state.result), [&](Value value) {
          return value == state.argument ||
                 value.getDefiningOp<tensor::EmptyOp>();
        });
    Value origin = origins.size() == 1 ? origins.front() : Value();
    if (origin && origin.getDefiningOp<tensor::EmptyOp>() &&
        origin.getType() == state.argument.getType()) {
      origin.replaceAllUsesWith(state.argument);
    }
  }
}

LogicalResult nacre::bindStates(func::FuncOp function) {
  SmallVector<State> states;
  if (failed(findStates(function, states))) {
    return failure();
  }
  if (!states.empty()) {
    bind(function, states);
  }
  return success();
}
