//===- Undecomposed.cpp - Refuse what ie-decompose left
//--------------------===//
//
// Ops that ie-decompose replaces have no kernel. One that is still there lacks
// what its decomposition needs, and its author should read what that is.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/IR/Signal.h"

using namespace mlir;
using namespace nacre;

namespace {

template <typename OpT>
struct RejectUndecomposed final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    op.emitOpError("expected an axis, if it has one, that is an initializer, "
                   "and elements");
    return rewriter.notifyMatchFailure(op, "ie-decompose could not replace it");
  }
};

} // namespace

void nacre::populateRejectUndecomposedPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns
      .add<RejectUndecomposed<IE::DFTOp>, RejectUndecomposed<IE::MultinomialOp>,
           RejectUndecomposed<IE::STFTOp>>(converter, patterns.getContext());
}
