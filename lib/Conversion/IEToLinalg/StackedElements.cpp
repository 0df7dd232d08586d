//===- StackedElements.cpp - Elements of dynamic sizes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds sequences, which the patterns of their family then lower.
//
//===----------------------------------------------------------------------===//

#include "StackedElements.h"

#include "Indices.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

Value nacre::buildEmptyStack(OpBuilder &builder, Location loc,
                             RankedTensorType whole, int64_t axis) {
  auto type = IE::SequenceType::get(IE::getPartType(whole, axis));
  return IE::SequenceEmptyOp::create(builder, loc, TypeRange(type),
                                     TypeAttr::get(whole.getElementType()))
      ->getResult(0);
}

Value nacre::pushElement(OpBuilder &builder, Location loc, Value stack,
                         Value element, bool atFront) {
  Value position;
  if (atFront) {
    position = IE::buildScalar(builder, loc, builder.getI64Type(), 0);
  }
  return IE::SequenceInsertOp::create(builder, loc, TypeRange(stack.getType()),
                                      stack, element, position)
      ->getResult(0);
}

Value nacre::joinStack(OpBuilder &builder, Location loc, Value stack,
                       RankedTensorType whole, int64_t axis, Value count) {
  assertDeclaredLength(builder, loc, whole, axis, count);
  Sizes none;
  for (int64_t dim : whole.getShape()) {
    none.push_back(builder.getIndexAttr(ShapedType::isDynamic(dim) ? 0 : dim));
  }
  Value empty = buildEmpty(builder, loc, whole, none);
  Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        count, buildIndex(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, TypeRange(whole), isEmpty,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, loc, empty);
  builder.setInsertionPointToEnd(branch.elseBlock());
  Value joined =
      IE::ConcatFromSequenceOp::create(builder, loc, TypeRange(whole), stack,
                                       builder.getI64IntegerAttr(axis),
                                       builder.getI64IntegerAttr(1))
          ->getResult(0);
  scf::YieldOp::create(builder, loc, joined);
  return branch.getResult(0);
}
