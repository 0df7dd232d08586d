//===- NCETiling.cpp - Boxes of operands of NCE ops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The boxes of operands that a box of the destination needs.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

using Boxes = SmallVectorImpl<OpFoldResult>;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

namespace {
/// A box of a value, built dimension by dimension.
struct BoxBuilder {
  OpBuilder &builder;
  Value value;
  Boxes &offsets;
  Boxes &sizes;

  void add(OpFoldResult offset, OpFoldResult size) {
    offsets.push_back(offset);
    sizes.push_back(size);
  }

  /// The whole of the value's next dimension.
  void addWhole() {
    add(builder.getIndexAttr(0),
        getTracedSize(builder, value.getLoc(), value, offsets.size()));
  }

  /// The rows or columns under the windows of a range of outputs.
  void addWindows(Value init, unsigned dim, OpFoldResult offset,
                  OpFoldResult size, int64_t kernel, int64_t stride,
                  int64_t dilation) {
    // All windows: keep the value whole, so that no slice is needed.
    OpFoldResult all = getTracedSize(builder, value.getLoc(), init, dim);
    if (isWholeBox({offset}, {size}, {all})) {
      addWhole();
      return;
    }
    MLIRContext *context = builder.getContext();
    AffineExpr d0 = getAffineDimExpr(0, context);
    int64_t extent = (kernel - 1) * dilation + 1;
    AffineExpr windows = (d0 - 1) * stride + extent;
    // Of no windows, which a run may find, the formula makes less than nothing
    // where strides skip elements.
    bool isCounted = getConstantIntValue(size) || extent >= stride;
    AffineMap map =
        isCounted
            ? AffineMap::get(1, 0, windows)
            : AffineMap::get(1, 0, {windows, builder.getAffineConstantExpr(0)},
                             context);
    add(affine::makeComposedFoldedAffineApply(builder, value.getLoc(),
                                              d0 * stride, {offset}),
        isCounted ? affine::makeComposedFoldedAffineApply(
                        builder, value.getLoc(), map, {size})
                  : affine::makeComposedFoldedAffineMax(builder, value.getLoc(),
                                                        map, {size}));
  }
};
} // namespace

/// Batch, blocks, window rows, window columns, channels of a block.
static void addBlockedInput(Value init, BoxBuilder &box,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                            ArrayRef<int64_t> dilations, bool reducesChannels) {
  box.add(offsets[0], sizes[0]);
  if (reducesChannels) {
    box.addWhole();
  } else {
    box.add(offsets[1], sizes[1]);
  }
  for (unsigned i : {0, 1}) {
    box.addWindows(init, 2 + i, offsets[2 + i], sizes[2 + i], kernel[i],
                   strides[i], dilations[i]);
  }
  if (reducesChannels) {
    box.addWhole();
  } else {
    box.add(offsets[4], sizes[4]);
  }
}

static void addAll(BoxBuilder &box, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes) {
  for (auto [offset, size] : llvm::zip_equal(offsets, sizes)) {
    box.add(offset, size);
  }
}

LogicalResult NCEConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  // The blocks of input that a part of the output blocks needs depend on their
  // group: not a box in general.
  bool allBlocks = isConstantIntValue(offsets[1], 0) &&
                   getConstantIntValue(sizes[1]) == getInitType().getDimSize(1);
  if (getGroups() != 1 && !allBlocks) {
    return failure();
  }
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  if (operand.get() == getInput() && operand.getOperandNumber() == 0) {
    ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
    addBlockedInput(getInit(), box, offsets, sizes, {weights[2], weights[3]},
                    getStrides(), getDilations(),
                    /*reducesChannels=*/true);
    return success();
  }
  switch (shapedType(operand.get()).getRank()) {
  case 6: // weights
  case 7:
    box.add(offsets[1], sizes[1]);
    for (int i = 0; i < 4; ++i) {
      box.addWhole();
    }
    box.add(offsets[4], sizes[4]);
    if (getPack() > 1) {
      box.addWhole();
    }
    return success();
  case 2: // offset, scale, bias
    box.add(offsets[1], sizes[1]);
    box.add(offsets[4], sizes[4]);
    return success();
  default: // residual
    addAll(box, offsets, sizes);
    return success();
  }
}

