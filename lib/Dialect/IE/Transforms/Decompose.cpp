//===- Decompose.cpp - The ie-decompose pass ------------------------------===//
//
// Operators whose meaning is a combination of others become that combination,
// once for all backends: what comes after need not know them.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_DECOMPOSE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The type of a quantized result's sums.
static Type getSumsType(Value output) {
  return getTensorType(output).clone(IntegerType::get(output.getContext(), 32));
}

/// `sums * lhsScale * rhsScale / outputScale`, quantized: the scales of the
/// operands broadcast to the sums.
static Value quantizeSums(PatternRewriter &rewriter, Location loc, Value sums,
                          Value lhsScale, Value rhsScale, Value outputScale,
                          Value zeroPoint) {
  Value scale =
      IE::MulOp::create(rewriter, loc, IE::castToF32(rewriter, loc, lhsScale),
                        IE::castToF32(rewriter, loc, rhsScale));
  Value divisor = IE::reshapeTo(rewriter, loc,
                                IE::castToF32(rewriter, loc, outputScale), {});
  scale = IE::DivOp::create(rewriter, loc, scale, divisor);
  Value scaled = IE::MulOp::create(rewriter, loc,
                                   IE::castToF32(rewriter, loc, sums), scale);
  auto scalar = RankedTensorType::get({}, rewriter.getF32Type());
  Value one = IE::ConstantOp::create(rewriter, loc,
                                     DenseElementsAttr::get(scalar, 1.0f));
  Value zero = IE::reshapeTo(rewriter, loc, zeroPoint, {});
  return IE::QuantizeLinearOp::create(rewriter, loc, scaled, one, zero)
      .getOutput();
}

static bool areStatic(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    return getTensorType(value).hasStaticShape();
  });
}

namespace {

struct DecomposeQLinearConv final : OpRewritePattern<IE::QLinearConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QLinearConvOp op,
                                PatternRewriter &rewriter) const override {
    if (!areStatic({op.getInputScale(), op.getWeightsScale(),
                    op.getOutputScale(), op.getOutputZeroPoint()}) ||
        (op.getBias() && !areStatic(op.getBias()))) {
      return rewriter.notifyMatchFailure(
          op, "the numbers of scales or biases are not known");
    }
    Location loc = op.getLoc();
    int64_t rank = getTensorType(op.getOutput()).getRank();
    Value sums =
        IE::ConvIntegerOp::create(
            rewriter, loc, getSumsType(op.getOutput()), op.getInput(),
            op.getWeights(), op.getInputZeroPoint(), op.getWeightsZeroPoint(),
            op.getAutoPadAttr(), op.getDilationsAttr(), op.getGroupAttr(),
            op.getKernelShapeAttr(), op.getPadsAttr(), op.getStridesAttr())
            ->getResult(0);
    if (op.getBias()) {
      Value bias =
          IE::reshapeChannels(rewriter, loc, op.getBias(), rank, /*dim=*/1);
      sums = IE::AddOp::create(rewriter, loc, sums, bias);
    }
    Value inputScale = IE::reshapeTo(rewriter, loc, op.getInputScale(), {});
    Value weightsScale =
        IE::reshapeChannels(rewriter, loc, op.getWeightsScale(), rank,
                            /*dim=*/1);
    rewriter.replaceOp(op, quantizeSums(rewriter, loc, sums, inputScale,
                                        weightsScale, op.getOutputScale(),
                                        op.getOutputZeroPoint()));
    return success();
  }
};

struct DecomposeQLinearMatMul final : OpRewritePattern<IE::QLinearMatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QLinearMatMulOp op,
                                PatternRewriter &rewriter) const override {
    if (!areStatic({op.getLhsScale(), op.getLhsZeroPoint(), op.getRhsScale(),
                    op.getRhsZeroPoint(), op.getOutputScale(),
                    op.getOutputZeroPoint()})) {
      return rewriter.notifyMatchFailure(op,
                                         "the numbers of scales are not known");
    }
    Location loc = op.getLoc();
    Value sums = IE::MatMulIntegerOp::create(
                     rewriter, loc, getSumsType(op.getOutput()), op.getLhs(),
                     op.getRhs(), op.getLhsZeroPoint(), op.getRhsZeroPoint())
                     ->getResult(0);
    auto broadcast = [&](Value scale, ArrayRef<int64_t> shape) {
      bool isOne = getTensorType(scale).getNumElements() == 1;
      return IE::reshapeTo(rewriter, loc, scale,
                           isOne ? ArrayRef<int64_t>() : shape);
    };
    Value lhsScale = broadcast(op.getLhsScale(), op.getLhsParameterShape());
    Value rhsScale = broadcast(op.getRhsScale(), op.getRhsParameterShape());
    rewriter.replaceOp(op, quantizeSums(rewriter, loc, sums, lhsScale, rhsScale,
                                        op.getOutputScale(),
                                        op.getOutputZeroPoint()));
    return success();
  }
};

struct DecomposePass final : nacre::IE::impl::DecomposeBase<DecomposePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeQLinearConv, DecomposeQLinearMatMul>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
