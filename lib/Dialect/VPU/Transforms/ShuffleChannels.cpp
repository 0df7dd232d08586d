//===- ShuffleChannels.cpp - The vpu-shuffle-channels pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only moves channels need not leave the blocks that they are in.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

namespace nacre::VPU {
#define GEN_PASS_DEF_SHUFFLECHANNELS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True when a reshape leaves the last `count` dimensions alone.
static bool keepsLast(ArrayRef<ReassociationIndices> groups, size_t count) {
  return groups.size() >= count &&
         llvm::all_of(groups.take_back(count),
                      [](const auto &group) { return group.size() == 1; });
}

/// The shape of a tensor but for rows and columns.
static ArrayRef<int64_t> getPlanes(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().drop_back(2);
}

/// What `value` has the same planes as, in another order or counted otherwise;
/// null where something else is done.
static Value getMovedPlanes(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(op)) {
    return keepsLast(expand.getReassociationIndices(), 2) ? expand.getSrc()
                                                          : Value();
  }
  if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(op)) {
    return keepsLast(collapse.getReassociationIndices(), 2) ? collapse.getSrc()
                                                            : Value();
  }
  auto transpose = dyn_cast_if_present<linalg::TransposeOp>(op);
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  bool keepsPixels = transpose && rank >= 2 &&
                     transpose.getPermutation()[rank - 1] == rank - 1 &&
                     transpose.getPermutation()[rank - 2] == rank - 2;
  return keepsPixels ? transpose.getInput() : Value();
}

static CopyOp getCopyToPlanes(Value value) {
  auto copy = value.getDefiningOp<CopyOp>();
  return copy && copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHW) ? copy
                                                                : CopyOp();
}

/// Finds out which planes of what `producer`, a copy to planes, writes those of
/// `value` are; nothing where something else than moving planes is done between
/// them, or for another reader.
static std::optional<SmallVector<int64_t>> tracePlanes(Value value,
                                                       CopyOp &producer) {
  if (!value.hasOneUse() || ShapedType::isDynamicShape(getPlanes(value))) {
    return std::nullopt;
  }
  if ((producer = getCopyToPlanes(value))) {
    SmallVector<int64_t> planes(ShapedType::getNumElements(getPlanes(value)));
    std::iota(planes.begin(), planes.end(), 0);
    return planes;
  }
  Value source = getMovedPlanes(value);
  std::optional<SmallVector<int64_t>> before =
      source ? tracePlanes(source, producer) : std::nullopt;
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!before || !transpose) {
    return before;
  }
  SmallVector<int64_t> strides = computeStrides(getPlanes(source));
  SmallVector<int64_t> outer = computeStrides(getPlanes(value));
  SmallVector<int64_t> planes;
  for (int64_t i = 0, e = static_cast<int64_t>(before->size()); i < e; ++i) {
    int64_t from = 0;
    for (auto [dim, index] : llvm::enumerate(delinearize(i, outer))) {
      from += index * strides[transpose.getPermutation()[dim]];
    }
    planes.push_back((*before)[from]);
  }
  return planes;
}

