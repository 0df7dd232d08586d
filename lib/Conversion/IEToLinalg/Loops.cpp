//===- Loops.cpp - Loops that carry values --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shorthands for scf loops.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Indices.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

Values nacre::buildFor(OpBuilder &builder, Location loc, Value first, Value end,
                       ValueRange init, ForBody body, Value step) {
  if (!step) {
    step = buildIndex(builder, loc, 1);
  }
  auto loop = scf::ForOp::create(
      builder, loc, first, end, step, init,
      [&](OpBuilder &nested, Location, Value i, ValueRange carried) {
        scf::YieldOp::create(nested, loc, body(nested, i, carried));
      });
  return Values(loop.getResults());
}

void nacre::markIndependent(Operation *loop, int64_t dim) {
  abi::setNumber<abi::Independent>(loop, dim);
}

Values
nacre::buildWhile(OpBuilder &builder, Location loc, ValueRange init,
                  llvm::function_ref<Value(OpBuilder &, ValueRange)> condition,
                  llvm::function_ref<Values(OpBuilder &, ValueRange)> body) {
  auto loop = scf::WhileOp::create(
      builder, loc, init.getTypes(), init,
      [&](OpBuilder &nested, Location, ValueRange carried) {
        scf::ConditionOp::create(nested, loc, condition(nested, carried),
                                 carried);
      },
      [&](OpBuilder &nested, Location, ValueRange carried) {
        scf::YieldOp::create(nested, loc, body(nested, carried));
      });
  return Values(loop.getResults());
}

Values nacre::buildIf(OpBuilder &builder, Location loc, Value condition,
                      ValueRange values,
                      llvm::function_ref<Values(OpBuilder &)> body) {
  auto branch = scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &nested, Location) {
        scf::YieldOp::create(nested, loc, body(nested));
      },
      [&](OpBuilder &nested, Location) {
        scf::YieldOp::create(nested, loc, values);
      });
  return Values(branch.getResults());
}
