//===- DecomposeDynamicQuantization.cpp - Quantization by a found range ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: a DynamicQuantizeLinear becomes two reductions,
// what follows from them, and a QuantizeLinear, rounded as ONNX's formula is.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

/// The least or the largest element of all, as a scalar.
template <typename ReduceOp>
static Value reduceAll(OpBuilder &builder, Location loc, Value value,
                       Type scalar) {
  return ReduceOp::create(builder, loc, TypeRange(scalar), value, Value(),
                          builder.getI64IntegerAttr(0),
                          builder.getI64IntegerAttr(0))
      ->getResult(0);
}

namespace {

struct DecomposeDynamicQuantizeLinear final
    : OpRewritePattern<IE::DynamicQuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DynamicQuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = op.getInput();
    Type element = getElementTypeOrSelf(input.getType());
    Type scalar = op.getScale().getType();
    Value zero = IE::buildScalar(rewriter, loc, element, 0);
    Value top = IE::buildScalar(rewriter, loc, element, 255);
    Value least = IE::MinOp::create(
        rewriter, loc, scalar,
        ValueRange{reduceAll<IE::ReduceMinOp>(rewriter, loc, input, scalar),
                   zero});
    Value largest = IE::MaxOp::create(
        rewriter, loc, scalar,
        ValueRange{reduceAll<IE::ReduceMaxOp>(rewriter, loc, input, scalar),
                   zero});
    Value range = IE::SubOp::create(rewriter, loc, largest, least);
    Value scale = IE::DivOp::create(rewriter, loc, range, top);
    IE::setValueName(scale, IE::getValueName(op.getScale()));
    Value steps = IE::DivOp::create(rewriter, loc, least, scale);
    steps = IE::SubOp::create(rewriter, loc, zero, steps);
    steps = IE::ClipOp::create(rewriter, loc, scalar, steps, zero, top);
    steps = IE::RoundOp::create(rewriter, loc, steps);
    Value zeroPoint =
        IE::castTo(rewriter, loc, steps,
                   getElementTypeOrSelf(op.getZeroPoint().getType()));
    IE::setValueName(zeroPoint, IE::getValueName(op.getZeroPoint()));
    Value output =
        IE::QuantizeLinearOp::create(rewriter, loc, op.getOutput().getType(),
                                     input, scale, zeroPoint)
            .getOutput();
    IE::setValueName(output, IE::getValueName(op.getOutput()));
    rewriter.replaceOp(op, {output, scale, zeroPoint});
    return success();
  }
};

} // namespace

void IE::populateDecomposeDynamicQuantizationPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeDynamicQuantizeLinear>(patterns.getContext());
}
