//===- NCEOps.cpp - Ops of the neural compute engine ----------------------===//
//
// Verification of the NCE ops, and the boxes of operands that a box of the
// destination needs.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

using Boxes = SmallVectorImpl<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

static LogicalResult verifyPure(DestinationStyleOpInterface op) {
  if (!op.hasPureTensorSemantics() && !op.hasPureBufferSemantics()) {
    return op.emitOpError("expected operands to be all tensors or all memrefs");
  }
  return success();
}

static LogicalResult verifyPositivePair(Operation *op, StringRef name,
                                        ArrayRef<int64_t> values) {
  if (values.size() != 2 || values[0] < 1 || values[1] < 1) {
    return op->emitOpError("expected ")
           << name << " to be two positive numbers, found [" << values << "]";
  }
  return success();
}

/// One dimension that two values must agree on; dynamic ones are not checked.
static LogicalResult verifySameDim(Operation *op, StringRef what, Value a,
                                   int64_t dimA, Value b, int64_t dimB) {
  int64_t sizeA = shapedType(a).getDimSize(dimA);
  int64_t sizeB = shapedType(b).getDimSize(dimB);
  if (!ShapedType::isDynamic(sizeA) && !ShapedType::isDynamic(sizeB) &&
      sizeA != sizeB) {
    return op->emitOpError("expected equal ")
           << what << ", found " << sizeA << " and " << sizeB << " in "
           << a.getType() << " and " << b.getType();
  }
  return success();
}

static LogicalResult verifySameShape(Operation *op, StringRef what, Value value,
                                     Value init) {
  if (shapedType(value).getShape() != shapedType(init).getShape()) {
    return op->emitOpError("expected ")
           << what << " of the destination's shape, found " << value.getType()
           << " and " << init.getType();
  }
  return success();
}

/// The rows and columns that windows need are there: the input is padded.
static LogicalResult verifyWindows(Operation *op, Value input, Value init,
                                   ArrayRef<int64_t> kernel,
                                   ArrayRef<int64_t> strides,
                                   ArrayRef<int64_t> dilations) {
  for (int64_t i : {0, 1}) {
    int64_t available = shapedType(input).getDimSize(2 + i);
    int64_t produced = shapedType(init).getDimSize(2 + i);
    if (ShapedType::isDynamic(available) || ShapedType::isDynamic(produced)) {
      continue;
    }
    int64_t needed =
        (produced - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1;
    if (available < needed) {
      return op->emitOpError("expected at least ")
             << needed << (i == 0 ? " rows" : " columns")
             << " of padded input, found " << available;
    }
  }
  return success();
}

static LogicalResult verifyChannelBias(Operation *op, Value bias, Value init,
                                       int64_t blockDim, int64_t laneDim) {
  if (!bias) {
    return success();
  }
  if (failed(verifySameDim(op, "blocks of bias and destination", bias, 0, init,
                           blockDim))) {
    return failure();
  }
  return verifySameDim(op, "channels per block of bias and destination", bias,
                       1, init, laneDim);
}

template <typename ConvolutionOp>
static LogicalResult
verifyConvolution(ConvolutionOp op, ArrayRef<int64_t> kernel,
                  ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  if (failed(verifyPure(op)) ||
      failed(verifyPositivePair(op, "strides", strides)) ||
      failed(verifyPositivePair(op, "dilations", dilations)) ||
      failed(verifySameDim(op, "batches of input and destination",
                           op.getInput(), 0, op.getInit(), 0)) ||
      failed(verifyWindows(op, op.getInput(), op.getInit(), kernel, strides,
                           dilations)) ||
      failed(verifyChannelBias(op, op.getBias(), op.getInit(), 1, 4))) {
    return failure();
  }
  return op.getResidual()
             ? verifySameShape(op, "residual", op.getResidual(), op.getInit())
             : success();
}

LogicalResult NCEConvolutionOp::verify() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  if (failed(verifyConvolution(*this, {weights[2], weights[3]}, getStrides(),
                               getDilations()))) {
    return failure();
  }
  int64_t groups = getGroups();
  int64_t inputBlocks = shapedType(getInput()).getDimSize(1);
  int64_t outputBlocks = getInitType().getDimSize(1);
  if (groups < 1 || inputBlocks % groups != 0 || outputBlocks % groups != 0) {
    return emitOpError("expected groups to divide the blocks of input and "
                       "destination, found groups ")
           << groups << " of " << inputBlocks << " and " << outputBlocks
           << " blocks";
  }
  if (std::optional<int64_t> channels = getInputChannels()) {
    int64_t slots = weights[1] * weights[4];
    if (*channels < 1 || *channels > slots || *channels <= slots - weights[4]) {
      return emitOpError("expected inputChannels to need all ")
             << weights[1] << " blocks of " << weights[4] << ", found "
             << *channels;
    }
  }
  if (weights[1] != inputBlocks / groups) {
    return emitOpError("expected weights for ")
           << inputBlocks / groups << " input blocks, found "
           << getWeights().getType();
  }
  Operation *op = *this;
  if (failed(verifySameDim(op, "channels per block of weights and input",
                           getWeights(), 4, getInput(), 4)) ||
      failed(verifySameDim(op, "blocks of weights and destination",
                           getWeights(), 0, getInit(), 1))) {
    return failure();
  }
  return verifySameDim(op, "channels per block of weights and destination",
                       getWeights(), 5, getInit(), 4);
}

