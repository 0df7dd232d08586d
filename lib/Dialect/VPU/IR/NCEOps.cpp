//===- NCEOps.cpp - Ops of the neural compute engine ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the NCE ops.
//
//===----------------------------------------------------------------------===//

#include "NCEVerifiers.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

static bool isF64(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.getElementType().isF64();
}

LogicalResult VPU::verifyOperands(DestinationStyleOpInterface op) {
  if (!op.hasPureTensorSemantics() && !op.hasPureBufferSemantics()) {
    return op.emitOpError("expected operands to be all tensors or all memrefs");
  }
  if (llvm::any_of(op->getOperandTypes(), isF64) &&
      !llvm::all_of(op->getOperandTypes(), isF64)) {
    return op.emitOpError("expected all operands to be of f64, or none, found ")
           << op->getOperandTypes();
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

LogicalResult VPU::verifySameDim(Operation *op, StringRef what, Value a,
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

LogicalResult VPU::verifySameShape(Operation *op, StringRef what, Value value,
                                   Value init) {
  if (shapedType(value).getShape() != shapedType(init).getShape()) {
    return op->emitOpError("expected ")
           << what << " of the destination's shape, found " << value.getType()
           << " and " << init.getType();
  }
  return success();
}

/// Whichever sizes of an image are dynamic, its channels are known.
static LogicalResult verifyChannels(Operation *op, Value image) {
  ShapedType type = shapedType(image);
  if (type.isDynamicDim(1) || type.isDynamicDim(4)) {
    return op->emitOpError("expected blocks of channels of known number and "
                           "size, found ")
           << type;
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

/// A parameter for each channel of the destination: bias, offset or scale.
static LogicalResult verifyPerChannel(Operation *op, const Twine &what,
                                      Value parameter, Value init) {
  if (!parameter) {
    return success();
  }
  if (failed(verifySameDim(op, ("blocks of " + what + " and destination").str(),
                           parameter, 0, init, 1))) {
    return failure();
  }
  return verifySameDim(
      op, ("channels per block of " + what + " and destination").str(),
      parameter, 1, init, 4);
}

static bool isByte(Value value) {
  return shapedType(value).getElementType().isInteger(8);
}

/// 8-bit values are given a meaning, and only they are.
static LogicalResult verifyQuantized(Operation *op, StringRef what, Value value,
                                     bool hasMeaning, StringRef meaning) {
  if (isByte(value) == hasMeaning) {
    return success();
  }
  return op->emitOpError(hasMeaning ? "unexpected " : "expected ")
         << meaning << " for " << what << " of type " << value.getType();
}

static LogicalResult verifyResult(NCEOpInterface op, Value init) {
  return verifyQuantized(op, "a result", init,
                         static_cast<bool>(op.getPpe().getZeroPoint()),
                         "zeroPoint in ppe");
}

/// Both operands of a contraction are 8-bit integers, or neither is and there
/// is no `scale` or `offset`.
template <typename ContractionOp>
static LogicalResult verifyContraction(ContractionOp op, Value lhs, Value rhs) {
  if (isByte(lhs) != isByte(rhs)) {
    return op.emitOpError("expected two 8-bit operands or none, found ")
           << lhs.getType() << " and " << rhs.getType();
  }
  if (!isByte(lhs) && (op.getScale() || op.getOffset())) {
    return op.emitOpError("unexpected scale or offset for sums of type ")
           << shapedType(lhs).getElementType();
  }
  bool isFinal = !op.getScale() && !op.getBias() && !op.getResidual() &&
                 op.getPpe().isNoop() && isByte(lhs);
  if (shapedType(op.getInit()).getElementType().isInteger(32) && !isFinal) {
    return op.emitOpError("expected a result of 32-bit integers to be no more "
                          "than sums of such");
  }
  return verifyResult(op, op.getInit());
}

template <typename ConvolutionOp>
static LogicalResult
verifyConvolution(ConvolutionOp op, ArrayRef<int64_t> kernel,
                  ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  if (failed(verifyOperands(op)) || failed(verifyChannels(op, op.getInput())) ||
      failed(verifyChannels(op, op.getInit())) ||
      failed(verifyPositivePair(op, "strides", strides)) ||
      failed(verifyPositivePair(op, "dilations", dilations)) ||
      failed(verifySameDim(op, "batches of input and destination",
                           op.getInput(), 0, op.getInit(), 0)) ||
      failed(verifyWindows(op, op.getInput(), op.getInit(), kernel, strides,
                           dilations)) ||
      failed(verifyPerChannel(op, "bias", op.getBias(), op.getInit()))) {
    return failure();
  }
  return op.getResidual()
             ? verifySameShape(op, "residual", op.getResidual(), op.getInit())
             : success();
}

/// A border is a number of rows or columns at each edge, no more than there
/// are.
static LogicalResult verifyZeroBorder(NCEConvolutionOp op) {
  std::optional<ArrayRef<int64_t>> border = op.getZeroBorder();
  if (!border) {
    return success();
  }
  if (border->size() != 4 ||
      llvm::any_of(*border, [](int64_t size) { return size < 0; })) {
    return op.emitOpError("expected zeroBorder to be four numbers that are not "
                          "negative, found [")
           << *border << "]";
  }
  for (unsigned i : {0, 1}) {
    int64_t size = shapedType(op.getInput()).getDimSize(2 + i);
    int64_t zeros = (*border)[i] + (*border)[i + 2];
    if (!ShapedType::isDynamic(size) && zeros > size) {
      return op.emitOpError("expected zeroBorder to be part of the ")
             << size << (i == 0 ? " rows" : " columns") << " of input, found "
             << zeros;
    }
  }
  return success();
}

LogicalResult NCEConvolutionOp::verify() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  if (failed(verifyConvolution(*this, {weights[2], weights[3]}, getStrides(),
                               getDilations())) ||
      failed(verifyContraction(*this, getInput(), getWeights())) ||
      failed(verifyPerChannel(*this, "offset", getOffset(), getInit())) ||
      failed(verifyPerChannel(*this, "scale", getScale(), getInit())) ||
      failed(verifyZeroBorder(*this))) {
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
    int64_t block = getInputBlockSize(), slots = weights[1] * block;
    if (*channels < 1 || *channels > slots || *channels <= slots - block) {
      return emitOpError("expected inputChannels to need all ")
             << weights[1] << " blocks of " << block << ", found " << *channels;
    }
  }
  if (weights[1] != inputBlocks / groups) {
    return emitOpError("expected weights for ")
           << inputBlocks / groups << " input blocks, found "
           << getWeights().getType();
  }
  Operation *op = *this;
  if (getInputBlockSize() != shapedType(getInput()).getDimSize(4)) {
    return emitOpError("expected equal channels per block of weights and "
                       "input, found ")
           << getInputBlockSize() << " and "
           << shapedType(getInput()).getDimSize(4) << " in "
           << getWeights().getType() << " and " << getInput().getType();
  }
  if (failed(verifySameDim(op, "blocks of weights and destination",
                           getWeights(), 0, getInit(), 1))) {
    return failure();
  }
  return verifySameDim(op, "channels per block of weights and destination",
                       getWeights(), 5, getInit(), 4);
}

static LogicalResult verifyScratch(NCEWinogradConvolutionOp op) {
  bool hasInput = static_cast<bool>(op.getInputPlanes());
  bool hasOutput = static_cast<bool>(op.getOutputPlanes());
  if (hasInput != hasOutput || hasInput == op.getChunk().empty()) {
    return op.emitOpError("expected a chunk exactly where there is scratch");
  }
  if (!hasInput) {
    return success();
  }
  if (failed(verifyPositivePair(op, "chunk", op.getChunk()))) {
    return failure();
  }
  int64_t groups = op.getNumGroups(), tiles = op.getTilesPerGroup();
  for (auto [planes, pitch] :
       {std::pair(op.getInputPlanes(), op.getInputPitch(tiles)),
        std::pair(op.getOutputPlanes(), op.getOutputPitch(tiles))}) {
    int64_t needed = groups * op.getNumPoints() * pitch;
    if (planes.getType().getDimSize(0) < needed) {
      return op.emitOpError("expected at least ")
             << needed << " elements of scratch, found " << planes.getType();
    }
  }
  Type element = shapedType(op.getWeights()).getElementType();
  if (op.getInputPlanes().getType().getElementType() != element) {
    return op.emitOpError("expected transformed inputs of the weights' type ")
           << element << ", found " << op.getInputPlanes().getType();
  }
  return success();
}

LogicalResult NCEWinogradConvolutionOp::verify() {
  if (failed(verifyConvolution(*this, {3, 3}, {1, 1}, {1, 1}))) {
    return failure();
  }
  if (getInitType().getElementType().isF64()) {
    return emitOpError("expected floats of at most 32 bits, which the "
                       "transforms compute in, found ")
           << getInitType();
  }
  int64_t tileSize = getTileSize();
  if (getSignedPoints(tileSize).empty()) {
    return emitOpError("expected tileSize to be 2 or 4, found ") << tileSize;
  }
  if (shapedType(getWeights()).getDimSize(0) != getNumPoints()) {
    return emitOpError("expected weights of ")
           << getNumPoints() << " points, found " << getWeights().getType();
  }
  if (failed(verifySameDim(*this, "input blocks of weights and input",
                           getWeights(), 2, getInput(), 1))) {
    return failure();
  }
  int64_t block = shapedType(getWeights()).getDimSize(3) * getPack();
  if (block != shapedType(getInput()).getDimSize(4)) {
    return emitOpError("expected equal channels per block of weights and "
                       "input, found ")
           << block << " and " << shapedType(getInput()).getDimSize(4) << " in "
           << getWeights().getType() << " and " << getInput().getType();
  }
  static constexpr std::tuple<int64_t, int64_t, StringLiteral> sameAsInit[] = {
      {1, 1, "output blocks"}, {4, 4, "channels per block"}};
  for (auto [dim, initDim, what] : sameAsInit) {
    if (failed(verifySameDim(*this,
                             (what + " of weights and destination").str(),
                             getWeights(), dim, getInit(), initDim))) {
      return failure();
    }
  }
  return verifyScratch(*this);
}

/// Input, weights, whose blocks are the first dimension and their channels
/// `channelDim`, and destination have the same channels.
static LogicalResult verifySameBlocks(Operation *op, Value input, Value weights,
                                      int64_t channelDim, Value init) {
  for (auto [dim, weightsDim] :
       {std::pair(int64_t(1), int64_t(0)), std::pair(int64_t(4), channelDim)}) {
    StringRef what = dim == 1 ? "blocks" : "channels per block";
    if (failed(verifySameDim(op, (what + " of input and destination").str(),
                             input, dim, init, dim)) ||
        failed(verifySameDim(op, (what + " of weights and destination").str(),
                             weights, weightsDim, init, dim))) {
      return failure();
    }
  }
  return success();
}

LogicalResult NCEDepthConvolutionOp::verify() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  if (failed(verifyConvolution(*this, {weights[1], weights[2]}, getStrides(),
                               getDilations())) ||
      failed(verifyPerChannel(*this, "offset", getOffset(), getInit())) ||
      failed(verifyPerChannel(*this, "scale", getScale(), getInit())) ||
      failed(verifyResult(*this, getInit())) ||
      failed(verifyQuantized(*this, "an input", getInput(),
                             getInputQuant().has_value(), "inputQuant"))) {
    return failure();
  }
  return verifySameBlocks(*this, getInput(), getWeights(), /*channelDim=*/3,
                          getInit());
}

LogicalResult NCEGroupConvolutionOp::verify() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  if (failed(verifyConvolution(*this, {weights[1], weights[2]}, getStrides(),
                               getDilations())) ||
      failed(verifyResult(*this, getInit())) ||
      failed(verifySameBlocks(*this, getInput(), getWeights(), /*channelDim=*/4,
                              getInit()))) {
    return failure();
  }
  Type input = shapedType(getInput()).getElementType();
  if (getPack() > 1 && shapedType(getWeights()).getElementType() != input) {
    return emitOpError("expected packs of the input's type ")
           << input << ", found " << getWeights().getType();
  }
  int64_t size = getGroupSize(), width = getInitType().getDimSize(4);
  if (!llvm::isPowerOf2_64(size) || width % size != 0) {
    return emitOpError(
               "expected groups of a power of two channels that divides "
               "the channels of a block, found groups of ")
           << size << " in blocks of " << width;
  }
  return success();
}

int64_t NCEGroupConvolutionOp::getOutputChannel(int64_t lane, int64_t width,
                                                int64_t exchanged,
                                                int64_t pack) {
  // The packs of a pixel fill a p-th of the lanes. Of the p times that a
  // group's packs are there, each has as many of its output channels.
  auto [time, position] = std::div(lane, width / pack);
  int64_t group = position / exchanged;
  return group * exchanged * pack + time * exchanged + position % exchanged;
}

LogicalResult NCEMatMulOp::verify() {
  if (failed(verifyOperands(*this))) {
    return failure();
  }
  Operation *op = *this;
  if (failed(verifyContraction(*this, getLhs(), getRhs())) ||
      failed(verifySameDim(op, "batches of lhs and destination", getLhs(), 0,
                           getInit(), 0)) ||
      failed(verifySameDim(op, "rows of lhs and destination", getLhs(), 1,
                           getInit(), 1))) {
    return failure();
  }
  ArrayRef<int64_t> rhs = shapedType(getRhs()).getShape();
  if (getTransposed() && (rhs.size() != 4 || rhs[1] != 1)) {
    return emitOpError("expected a transposed right operand of one panel, "
                       "(B or 1, 1, N, K), found ")
           << getRhs().getType();
  }
  int64_t reduction = shapedType(getLhs()).getDimSize(2);
  int64_t depth = rhs[getDepthDim()];
  bool knowsReduction =
      !ShapedType::isDynamic(depth) && !ShapedType::isDynamic(reduction);
  if (getUnsignedRhs() && !hasByteRows()) {
    return emitOpError(
               "expected a matrix of bytes as it is, (B or 1, 1, K, N), "
               "with unsignedRhs, found ")
           << getRhs().getType();
  }
  int64_t rest = knowsReduction ? reduction - depth * getPack() : 0;
  if (rest < 0 || rest > (hasByteRows() ? kMostRest : 0)) {
    return emitOpError("expected equal reduction sizes, found ")
           << reduction << " and " << depth * getPack() << " in "
           << getLhs().getType() << " and " << getRhs().getType();
  }
  if (rhs[0] != 1 && failed(verifySameDim(op, "batches of rhs and destination",
                                          getRhs(), 0, getInit(), 0))) {
    return failure();
  }
  int64_t columns = getInitType().getDimSize(2), width = getPanelWidth();
  bool knowsColumns = !ShapedType::isDynamic(columns) &&
                      !ShapedType::isDynamic(rhs[1]) &&
                      !ShapedType::isDynamic(width);
  if (knowsColumns && columns > rhs[1] * width) {
    return emitOpError("expected at most ")
           << rhs[1] * width << " columns for " << rhs[1] << " panels of "
           << width << ", found " << columns;
  }
  std::pair<StringRef, Value> parameters[] = {
      {"bias", getBias()}, {"offset", getOffset()}, {"scale", getScale()}};
  for (auto [what, value] : parameters) {
    if (value &&
        (failed(verifySameDim(op, ("panels of " + what + " and rhs").str(),
                              value, 0, getRhs(), 1)) ||
         failed(verifySameDim(op,
                              ("panel widths of " + what + " and rhs").str(),
                              value, 1, getRhs(), getColumnDim())))) {
      return failure();
    }
  }
  return getResidual()
             ? verifySameShape(*this, "residual", getResidual(), getInit())
             : success();
}

template <typename PoolOp> static LogicalResult verifyPoolWindow(PoolOp op) {
  if (!op.getKernel().empty()) {
    return failed(verifyPositivePair(op, "kernel", op.getKernel()))
               ? failure()
               : verifyWindows(op, op.getInput(), op.getInit(), op.getKernel(),
                               op.getStrides(), op.getDilations());
  }
  // The whole image is one window.
  for (int64_t dim : {2, 3}) {
    if (op.getInitType().getDimSize(dim) != 1) {
      return op.emitOpError("expected one row and one column for a window of "
                            "the input's size, found ")
             << op.getInitType();
    }
  }
  return success();
}

template <typename PoolOp> static LogicalResult verifyPool(PoolOp op) {
  if (failed(verifyOperands(op)) || failed(verifyResult(op, op.getInit())) ||
      failed(verifyQuantized(op, "an input", op.getInput(),
                             op.getInputQuant().has_value(), "inputQuant")) ||
      failed(verifyChannels(op, op.getInput())) ||
      failed(verifyChannels(op, op.getInit())) ||
      failed(verifyPositivePair(op, "strides", op.getStrides())) ||
      failed(verifyPositivePair(op, "dilations", op.getDilations())) ||
      failed(verifyPoolWindow(op))) {
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

LogicalResult NCEAveragePoolOp::verify() {
  if (failed(verifyPool(*this))) {
    return failure();
  }
  if (!getShares()) {
    return success();
  }
  static constexpr std::pair<int64_t, StringLiteral> same[] = {{0, "rows"},
                                                               {1, "columns"}};
  for (auto [dim, what] : same) {
    if (failed(verifySameDim(*this, (what + " of shares and destination").str(),
                             getShares(), dim, getInit(), dim + 2))) {
      return failure();
    }
  }
  return success();
}

LogicalResult NCEEltwiseOp::verify() {
  if (failed(verifyOperands(*this)) || failed(verifyResult(*this, getInit())) ||
      failed(verifyQuantized(*this, "an operand", getLhs(),
                             getLhsQuant().has_value(), "lhsQuant")) ||
      failed(verifyQuantized(*this, "an operand", getRhs(),
                             getRhsQuant().has_value(), "rhsQuant")) ||
      failed(verifySameShape(*this, "lhs", getLhs(), getInit()))) {
    return failure();
  }
  return verifySameShape(*this, "rhs", getRhs(), getInit());
}

//===----------------------------------------------------------------------===//
// Generated definitions
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPUOps.cpp.inc"
