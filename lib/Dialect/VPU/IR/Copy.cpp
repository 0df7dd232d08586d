//===- Copy.cpp - The DMA op ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification, tiling and canonicalization of VPU.Copy.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static int64_t getOrderRank(DimsOrder order, int64_t anyRank) {
  switch (order) {
  case DimsOrder::ANY:
    return anyRank;
  case DimsOrder::KNn: // with packs or without
    return anyRank == 5 ? 5 : 4;
  case DimsOrder::NCHW:
    return 4;
  case DimsOrder::NCHWc:
    return 5;
  case DimsOrder::KN:
  case DimsOrder::NK:
    return 3;
  }
  llvm_unreachable("unknown order");
}

/// True unless two sizes are known to differ.
static bool mayBeSame(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

static bool mayBeSame(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
    return mayBeSame(std::get<0>(pair), std::get<1>(pair));
  });
}

/// What a blocked or packed dimension pair holds: `blocks` blocks of `width`
/// are the fewest that take `size`.
static bool isBlocking(int64_t size, int64_t blocks, int64_t width) {
  return llvm::any_of(ArrayRef<int64_t>{size, blocks, width},
                      ShapedType::isDynamic) ||
         blocks == llvm::divideCeilSigned(size, width);
}

/// Rows and columns of the destination follow from the source's and the pads.
static LogicalResult verifyPaddedSizes(CopyOp op, ArrayRef<int64_t> source) {
  ArrayRef<int64_t> pads = op.getPads();
  ArrayRef<int64_t> found = op.getInitType().getShape().slice(2, 2);
  for (int64_t i : {0, 1}) {
    if ((i == 0 && op.getRowOffset()) || ShapedType::isDynamic(source[i])) {
      continue;
    }
    int64_t expected = pads[i] + source[i] + pads[i + 2];
    if (!mayBeSame(found[i], expected)) {
      return op.emitOpError("expected ")
             << expected << (i == 0 ? " rows" : " columns")
             << " in the destination, found " << found[i];
    }
  }
  return success();
}

static LogicalResult verifyForm(CopyOp op) {
  ArrayRef<int64_t> src = op.getSourceType().getShape();
  ArrayRef<int64_t> dst = op.getInitType().getShape();
  auto mismatch = [&] {
    return op.emitOpError("expected the destination to be the source in order ")
           << stringifyDimsOrder(op.getDstOrder()) << ", found "
           << op.getSourceType() << " and " << op.getInitType();
  };
  if (op.isFrom(DimsOrder::NCHW, DimsOrder::NCHWc)) {
    if (!mayBeSame(src[0], dst[0]) || !isBlocking(src[1], dst[1], dst[4])) {
      return mismatch();
    }
    return verifyPaddedSizes(op, src.slice(2, 2));
  }
  if (op.isFrom(DimsOrder::NCHWc, DimsOrder::NCHW)) {
    bool matches = mayBeSame(src[0], dst[0]) &&
                   isBlocking(dst[1], src[1], src[4]) &&
                   mayBeSame(src.slice(2, 2), dst.slice(2, 2));
    return matches ? success() : mismatch();
  }
  if (op.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc)) {
    if (!mayBeSame(src.take_front(2), dst.take_front(2)) ||
        !mayBeSame(src[4], dst[4])) {
      return mismatch();
    }
    return verifyPaddedSizes(op, src.slice(2, 2));
  }
  if (op.isFrom(DimsOrder::KN, DimsOrder::KNn) ||
      op.isFrom(DimsOrder::NK, DimsOrder::KNn)) {
    bool transposed = op.getSrcOrder() == DimsOrder::NK;
    int64_t rows = src[transposed ? 2 : 1];
    int64_t columns = src[transposed ? 1 : 2];
    int64_t pack = dst.size() == 5 ? dst[4] : 1;
    bool hasRows =
        ShapedType::isDynamic(dst[2]) || mayBeSame(rows, dst[2] * pack);
    bool matches = mayBeSame(src[0], dst[0]) && hasRows &&
                   isBlocking(columns, dst[1], dst[3]);
    return matches ? success() : mismatch();
  }
  if (op.getSrcOrder() == op.getDstOrder()) {
    bool matches = src.size() == dst.size() && mayBeSame(src, dst);
    return matches ? success() : mismatch();
  }
  return op.emitOpError("expected a supported pair of orders, found ")
         << stringifyDimsOrder(op.getSrcOrder()) << " to "
         << stringifyDimsOrder(op.getDstOrder());
}

