//===- AssertionsToLLVM.cpp - Assertions that end the run -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library must not end the program that called it, as upstream's conversion
// does.
//
//===----------------------------------------------------------------------===//

#include "AssertionsToLLVM.h"

#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre/Runtime/FunctionNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// The name of the node that an op comes from; empty if it has none.
static StringRef getNodeName(Location loc) {
  StringRef name;
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && name.empty()) {
      name = named.getName();
    }
    return WalkResult::advance();
  });
  return name;
}

static void lower(cf::AssertOp op, RuntimeCalls &calls) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value isWrong = arith::XOrIOp::create(
      builder, loc, op.getArg(),
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
  std::string message = op.getMsg().str();
  if (StringRef name = getNodeName(loc); !name.empty()) {
    message = ("'" + name + "': " + message).str();
  }
  scf::IfOp::create(builder, loc, isWrong, [&](OpBuilder &nested, Location) {
    Value text = calls.buildText(nested, loc, message);
    calls.call(nested, loc, names::kFail, text, {});
    scf::YieldOp::create(nested, loc);
  });
  op.erase();
}

void nacre::lowerAssertions(ModuleOp module) {
  SmallVector<cf::AssertOp> assertions;
  module.walk([&](cf::AssertOp op) { assertions.push_back(op); });
  RuntimeCalls calls(module);
  for (cf::AssertOp op : assertions) {
    lower(op, calls);
  }
}