LogicalResult NCEWinogradConvolutionOp::verify() {
  if (failed(verifyConvolution(*this, {3, 3}, {1, 1}, {1, 1}))) {
    return failure();
  }
  if (shapedType(getWeights()).getDimSize(0) != numPoints) {
    return emitOpError("expected weights of ")
           << numPoints << " points, found " << getWeights().getType();
  }
  static constexpr std::tuple<int64_t, int64_t, StringLiteral> sameAsInput[] = {
      {2, 1, "input blocks"}, {3, 4, "channels per block"}};
  static constexpr std::tuple<int64_t, int64_t, StringLiteral> sameAsInit[] = {
      {1, 1, "output blocks"}, {4, 4, "channels per block"}};
  for (auto [dim, inputDim, what] : sameAsInput) {
    if (failed(verifySameDim(*this, (what + " of weights and input").str(),
                             getWeights(), dim, getInput(), inputDim))) {
      return failure();
    }
  }
  for (auto [dim, initDim, what] : sameAsInit) {
    if (failed(verifySameDim(*this,
                             (what + " of weights and destination").str(),
                             getWeights(), dim, getInit(), initDim))) {
      return failure();
    }
  }
  if (getChunk().empty() != !getScratch()) {
    return emitOpError("expected a chunk exactly where there is scratch");
  }
  if (!getScratch()) {
    return success();
  }
  if (failed(verifyPositivePair(*this, "chunk", getChunk()))) {
    return failure();
  }
  int64_t needed = getScratchElements(getChunk()[0] * getChunk()[1]);
  if (shapedType(getScratch()).getDimSize(0) < needed) {
    return emitOpError("expected at least ")
           << needed << " elements of scratch, found "
           << getScratch().getType();
  }
  return success();
}

// One vector more than the values need: the points of a tile must not all fall
// into one set of the cache.
static int64_t getPitch(int64_t blocks, int64_t tiles, int64_t width) {
  return (blocks * tiles + 1) * width;
}

int64_t NCEWinogradConvolutionOp::getInputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[2], tiles, weights[3]);
}

int64_t NCEWinogradConvolutionOp::getOutputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[1], tiles, weights[4]);
}

int64_t NCEWinogradConvolutionOp::getScratchElements(int64_t tiles) {
  return numPoints * (getInputPitch(tiles) + getOutputPitch(tiles));
}

LogicalResult NCEDepthConvolutionOp::verify() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  if (failed(verifyConvolution(*this, {weights[1], weights[2]}, getStrides(),
                               getDilations()))) {
    return failure();
  }
  Operation *op = *this;
  for (auto [dim, weightsDim] : {std::pair(1, 0), std::pair(4, 3)}) {
    StringRef what = dim == 1 ? "blocks" : "channels per block";
    if (failed(verifySameDim(op, (what + " of input and destination").str(),
                             getInput(), dim, getInit(), dim)) ||
        failed(verifySameDim(op, (what + " of weights and destination").str(),
                             getWeights(), weightsDim, getInit(), dim))) {
      return failure();
    }
  }
  return success();
}