LogicalResult CopyOp::verify() {
  if (!hasPureTensorSemantics() && !hasPureBufferSemantics()) {
    return emitOpError("expected operands to be all tensors or all memrefs");
  }
  Type from = getSourceType().getElementType();
  Type to = getInitType().getElementType();
  if (from != to && !(isa<FloatType>(from) && isa<FloatType>(to))) {
    return emitOpError("expected equal element types or two of floats, found ")
           << getSourceType() << " and " << getInitType();
  }
  for (auto [what, order, type] :
       {std::tuple("source", getSrcOrder(), getSourceType()),
        std::tuple("destination", getDstOrder(), getInitType())}) {
    int64_t rank = getOrderRank(order, type.getRank());
    if (type.getRank() != rank) {
      return emitOpError("expected rank ")
             << rank << " for " << what << " order "
             << stringifyDimsOrder(order) << ", found " << type;
    }
  }
  if (getPads().size() != 4 ||
      llvm::any_of(getPads(), [](int64_t pad) { return pad < 0; })) {
    return emitOpError("expected pads to be four numbers >= 0, found [")
           << getPads() << "]";
  }
  if (getFill() && !to.isInteger(8)) {
    return emitOpError(
               "expected bytes to be padded with a computed one, found ")
           << getInitType();
  }
  if (getFlipsSign() &&
      (!isFrom(DimsOrder::KN, DimsOrder::KNn) || !to.isInteger(8))) {
    return emitOpError("expected signs to be flipped only of bytes in order KN "
                       "that become panels, found ")
           << getInitType();
  }
  if ((hasPads() || getRowOffset()) && getDstOrder() != DimsOrder::NCHWc) {
    return emitOpError("expected padding only into order NCHWc, found ")
           << stringifyDimsOrder(getDstOrder());
  }
  return verifyForm(*this);
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

namespace {
/// One dimension's part of a box.
struct Part {
  OpFoldResult offset;
  OpFoldResult size;
};
} // namespace

static bool isWhole(const Part &part, OpFoldResult size) {
  return isWholeBox({part.offset}, {part.size}, {size});
}

static bool isWhole(const Part &part, int64_t size) {
  return isConstantIntValue(part.offset, 0) &&
         getConstantIntValue(part.size) == size;
}

/// The part of an unblocked dimension of `size` elements that lies in a part of
/// its blocks and of their lanes.
static FailureOr<Part> getUnblocked(OpBuilder &builder, Location loc,
                                    Part blocks, Part lanes, int64_t numBlocks,
                                    int64_t width, int64_t size) {
  if (isWhole(blocks, numBlocks) && isWhole(lanes, width)) {
    return Part{builder.getIndexAttr(0), builder.getIndexAttr(size)};
  }
  // Parts of a dimension that does not fill its blocks would need a dynamic
  // size in the last one.
  if (size != numBlocks * width) {
    return failure();
  }
  if (numBlocks == 1) {
    return lanes;
  }
  if (!isWhole(lanes, width)) {
    return failure();
  }
  AffineExpr scaled = getAffineDimExpr(0, builder.getContext()) * width;
  return Part{affine::makeComposedFoldedAffineApply(builder, loc, scaled,
                                                    {blocks.offset}),
              affine::makeComposedFoldedAffineApply(builder, loc, scaled,
                                                    {blocks.size})};
}

/// True when rows of the destination are not simply rows of the source.
static bool shiftsRows(CopyOp op) {
  return op.getRowOffset() || op.getPads()[0] != 0 || op.getPads()[2] != 0;
}

LogicalResult CopyOp::getOperandTile(
    OpBuilder &builder, OpOperand &, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &operandOffsets,
    SmallVectorImpl<OpFoldResult> &operandSizes) {
  ArrayRef<int64_t> src = getSourceType().getShape();
  ArrayRef<int64_t> dst = getInitType().getShape();
  auto part = [&](unsigned dim) { return Part{offsets[dim], sizes[dim]}; };
  auto add = [&](Part box) {
    operandOffsets.push_back(box.offset);
    operandSizes.push_back(box.size);
  };
  auto addWhole = [&](unsigned dim) {
    add({builder.getIndexAttr(0),
         getTracedSize(builder, getLoc(), getSource(), dim)});
  };
  // Rows of a padded copy: all of them, see adaptTile.
  auto addRowsAndColumns = [&](unsigned firstDim) -> LogicalResult {
    if (shiftsRows(*this)) {
      addWhole(firstDim);
    } else {
      add(part(2));
    }
    bool padsColumns = getPads()[1] != 0 || getPads()[3] != 0;
    if (padsColumns &&
        !isWhole(part(3), getTracedSize(builder, getLoc(), getInit(), 3))) {
      return failure();
    }
    if (padsColumns) {
      addWhole(firstDim + 1);
    } else {
      add(part(3));
    }
    return success();
  };

  if (isFrom(DimsOrder::NCHW, DimsOrder::NCHWc)) {
    FailureOr<Part> channels = getUnblocked(builder, getLoc(), part(1), part(4),
                                            dst[1], dst[4], src[1]);
    if (failed(channels)) {
      return failure();
    }
    add(part(0));
    add(*channels);
    return addRowsAndColumns(2);
  }
  if (isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc)) {
    add(part(0));
    add(part(1));
    if (failed(addRowsAndColumns(2))) {
      return failure();
    }
    add(part(4));
    return success();
  }
  if (isFrom(DimsOrder::NCHWc, DimsOrder::NCHW)) {
    bool allChannels = isWhole(part(1), dst[1]);
    if (!allChannels && src[1] != 1) {
      return failure();
    }
    add(part(0));
    addWhole(1);
    add(part(2));
    add(part(3));
    if (allChannels) {
      addWhole(4);
    } else {
      add(part(1));
    }
    return success();
  }
  if (getDstOrder() == DimsOrder::KNn && getSrcOrder() != DimsOrder::KNn) {
    bool transposed = getSrcOrder() == DimsOrder::NK;
    FailureOr<Part> columns =
        getUnblocked(builder, getLoc(), part(1), part(3), dst[1], dst[3],
                     src[transposed ? 1 : 2]);
    if (failed(columns)) {
      return failure();
    }
    // A row of the destination is a pack of the source's.
    Part rows = part(2);
    if (dst.size() == 5) {
      if (!isWhole(part(4), dst[4])) {
        return failure();
      }
      AffineExpr scaled = getAffineDimExpr(0, builder.getContext()) * dst[4];
      for (OpFoldResult *bound : {&rows.offset, &rows.size}) {
        *bound = affine::makeComposedFoldedAffineApply(builder, getLoc(),
                                                       scaled, {*bound});
      }
    }
    add(part(0));
    add(transposed ? *columns : rows);
    add(transposed ? rows : *columns);
    return success();
  }
  for (unsigned dim = 0; dim < dst.size(); ++dim) {
    add(part(dim));
  }
  return success();
}

