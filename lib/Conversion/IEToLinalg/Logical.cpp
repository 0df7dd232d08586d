//===- Logical.cpp - Lower the Logical family to linalg -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Logical.
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/IR/Logical.h"

using namespace mlir;
using namespace nacre;

/// For ops that are one arith op on two bits.
template <typename OpT, typename ScalarOpT>
static Value emitLogic(OpT, const ScalarEmitter &e, ValueRange args) {
  return e.create<ScalarOpT>(args[0], args[1]);
}

static Value emitNot(IE::NotOp, const ScalarEmitter &e, ValueRange args) {
  return e.create<arith::XOrIOp>(args[0], e.constant(args[0], 1));
}

static Value emitEqual(IE::EqualOp, const ScalarEmitter &e, ValueRange args) {
  return e.equal(args[0], args[1]);
}

static Value emitGreater(IE::GreaterOp, const ScalarEmitter &e,
                         ValueRange args) {
  return e.less(args[1], args[0]);
}

static Value emitGreaterOrEqual(IE::GreaterOrEqualOp, const ScalarEmitter &e,
                                ValueRange args) {
  return e.lessOrEqual(args[1], args[0]);
}

static Value emitLess(IE::LessOp, const ScalarEmitter &e, ValueRange args) {
  return e.less(args[0], args[1]);
}

static Value emitLessOrEqual(IE::LessOrEqualOp, const ScalarEmitter &e,
                             ValueRange args) {
  return e.lessOrEqual(args[0], args[1]);
}

static Value emitWhere(IE::WhereOp, const ScalarEmitter &e, ValueRange args) {
  return e.select(args[0], args[1], args[2]);
}

void nacre::populateLogicalToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns
      .add<ElementwiseToLinalg<IE::AndOp, emitLogic<IE::AndOp, arith::AndIOp>>,
           ElementwiseToLinalg<IE::OrOp, emitLogic<IE::OrOp, arith::OrIOp>>,
           ElementwiseToLinalg<IE::XorOp, emitLogic<IE::XorOp, arith::XOrIOp>>,
           ElementwiseToLinalg<IE::NotOp, emitNot>,
           ElementwiseToLinalg<IE::EqualOp, emitEqual>,
           ElementwiseToLinalg<IE::GreaterOp, emitGreater>,
           ElementwiseToLinalg<IE::GreaterOrEqualOp, emitGreaterOrEqual>,
           ElementwiseToLinalg<IE::LessOp, emitLess>,
           ElementwiseToLinalg<IE::LessOrEqualOp, emitLessOrEqual>,
           ElementwiseToLinalg<IE::WhereOp, emitWhere>>(converter,
                                                        patterns.getContext());
}