/// What `blocks` (N, CB, H, W, c) becomes where its only reader counts them as
/// other known numbers of images and blocks; itself where there is none.
static Value findRegrouped(Value blocks) {
  if (!blocks.hasOneUse()) {
    return blocks;
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(*blocks.user_begin());
  if (!expand || !expand->hasOneUse() ||
      !keepsLast(expand.getReassociationIndices(), 3)) {
    return blocks;
  }
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(*expand->user_begin());
  bool isRegrouped =
      collapse && collapse.getResultType().getRank() == 5 &&
      keepsLast(collapse.getReassociationIndices(), 3) &&
      !ShapedType::isDynamicShape(getPlanes(collapse.getResult()).drop_back());
  return isRegrouped ? collapse.getResult() : blocks;
}

/// Cuts off what is the same for further images, of which the source has
/// `lanes` lanes each.
static ArrayRef<int64_t> dropRepeats(ArrayRef<int64_t> channels, int64_t images,
                                     int64_t sourceImages, int64_t lanes) {
  for (int64_t count = std::gcd(images, sourceImages); count > 1; --count) {
    if (images % count != 0 || sourceImages % count != 0) {
      continue;
    }
    size_t period = channels.size() / count;
    int64_t shift = sourceImages / count * lanes;
    bool isSame = true;
    for (size_t i = period; isSame && i < channels.size(); ++i) {
      int64_t before = channels[i - period];
      isSame = channels[i] == (before < 0 ? before : before + shift);
    }
    if (isSame) {
      return channels.take_front(period);
    }
  }
  return channels;
}

namespace {

/// blocks(move(planes(x))) to shuffle(x)
struct MoveWithinBlocks final : OpRewritePattern<CopyOp> {
  MoveWithinBlocks(MLIRContext *context, ArchAttr arch)
      : OpRewritePattern(context), arch(arch) {}

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.isFrom(DimsOrder::NCHW, DimsOrder::NCHWc) || op.getRowOffset() ||
        op->getNumResults() != 1) {
      return rewriter.notifyMatchFailure(op, "does not block channels");
    }
    CopyOp producer;
    std::optional<SmallVector<int64_t>> planes =
        tracePlanes(op.getSource(), producer);
    if (!planes) {
      return rewriter.notifyMatchFailure(op, "more than channels moves");
    }
    auto source = cast<RankedTensorType>(producer.getSource().getType());
    auto init = cast<RankedTensorType>(op.getInit().getType());
    auto planar = cast<RankedTensorType>(producer.getInit().getType());
    ArrayRef<int64_t> in = source.getShape(), out = init.getShape();
    bool isKnown = llvm::all_of(ArrayRef<unsigned>{0, 1, 4}, [&](unsigned dim) {
      return !source.isDynamicDim(dim) && !init.isDynamicDim(dim);
    });
    int64_t vectorLanes = arch.getLanes(source.getElementType());
    if (!isKnown || in[4] != vectorLanes || out[4] != vectorLanes ||
        source.getElementType() != init.getElementType()) {
      return rewriter.notifyMatchFailure(op, "not between vectors");
    }
    if (source.getElementTypeBitWidth() > planar.getElementTypeBitWidth()) {
      return rewriter.notifyMatchFailure(op, "leaving blocks rounds");
    }
    int64_t sourceChannels = planar.getDimSize(1);
    int64_t channels = cast<ShapedType>(op.getSource().getType()).getDimSize(1);
    SmallVector<int64_t> lanes;
    for (int64_t image = 0; image < out[0]; ++image) {
      for (int64_t lane = 0; lane < out[1] * out[4]; ++lane) {
        if (lane >= channels) {
          lanes.push_back(-1);
          continue;
        }
        int64_t plane = (*planes)[image * channels + lane];
        lanes.push_back(plane / sourceChannels * in[1] * in[4] +
                        plane % sourceChannels);
      }
    }
    // The reader's numbers of images and blocks; padding is what it may fuse.
    Value regrouped = findRegrouped(op->getResult(0));
    auto type = cast<RankedTensorType>(regrouped.getType());
    ArrayRef<int64_t> grouped = type.getShape();
    ArrayRef<int64_t> period =
        dropRepeats(lanes, grouped[0], in[0], in[1] * in[4]);
    if (static_cast<int64_t>(period.size()) > kMostVectorsOfCode * out[4]) {
      return rewriter.notifyMatchFailure(op, "too many vectors");
    }
    Location loc = op.getLoc();
    auto makeEmpty = [&](Value pixels) -> Value {
      SmallVector<OpFoldResult> sizes = getTracedSizes(rewriter, loc, pixels);
      for (unsigned dim : {0, 1, 4}) {
        sizes[dim] = rewriter.getIndexAttr(grouped[dim]);
      }
      return tensor::EmptyOp::create(rewriter, loc, sizes,
                                     type.getElementType());
    };
    Value result = makeEmpty(producer.getSource());
    result = ShuffleChannelsOp::create(rewriter, loc, result.getType(),
                                       producer.getSource(), result, period)
                 ->getResult(0);
    if (op.hasPads()) {
      result = CopyOp::create(rewriter, loc, result, makeEmpty(op.getInit()),
                              DimsOrder::NCHWc, DimsOrder::NCHWc, op.getPads(),
                              op.getPadValue().convertToFloat(), op.getFill())
                   ->getResult(0);
    }
    if (result.getType() != type) {
      result = tensor::CastOp::create(rewriter, loc, type, result);
    }
    rewriter.replaceAllUsesWith(regrouped, result);
    return success();
  }

private:
  ArchAttr arch;
};

/// Rows and columns are those of what was in blocks: who asks for their number
/// need not read planes.
struct SizeOfMovedPlanes final : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    Value value = op.getSource();
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    std::optional<int64_t> index = op.getConstantIndex();
    if (!index || *index < rank - 2) {
      return rewriter.notifyMatchFailure(op, "asks for other sizes");
    }
    while (Value source = getMovedPlanes(value)) {
      value = source;
    }
    CopyOp copy = getCopyToPlanes(value);
    if (!copy) {
      return rewriter.notifyMatchFailure(op, "not of what was in blocks");
    }
    // Rows and columns are the last but one of five dimensions there.
    rewriter.replaceOp(op,
                       getValueOrCreateConstantIndexOp(
                           rewriter, op.getLoc(),
                           getTracedSize(rewriter, op.getLoc(),
                                         copy.getSource(), *index - rank + 4)));
    return success();
  }
};

struct ShuffleChannelsPass final
    : VPU::impl::ShuffleChannelsBase<ShuffleChannelsPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveWithinBlocks>(&getContext(), arch);
    patterns.add<SizeOfMovedPlanes>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