LogicalResult NCEConvolutionOp::adaptTile(OpBuilder &builder, Operation *tiled,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  if (!getZeroBorder()) {
    return success();
  }
  // Where a tile lies, and so which edges it has, only its loop knows.
  SmallVector<int64_t> border(*getZeroBorder());
  for (unsigned i : {0, 1}) {
    OpFoldResult all = getTracedSize(builder, getLoc(), getInit(), 2 + i);
    if (!isWholeBox(offsets.slice(2 + i, 1), sizes.slice(2 + i, 1), {all})) {
      border[i] = border[i + 2] = 0;
    }
  }
  cast<NCEConvolutionOp>(tiled).setZeroBorder(border);
  return success();
}

LogicalResult NCEWinogradConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  switch (operand.getOperandNumber()) {
  case 0: // input
    addBlockedInput(getInit(), box, offsets, sizes, {3, 3}, {1, 1}, {1, 1},
                    /*reducesChannels=*/true);
    return success();
  case 1: // weights
    box.addWhole();
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    box.addWhole();
    box.add(offsets[4], sizes[4]);
    if (getPack() > 1) {
      box.addWhole();
    }
    return success();
  default:
    break;
  }
  switch (shapedType(operand.get()).getRank()) {
  case 1: // scratch
    box.addWhole();
    return success();
  case 2: // bias
    box.add(offsets[1], sizes[1]);
    box.add(offsets[4], sizes[4]);
    return success();
  default: // residual
    addAll(box, offsets, sizes);
    return success();
  }
}

/// Where each block of the result needs the same block of all operands.
/// `weights`, the second operand, are (CB, KH, KW, …, c), or (…, c, p).
template <typename ConvolutionOp>
static void
getBlockwiseOperandTile(ConvolutionOp op, OpBuilder &builder,
                        OpOperand &operand, ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets,
                        Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  if (operand.getOperandNumber() == 0) {
    ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
    addBlockedInput(op.getInit(), box, offsets, sizes, {weights[1], weights[2]},
                    op.getStrides(), op.getDilations(),
                    /*reducesChannels=*/false);
    return;
  }
  int64_t rank = shapedType(operand.get()).getRank();
  if (operand.getOperandNumber() == 1 || rank == 2) { // weights, scale, bias
    int64_t packs = rank == 6 ? 1 : 0;
    box.add(offsets[1], sizes[1]);
    for (int64_t i = 2; i < rank - packs; ++i) {
      box.addWhole();
    }
    box.add(offsets[4], sizes[4]);
    if (packs > 0) {
      box.addWhole();
    }
    return;
  }
  addAll(box, offsets, sizes); // residual
}

LogicalResult NCEDepthConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  getBlockwiseOperandTile(*this, builder, operand, offsets, sizes,
                          operandOffsets, operandSizes);
  return success();
}

LogicalResult NCEGroupConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  getBlockwiseOperandTile(*this, builder, operand, offsets, sizes,
                          operandOffsets, operandSizes);
  return success();
}

/// The panels of a range of columns that starts with one.
static void addPanels(OpBuilder &builder, Location loc, BoxBuilder &box,
                      OpFoldResult offset, OpFoldResult size, int64_t width) {
  AffineExpr d0 = getAffineDimExpr(0, builder.getContext());
  box.add(affine::makeComposedFoldedAffineApply(builder, loc,
                                                d0.floorDiv(width), {offset}),
          affine::makeComposedFoldedAffineApply(builder, loc, d0.ceilDiv(width),
                                                {size}));
}