LogicalResult CopyOp::adaptTile(OpBuilder &builder, Operation *tiled,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  if (getDstOrder() != DimsOrder::NCHWc || !shiftsRows(*this) ||
      isWhole({offsets[2], sizes[2]},
              getTracedSize(builder, getLoc(), getInit(), 2))) {
    return success();
  }
  // The tile reads the source's rows from where it lies.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(tiled);
  OpFoldResult row = offsets[2];
  if (Value base = getRowOffset()) {
    AffineExpr sum = getAffineDimExpr(0, builder.getContext()) +
                     getAffineDimExpr(1, builder.getContext());
    row = affine::makeComposedFoldedAffineApply(builder, getLoc(), sum,
                                                {row, base});
  }
  auto copy = cast<CopyOp>(tiled);
  copy.getRowOffsetMutable().assign(
      getValueOrCreateConstantIndexOp(builder, getLoc(), row));
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {

/// A plain copy into a fresh tensor is its source.
struct DropPlainCopy final : OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getSrcOrder() != op.getDstOrder() || op.hasPads() ||
        op.getRowOffset()) {
      return rewriter.notifyMatchFailure(op, "changes layout or padding");
    }
    if (!op.getInit().getDefiningOp<tensor::EmptyOp>() ||
        op.getSource().getType() != op.getInit().getType()) {
      return rewriter.notifyMatchFailure(op, "moves to another memory");
    }
    rewriter.replaceOp(op, op.getSource());
    return success();
  }
};

/// Unblocking and blocking again is nothing, or padding in blocked form.
struct CancelUnblocking final : OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<CopyOp>();
    if (!producer || !op.isFrom(DimsOrder::NCHW, DimsOrder::NCHWc) ||
        !producer.isFrom(DimsOrder::NCHWc, DimsOrder::NCHW)) {
      return rewriter.notifyMatchFailure(op, "not blocking after unblocking");
    }
    if (op.getInitType().getDimSize(4) !=
        producer.getSourceType().getDimSize(4)) {
      return rewriter.notifyMatchFailure(op, "blocks differ in size");
    }
    if (producer.getSourceType().getElementTypeBitWidth() >
        producer.getInitType().getElementTypeBitWidth()) {
      return rewriter.notifyMatchFailure(op, "unblocking rounds");
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(producer.getSource());
      op.setSrcOrder(DimsOrder::NCHWc);
    });
    return success();
  }
};

/// Padding after blocking pads while blocking.
struct MergePaddingIntoBlocking final : OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<CopyOp>();
    if (!producer || !op.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc) ||
        !producer.isFrom(DimsOrder::NCHW, DimsOrder::NCHWc)) {
      return rewriter.notifyMatchFailure(op, "not padding after blocking");
    }
    if (producer.hasPads() || producer.getRowOffset()) {
      return rewriter.notifyMatchFailure(op, "its source is already padded");
    }
    // Channels beyond the model's are zero in the copy and padding elsewhere;
    // both are finite, which is all that is promised of them.
    if (!producer->hasOneUse()) {
      return rewriter.notifyMatchFailure(op, "blocking has other uses");
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(producer.getSource());
      op.setSrcOrder(DimsOrder::NCHW);
    });
    return success();
  }
};

} // namespace

void CopyOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropPlainCopy, CancelUnblocking, MergePaddingIntoBlocking>(
      context);
}
