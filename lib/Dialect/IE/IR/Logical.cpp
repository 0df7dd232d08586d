//===- Logical.cpp - Comparison, logic and selection ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// comparison, logic and selection.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Logical.cpp.inc"

void IEDialect::registerLogicalOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Logical.cpp.inc"
      >();
}

/// The value of a constant that is the same everywhere.
static std::optional<bool> getSplatBool(Attribute attr) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat()) {
    return std::nullopt;
  }
  return dense.getSplatValue<bool>();
}

/// `lhs` when it is a legal replacement of the op and `rhs` is `neutral`.
static OpFoldResult foldNeutral(Value lhs, Attribute rhs, Type resultType,
                                bool neutral) {
  return lhs.getType() == resultType && getSplatBool(rhs) == neutral
             ? OpFoldResult(lhs)
             : OpFoldResult();
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() && getLhs().getType() == getType()) {
    return getLhs();
  }
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), true);
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() && getLhs().getType() == getType()) {
    return getLhs();
  }
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), false);
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), false);
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<NotOp>();
  return inner && inner.getInput().getType() == getType()
             ? OpFoldResult(inner.getInput())
             : OpFoldResult();
}

LogicalResult WhereOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  return inferBroadcastType(location, adaptor.getOperands(),
                            getElementTypeOrSelf(adaptor.getOnTrue()),
                            inferred);
}

OpFoldResult WhereOp::fold(FoldAdaptor adaptor) {
  Value chosen;
  if (getOnTrue() == getOnFalse()) {
    chosen = getOnTrue();
  } else if (auto splat = getSplatBool(adaptor.getCondition())) {
    chosen = *splat ? getOnTrue() : getOnFalse();
  }
  return chosen && chosen.getType() == getType() ? OpFoldResult(chosen)
                                                 : OpFoldResult();
}
