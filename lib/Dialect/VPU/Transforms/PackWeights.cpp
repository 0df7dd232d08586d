//===- PackWeights.cpp - The vpu-pack-weights pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes constant weights in the order in which kernels read them, once, when
// nothing changes them any more.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "WeightPacker.h"

#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/ConstantReleaser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The packed weights as an attribute; null where they are not constant.
static ElementsAttr buildPacked(PackWeightsOp op) {
  // Small constants stay readable; large ones must not be hashed.
  constexpr int64_t kMaxInlineElements = 64;
  std::optional<ArrayRef<char>> weights = getConstantBytes(op.getWeights());
  if (!weights) {
    return {};
  }
  RankedTensorType type = op.getPacked().getType();
  int64_t elements = type.getNumElements();
  size_t bytes = elements * type.getElementTypeBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes, /*align=*/64,
                                                       /*dataIsMutable=*/true);
  packWeights(op, *weights, blob.getMutableData());
  if (elements <= kMaxInlineElements) {
    return DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  }
  return DenseResourceElementsAttr::get(type, "packed", std::move(blob));
}

namespace {
struct PackWeightsPass final : VPU::impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    SmallVector<PackWeightsOp> ops;
    getOperation().walk([&](PackWeightsOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    std::optional<ConstantReleaser> releaser;
    if (releaseConstants) {
      rewriter.setListener(&releaser.emplace(getOperation()));
    }
    for (PackWeightsOp op : ops) {
      Value weights = op.getWeights();
      ElementsAttr packed = buildPacked(op);
      if (!packed) {
        op.emitOpError("expected constant weights; those that a run computes "
                       "are packed by VPU.Copy or linalg ops, found ")
            << weights;
        return signalPassFailure();
      }
      // Where the weights are: other constants lie there, too.
      rewriter.setInsertionPointAfterValue(weights);
      rewriter.replaceOp(op, arith::ConstantOp::create(rewriter, op.getLoc(),
                                                       cast<TypedAttr>(packed))
                                 ->getResults());
      eraseIfDead(rewriter, weights);
      ++numPacked;
    }
  }
};
} // namespace
