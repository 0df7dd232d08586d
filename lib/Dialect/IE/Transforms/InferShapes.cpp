//===- InferShapes.cpp - The ie-infer-shapes pass -------------------------===//
//
// Propagates static shapes forward through a function.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {
#define GEN_PASS_DEF_INFERSHAPES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The meet of two compatible types: each dimension static if either is.
static Type refine(Type present, Type inferred) {
  auto lhs = dyn_cast<RankedTensorType>(present);
  auto rhs = dyn_cast<RankedTensorType>(inferred);
  if (!lhs || !rhs || lhs.getRank() != rhs.getRank()) {
    return present;
  }
  SmallVector<int64_t> shape(lhs.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, rhs.getShape())) {
    if (ShapedType::isDynamic(dim)) {
      dim = other;
    }
  }
  return lhs.clone(shape);
}

namespace {
struct InferShapesPass final
    : nacre::IE::impl::InferShapesBase<InferShapesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    WalkResult walk = function.walk([](InferTypeOpInterface op) {
      SmallVector<Type> inferred;
      if (failed(op.inferReturnTypes(
              op->getContext(), op.getLoc(), op->getOperands(),
              op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
              op->getRegions(), inferred))) {
        return WalkResult::interrupt();
      }
      if (!op.isCompatibleReturnTypes(inferred, op->getResultTypes())) {
        op->emitError("expected result types compatible with ")
            << TypeRange(inferred) << ", found " << op->getResultTypes();
        return WalkResult::interrupt();
      }
      for (auto [result, type] : llvm::zip_equal(op->getResults(), inferred)) {
        result.setType(refine(result.getType(), type));
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    // The signature follows the values it returns.
    Operation *terminator = function.getBody().back().getTerminator();
    function.setType(FunctionType::get(&getContext(),
                                       function.getArgumentTypes(),
                                       terminator->getOperandTypes()));
  }
};
} // namespace