LogicalResult NCEMatMulOp::verify() {
  if (failed(verifyPure(*this))) {
    return failure();
  }
  Operation *op = *this;
  if (failed(verifySameDim(op, "batches of lhs and destination", getLhs(), 0,
                           getInit(), 0)) ||
      failed(verifySameDim(op, "rows of lhs and destination", getLhs(), 1,
                           getInit(), 1)) ||
      failed(verifySameDim(op, "reduction sizes", getLhs(), 2, getRhs(), 2))) {
    return failure();
  }
  ArrayRef<int64_t> rhs = shapedType(getRhs()).getShape();
  if (rhs[0] != 1 && failed(verifySameDim(op, "batches of rhs and destination",
                                          getRhs(), 0, getInit(), 0))) {
    return failure();
  }
  int64_t columns = getInitType().getDimSize(2);
  if (columns > rhs[1] * rhs[3]) {
    return emitOpError("expected at most ")
           << rhs[1] * rhs[3] << " columns for " << rhs[1] << " panels of "
           << rhs[3] << ", found " << columns;
  }
  if (getBias() && (failed(verifySameDim(op, "panels of bias and rhs",
                                         getBias(), 0, getRhs(), 1)) ||
                    failed(verifySameDim(op, "panel widths of bias and rhs",
                                         getBias(), 1, getRhs(), 3)))) {
    return failure();
  }
  return getResidual()
             ? verifySameShape(*this, "residual", getResidual(), getInit())
             : success();
}

template <typename PoolOp> static LogicalResult verifyPool(PoolOp op) {
  if (failed(verifyPure(op)) ||
      failed(verifyPositivePair(op, "kernel", op.getKernel())) ||
      failed(verifyPositivePair(op, "strides", op.getStrides())) ||
      failed(verifyPositivePair(op, "dilations", op.getDilations())) ||
      failed(verifyWindows(op, op.getInput(), op.getInit(), op.getKernel(),
                           op.getStrides(), op.getDilations()))) {
    return failure();
  }
  static constexpr std::pair<int64_t, StringLiteral> same[] = {
      {0, "batches"}, {1, "blocks"}, {4, "channels per block"}};
  for (auto [dim, what] : same) {
    if (failed(verifySameDim(op, (what + " of input and destination").str(),
                             op.getInput(), dim, op.getInit(), dim))) {
      return failure();
    }
  }
  return success();
}

LogicalResult NCEMaxPoolOp::verify() { return verifyPool(*this); }
LogicalResult NCEAveragePoolOp::verify() { return verifyPool(*this); }

LogicalResult NCEEltwiseOp::verify() {
  if (failed(verifyPure(*this)) ||
      failed(verifySameShape(*this, "lhs", getLhs(), getInit()))) {
    return failure();
  }
  return verifySameShape(*this, "rhs", getRhs(), getInit());
}

//===----------------------------------------------------------------------===//
// Boxes of operands
//===----------------------------------------------------------------------===//

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
        builder.getIndexAttr(shapedType(value).getDimSize(offsets.size())));
  }

  /// The rows or columns under the windows of a range of outputs.
  void addWindows(ShapedType init, unsigned dim, OpFoldResult offset,
                  OpFoldResult size, int64_t kernel, int64_t stride,
                  int64_t dilation) {
    // All windows: keep the value whole, so that no slice is needed.
    if (isConstantIntValue(offset, 0) &&
        getConstantIntValue(size) == init.getDimSize(dim)) {
      addWhole();
      return;
    }
    MLIRContext *context = builder.getContext();
    AffineExpr d0 = getAffineDimExpr(0, context);
    int64_t extent = (kernel - 1) * dilation + 1;
    add(affine::makeComposedFoldedAffineApply(builder, value.getLoc(),
                                              d0 * stride, {offset}),
        affine::makeComposedFoldedAffineApply(
            builder, value.getLoc(), (d0 - 1) * stride + extent, {size}));
  }
};

