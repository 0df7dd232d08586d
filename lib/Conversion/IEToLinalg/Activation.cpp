//===- Activation.cpp - Lower the Activation family to linalg -----------===//
//
// Software kernels for the IE operator family Activation.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Activation.h"

using namespace mlir;
using namespace nacre;

namespace {

struct ReluToLinalg final : OpConversionPattern<IE::ReluOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ReluOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!type) {
      return rewriter.notifyMatchFailure(op, "needs a static shape");
    }
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, op.getLoc(), type, adaptor.getInput(),
                [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                  Type element = type.getElementType();
                  Value zero = buildScalar(b, loc, element, 0);
                  if (isa<FloatType>(element)) {
                    return arith::MaximumFOp::create(b, loc, args[0], zero);
                  }
                  if (isUnsignedElement(op.getInput())) {
                    return args[0];
                  }
                  return arith::MaxSIOp::create(b, loc, args[0], zero);
                }));
    return success();
  }
};

} // namespace

void nacre::populateActivationToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<ReluToLinalg>(converter, patterns.getContext());
}
