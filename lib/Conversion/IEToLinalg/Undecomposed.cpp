//===- Undecomposed.cpp - Refuse what ie-decompose left -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  RejectUndecomposed(const TypeConverter &converter, MLIRContext *context,
                     StringRef expected)
      : OpConversionPattern<OpT>(converter, context), expected(expected) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    op.emitOpError("expected ") << expected;
    return rewriter.notifyMatchFailure(op, "ie-decompose could not replace it");
  }

private:
  StringRef expected;
};

} // namespace

void nacre::populateRejectUndecomposedPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<RejectUndecomposed<IE::DFTOp>>(
      converter, context,
      "elements, and a result of a shape that a transform along some axis has");
  patterns.add<RejectUndecomposed<IE::STFTOp>>(converter, context,
                                               "a signal with elements");
  patterns.add<RejectUndecomposed<IE::MultinomialOp>>(converter, context,
                                                      "classes to draw from");
}
