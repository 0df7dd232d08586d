//===- ValueBounds.cpp - What is known of sizes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of arith.select that says nothing.
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/ValueBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

namespace {
struct OpaqueSelect final
    : ValueBoundsOpInterface::ExternalModel<OpaqueSelect, arith::SelectOp> {
  void populateBoundsForIndexValue(Operation *, Value,
                                   ValueBoundsConstraintSet &) const {}
  void populateBoundsForShapedValueDim(Operation *, Value, int64_t,
                                       ValueBoundsConstraintSet &) const {}
};
} // namespace

void nacre::registerOpaqueSelects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::SelectOp::attachInterface<OpaqueSelect>(*context);
  });
}
