//===- Map.cpp - Lower maps -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IE operator family: maps. They are values of the runtime, which computes
// the operators on them.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"

#include "nacre/Dialect/IE/IR/Map.h"

using namespace mlir;
using namespace nacre;

namespace {

struct LowerZipMap final : OpConversionPattern<IE::ZipMapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ZipMapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value labels = runtime.toHandle(op.getLabels(), adaptor.getLabels());
    Value scores = runtime.toHandle(op.getInput(), adaptor.getInput());
    rewriter.replaceOp(op, runtime.create<rt::MapZipOp>(labels, scores));
    return success();
  }
};

struct LowerMapGet final : OpConversionPattern<IE::MapGetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MapGetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value keys = runtime.toHandle(op.getKeys(), adaptor.getKeys());
    Value both = runtime.create<rt::MapGetOp>(adaptor.getMap(), keys);
    rewriter.replaceOp(op, runtime.toTensors(both, op->getResultTypes()));
    return success();
  }
};

struct LowerMapValues final : OpConversionPattern<IE::MapValuesOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MapValuesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value values = runtime.create<rt::MapSortedValuesOp>(adaptor.getMap());
    rewriter.replaceOp(op, runtime.toTensor(values, op.getType()));
    return success();
  }
};

} // namespace

void nacre::populateMapToLinalgPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerMapGet, LowerMapValues, LowerZipMap>(converter,
                                                         patterns.getContext());
}
