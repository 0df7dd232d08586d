//===- DecomposeNormalization.cpp - Normalisation by its formula ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: a LayerNormalization becomes means of what it
// normalises and arithmetic, which engines and software kernels have.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/Utils/LayerNormalizationUtils.h"

using namespace mlir;
using namespace nacre;

namespace {

struct DecomposeLayerNormalization final
    : OpRewritePattern<IE::LayerNormalizationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::LayerNormalizationOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> values = IE::writeOutLayerNormalization(rewriter, op);
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
      if (value) {
        rewriter.replaceAllUsesWith(result, value);
      }
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void IE::populateDecomposeNormalizationPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeLayerNormalization>(patterns.getContext());
}
