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
    rewriter.replaceOp(
        op,
        runtime.call("nacre_map_zip",
                     {runtime.toHandle(op.getLabels(), adaptor.getLabels()),
                      runtime.toHandle(op.getInput(), adaptor.getInput())}));
    return success();
  }
};

struct LowerMapGet final : OpConversionPattern<IE::MapGetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MapGetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value both = runtime.call(
        "nacre_map_get",
        {adaptor.getMap(), runtime.toHandle(op.getKeys(), adaptor.getKeys())});
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
    Value values = runtime.call("nacre_map_sorted_values", adaptor.getMap());
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