/// Batch, blocks, window rows, window columns, channels of a block.
static void addBlockedInput(ShapedType init, BoxBuilder &box,
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
    addBlockedInput(getInitType(), box, offsets, sizes,
                    {weights[2], weights[3]}, getStrides(), getDilations(),
                    /*reducesChannels=*/true);
    return success();
  }
  switch (shapedType(operand.get()).getRank()) {
  case 6: // weights
    box.add(offsets[1], sizes[1]);
    for (int i = 0; i < 4; ++i) {
      box.addWhole();
    }
    box.add(offsets[4], sizes[4]);
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

LogicalResult NCEWinogradConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  switch (operand.getOperandNumber()) {
  case 0: // input
    addBlockedInput(getInitType(), box, offsets, sizes, {3, 3}, {1, 1}, {1, 1},
                    /*reducesChannels=*/true);
    return success();
  case 1: // weights
    box.addWhole();
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    box.addWhole();
    box.add(offsets[4], sizes[4]);
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

LogicalResult NCEDepthConvolutionOp::getOperandTile(
    OpBuilder &builder, OpOperand &operand, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  if (operand.getOperandNumber() == 0) {
    ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
    addBlockedInput(getInitType(), box, offsets, sizes,
                    {weights[1], weights[2]}, getStrides(), getDilations(),
                    /*reducesChannels=*/false);
    return success();
  }
  switch (shapedType(operand.get()).getRank()) {
  case 4: // weights
    box.add(offsets[1], sizes[1]);
    box.addWhole();
    box.addWhole();
    box.add(offsets[4], sizes[4]);
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
  if (offset && *offset % width != 0) {
    return failure();
  }
  AffineExpr d0 = getAffineDimExpr(0, builder.getContext());
  OpFoldResult panel = affine::makeComposedFoldedAffineApply(
      builder, getLoc(), d0.floorDiv(width), {offsets[2]});
  OpFoldResult panels = affine::makeComposedFoldedAffineApply(
      builder, getLoc(), d0.ceilDiv(width), {sizes[2]});
  if (rank == 4) { // rhs
    if (shapedType(getRhs()).getDimSize(0) == 1) {
      box.addWhole();
    } else {
      box.add(offsets[0], sizes[0]);
    }
    box.add(panel, panels);
    box.addWhole();
    box.addWhole();
    return success();
  }
  box.add(panel, panels); // bias
  box.addWhole();
  return success();
}

template <typename PoolOp>
static void
getPoolOperandTile(PoolOp op, OpBuilder &builder, OpOperand &operand,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   Boxes &operandOffsets, Boxes &operandSizes) {
  BoxBuilder box{builder, operand.get(), operandOffsets, operandSizes};
  addBlockedInput(op.getInitType(), box, offsets, sizes, op.getKernel(),
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

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

int64_t NCEConvolutionOp::getMacs() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  int64_t channels = getInputChannels().value_or(weights[1] * weights[4]);
  return getInitType().getNumElements() * weights[2] * weights[3] * channels;
}

int64_t NCEWinogradConvolutionOp::getMacs() {
  ArrayRef<int64_t> out = getInitType().getShape();
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  int64_t tiles = out[0] * llvm::divideCeilSigned(out[2], tileSize) *
                  llvm::divideCeilSigned(out[3], tileSize);
  return tiles * ShapedType::getNumElements(weights);
}

int64_t NCEDepthConvolutionOp::getMacs() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getInitType().getNumElements() * weights[1] * weights[2];
}

int64_t NCEMatMulOp::getMacs() {
  return getInitType().getNumElements() * shapedType(getLhs()).getDimSize(2);
}

int64_t NCEMaxPoolOp::getMacs() {
  return getInitType().getNumElements() * getKernel()[0] * getKernel()[1];
}

int64_t NCEAveragePoolOp::getMacs() {
  return getInitType().getNumElements() * getKernel()[0] * getKernel()[1];
}

int64_t NCEEltwiseOp::getMacs() { return getInitType().getNumElements(); }

//===----------------------------------------------------------------------===//
// Generated definitions
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPUOps.cpp.inc"