LogicalResult NCEMatMulOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  if (operand.getOperandNumber() == 0) {
    box.add(offsets[0], sizes[0]);
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    return success();
  }
  int64_t rank = shapedType(operand.get()).getRank();
  if (rank == 3) { // residual
    addAll(box, offsets, sizes);
    return success();
  }
  // Tiles of columns start on panels: a constant offset is checked, a computed
  // one comes from a loop whose step is a multiple of getBlockStep().
  int64_t width = getPanelWidth();
  std::optional<int64_t> offset = getConstantIntValue(offsets[2]);
  if (hasPlainColumns()) {
    if (rank >= 4 && shapedType(getRhs()).getDimSize(0) != 1) {
      box.add(offsets[0], sizes[0]);
    } else if (rank >= 4) {
      box.addWhole();
    }
    // The panel, and the reduction before or behind the columns.
    box.addWhole();
    if (rank >= 4 && !getTransposed()) {
      box.addWhole();
    }
    box.add(offsets[2], sizes[2]);
    if (rank >= 4 && getTransposed()) {
      box.addWhole();
    }
    return success();
  }
  if (ShapedType::isDynamic(width)) {
    // A matrix of any width, whose columns stay together.
    if (offset != 0) {
      return failure();
    }
    if (shapedType(getRhs()).getDimSize(0) == 1) {
      box.addWhole();
    } else {
      box.add(offsets[0], sizes[0]);
    }
    for (int64_t i = 1; i < rank; ++i) {
      box.addWhole();
    }
    return success();
  }
  if (offset && *offset % width != 0) {
    return failure();
  }
  if (rank >= 4) { // rhs
    if (shapedType(getRhs()).getDimSize(0) == 1) {
      box.addWhole();
    } else {
      box.add(offsets[0], sizes[0]);
    }
    addPanels(builder, getLoc(), box, offsets[2], sizes[2], width);
    for (int64_t i = 2; i < rank; ++i) {
      box.addWhole();
    }
    return success();
  }
  addPanels(builder, getLoc(), box, offsets[2], sizes[2],
            width); // offset, scale, bias
  box.addWhole();
  return success();
}

LogicalResult NCEMatMulNBitsOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  auto isOperand = [&](const MutableOperandRange &range) {
    return !range.empty() && &range[0] == &operand;
  };
  if (&operand == &getLhsMutable()) {
    box.add(offsets[0], sizes[0]);
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    return success();
  }
  if (isOperand(getResidualMutable())) {
    addAll(box, offsets, sizes);
    return success();
  }
  if (isOperand(getScratchMutable())) {
    box.addWhole();
    return success();
  }
  int64_t width = getPanelWidth();
  std::optional<int64_t> offset = getConstantIntValue(offsets[2]);
  if (offset && *offset % width != 0) {
    return failure();
  }
  addPanels(builder, getLoc(), box, offsets[2], sizes[2], width);
  for (int64_t i = 1; i < shapedType(operand.get()).getRank(); ++i) {
    box.addWhole();
  }
  return success();
}

template <typename PoolOp>
static void
getPoolOperandTile(PoolOp op, OpBuilder &builder, OpOperand &operand,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  if (op.getKernel().empty()) {
    box.add(offsets[0], sizes[0]);
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    box.addWhole();
    box.add(offsets[4], sizes[4]);
    return;
  }
  addBlockedInput(op.getInit(), box, offsets, sizes, op.getKernel(),
                  op.getStrides(), op.getDilations(),
                  /*reducesChannels=*/false);
}

LogicalResult NCEMaxPoolOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  getPoolOperandTile(*this, builder, operand, offsets, sizes, operandOffsets,
                     operandSizes);
  return success();
}

LogicalResult NCEAveragePoolOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  if (operand.get() == getShares()) {
    operandOffsets.assign({offsets[2], offsets[3]});
    operandSizes.assign({sizes[2], sizes[3]});
    return success();
  }
  getPoolOperandTile(*this, builder, operand, offsets, sizes, operandOffsets,
                     operandSizes);
  return success();
}

LogicalResult NCEEltwiseOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  addAll(box, offsets, sizes);
  return success();
}
