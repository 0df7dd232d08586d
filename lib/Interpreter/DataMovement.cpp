//===- DataMovement.cpp - Interpreter kernels: DataMovement family --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family DataMovement: each kernel says which
// element of the operand an element of the result is.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// The tensor of an optional operand of `op`; null when it is omitted.
static const Tensor *getOptional(Operation *op, Value operand,
                                 ArrayRef<Tensor> operands) {
  if (!operand) {
    return nullptr;
  }
  OperandRange all = op->getOperands();
  return &operands[std::distance(all.begin(), llvm::find(all, operand))];
}

static std::optional<ArrayRef<int64_t>>
asArray(const std::optional<SmallVector<int64_t>> &values) {
  return values ? std::optional<ArrayRef<int64_t>>(*values) : std::nullopt;
}

/// The position of `index` under `strides`.
static int64_t dot(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides)) {
    position += i * stride;
  }
  return position;
}

/// Fills `out`, seen as a tensor of the permuted `shape`, with `in` seen as a
/// tensor of `shape`.
static void permute(const Tensor &in, Tensor &out, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<int64_t> outShape, outStrides;
  for (int64_t axis : permutation) {
    outShape.push_back(shape[axis]);
    outStrides.push_back(strides[axis]);
  }
  Tensor view =
      out.withType(RankedTensorType::get(outShape, out.getElementType()));
  gatherStrided(in, view, /*first=*/0, outStrides);
}

static LogicalResult evalTranspose(IE::TransposeOp op,
                                   ArrayRef<Tensor> operands,
                                   MutableArrayRef<Tensor> results) {
  permute(operands[0], results[0], operands[0].getShape(), op.getPermutation());
  return success();
}

static LogicalResult evalDepthToSpace(IE::DepthToSpaceOp op,
                                      ArrayRef<Tensor> operands,
                                      MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> in = operands[0].getShape();
  int64_t block = op.getBlocksize();
  int64_t channels = results[0].getDim(1);
  if (op.getMode() == "DCR") {
    permute(operands[0], results[0],
            {in[0], block, block, channels, in[2], in[3]}, {0, 3, 4, 1, 5, 2});
  } else {
    permute(operands[0], results[0],
            {in[0], channels, block, block, in[2], in[3]}, {0, 1, 4, 2, 5, 3});
  }
  return success();
}

static LogicalResult evalSpaceToDepth(IE::SpaceToDepthOp op,
                                      ArrayRef<Tensor> operands,
                                      MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> in = operands[0].getShape();
  ArrayRef<int64_t> out = results[0].getShape();
  int64_t block = op.getBlocksize();
  permute(operands[0], results[0], {in[0], in[1], out[2], block, out[3], block},
          {0, 3, 5, 1, 2, 4});
  return success();
}

//===----------------------------------------------------------------------===//
// Concat, Split
//===----------------------------------------------------------------------===//

/// Bytes of one step along `axis` of `tensor` and everything inside it.
static int64_t getRowBytes(const Tensor &tensor, int64_t axis) {
  return ShapedType::getNumElements(tensor.getShape().drop_front(axis)) *
         getElementBytes(tensor.getElementType());
}

static LogicalResult evalConcat(IE::ConcatOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  int64_t axis = op.getAxis();
  axis = axis < 0 ? axis + results[0].getRank() : axis;
  int64_t outer =
      ShapedType::getNumElements(results[0].getShape().take_front(axis));
  char *out = results[0].getMutableBytes().data();
  for (int64_t row = 0; row < outer; ++row) {
    for (const Tensor &operand : operands) {
      int64_t bytes = getRowBytes(operand, axis);
      memcpy(out, operand.getBytes().data() + row * bytes, bytes);
      out += bytes;
    }
  }
  return success();
}

static LogicalResult evalSplit(IE::SplitOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  int64_t axis = op.getAxis();
  axis = axis < 0 ? axis + operands[0].getRank() : axis;
  SmallVector<int64_t> sizes;
  int64_t sum = 0;
  for (const Tensor &result : results) {
    sizes.push_back(result.getDim(axis));
    sum += sizes.back();
  }
  if ((op.getSplit() && sizes != *getInts(&operands[1])) ||
      sum != operands[0].getDim(axis)) {
    return op.emitError("expected parts that make up a dimension of ")
           << operands[0].getDim(axis) << ", found other declared sizes";
  }
  int64_t outer =
      ShapedType::getNumElements(operands[0].getShape().take_front(axis));
  const char *in = operands[0].getBytes().data();
  for (int64_t row = 0; row < outer; ++row) {
    for (Tensor &result : results) {
      int64_t bytes = getRowBytes(result, axis);
      memcpy(result.getMutableBytes().data() + row * bytes, in, bytes);
      in += bytes;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slice, Pad
//===----------------------------------------------------------------------===//

static LogicalResult evalSlice(IE::SliceOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  auto axes = getInts(getOptional(op, op.getAxes(), operands));
  auto steps = getInts(getOptional(op, op.getSteps(), operands));
  FailureOr<IE::SliceSpec> spec = IE::resolveSlice(
      op.getLoc(), operands[0].getShape(), *getInts(&operands[1]),
      *getInts(&operands[2]), asArray(axes), asArray(steps));
  if (failed(spec) || failed(checkShape(op, spec->sizes, results[0]))) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(operands[0].getShape());
  int64_t first = dot(spec->offsets, strides);
  for (auto [stride, step] : llvm::zip_equal(strides, spec->strides)) {
    stride *= step;
  }
  gatherStrided(operands[0], results[0], first, strides);
  return success();
}

/// i modulo n, never negative.
static int64_t floorMod(int64_t i, int64_t n) {
  int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

/// Where position `i` relative to a dimension of size `n` takes its element
/// from; negative when it holds the constant.
static int64_t getPadSource(StringRef mode, int64_t i, int64_t n) {
  if (i >= 0 && i < n) {
    return i;
  }
  if (mode == "constant") {
    return -1;
  }
  if (mode == "edge") {
    return i < 0 ? 0 : n - 1;
  }
  if (mode == "wrap") {
    return floorMod(i, n);
  }
  // Reflection has period 2n - 2: the edge element is not repeated.
  if (n == 1) {
    return 0;
  }
  int64_t phase = floorMod(i, 2 * n - 2);
  return phase < n ? phase : 2 * n - 2 - phase;
}

static LogicalResult evalPad(IE::PadOp op, ArrayRef<Tensor> operands,
                             MutableArrayRef<Tensor> results) {
  auto axes = getInts(getOptional(op, op.getAxes(), operands));
  FailureOr<IE::PadSpec> spec =
      IE::resolvePad(op.getLoc(), operands[0].getRank(), *getInts(&operands[1]),
                     asArray(axes));
  if (failed(spec)) {
    return failure();
  }
  ArrayRef<int64_t> in = operands[0].getShape();
  SmallVector<int64_t> shape(in);
  for (auto [i, dim] : llvm::enumerate(shape)) {
    dim += spec->low[i] + spec->high[i];
  }
  if (failed(checkShape(op, shape, results[0]))) {
    return failure();
  }
  if (op.getMode() != "constant" && operands[0].getNumElements() == 0 &&
      results[0].getNumElements() != 0) {
    return op.emitError("expected elements to pad from, found none");
  }
  if (const Tensor *value = getOptional(op, op.getConstantValue(), operands)) {
    gatherElements(*value, results[0],
                   [](int64_t, ArrayRef<int64_t>) { return 0; });
  }
  SmallVector<int64_t> strides = computeStrides(in);
  gatherElements(operands[0], results[0],
                 [&](int64_t, ArrayRef<int64_t> index) -> int64_t {
                   int64_t position = 0;
                   for (size_t d = 0; d < in.size(); ++d) {
                     int64_t source = getPadSource(
                         op.getMode(), index[d] - spec->low[d], in[d]);
                     if (source < 0) {
                       return -1;
                     }
                     position += source * strides[d];
                   }
                   return position;
                 });
  return success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile
//===----------------------------------------------------------------------===//

static LogicalResult evalExpand(IE::ExpandOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  FailureOr<SmallVector<int64_t>> shape =
      IE::broadcastShapes({operands[0].getShape(), *getInts(&operands[1])});
  if (failed(shape)) {
    return op.emitError("expected a shape that the operand broadcasts to");
  }
  if (failed(checkShape(op, *shape, results[0]))) {
    return failure();
  }
  SmallVector<int64_t> strides =
      computeBroadcastStrides(operands[0].getShape(), *shape);
  gatherStrided(operands[0], results[0], /*first=*/0, strides);
  return success();
}

static LogicalResult evalTile(IE::TileOp op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> in = operands[0].getShape();
  SmallVector<int64_t> shape(in);
  SmallVector<int64_t> repeats = *getInts(&operands[1]);
  if (repeats.size() != shape.size()) {
    return op.emitError("expected one repeat per dimension, found ")
           << repeats.size();
  }
  for (auto [dim, repeat] : llvm::zip_equal(shape, repeats)) {
    dim *= repeat;
  }
  if (failed(checkShape(op, shape, results[0]))) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(in);
  gatherElements(operands[0], results[0],
                 [&](int64_t, ArrayRef<int64_t> index) {
                   int64_t position = 0;
                   for (size_t d = 0; d < in.size(); ++d) {
                     position += index[d] % in[d] * strides[d];
                   }
                   return position;
                 });
  return success();
}

//===----------------------------------------------------------------------===//
// Trilu, ReverseSequence, Compress
//===----------------------------------------------------------------------===//

static LogicalResult evalTrilu(IE::TriluOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  int64_t k = op.getK() ? operands[1].getInt(0) : 0;
  bool upper = op.getUpper() != 0;
  gatherElements(operands[0], results[0],
                 [&](int64_t linear, ArrayRef<int64_t> index) -> int64_t {
                   int64_t diagonal = index.back() - index[index.size() - 2];
                   bool keep = upper ? diagonal >= k : diagonal <= k;
                   return keep ? linear : -1;
                 });
  return success();
}

static LogicalResult evalReverseSequence(IE::ReverseSequenceOp op,
                                         ArrayRef<Tensor> operands,
                                         MutableArrayRef<Tensor> results) {
  int64_t batchAxis = op.getBatchAxis(), timeAxis = op.getTimeAxis();
  SmallVector<int64_t> lens = *getInts(&operands[1]);
  for (int64_t len : lens) {
    if (len < 0 || len > operands[0].getDim(timeAxis)) {
      return op.emitError("expected lengths within the time axis, found ")
             << len;
    }
  }
  int64_t stride = computeStrides(operands[0].getShape())[timeAxis];
  gatherElements(operands[0], results[0],
                 [&](int64_t linear, ArrayRef<int64_t> index) {
                   int64_t len = lens[index[batchAxis]];
                   int64_t time = index[timeAxis];
                   int64_t source = time < len ? len - 1 - time : time;
                   return linear + (source - time) * stride;
                 });
  return success();
}

static LogicalResult evalCompress(IE::CompressOp op, ArrayRef<Tensor> operands,
                                  MutableArrayRef<Tensor> results) {
  // Without an axis the operand is a vector.
  SmallVector<int64_t> in(operands[0].getShape());
  int64_t axis = 0;
  if (op.getAxis()) {
    axis = *op.getAxis();
    axis = axis < 0 ? axis + operands[0].getRank() : axis;
  } else {
    in.assign(1, operands[0].getNumElements());
  }
  SmallVector<int64_t> kept;
  for (auto [i, keep] : llvm::enumerate(operands[1].values<bool>())) {
    if (keep && static_cast<int64_t>(i) >= in[axis]) {
      return op.emitError("expected a condition within the dimension of ")
             << in[axis] << ", found position " << i;
    }
    if (keep) {
      kept.push_back(i);
    }
  }
  SmallVector<int64_t> shape(in);
  shape[axis] = kept.size();
  if (failed(checkShape(op, shape, results[0]))) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(in);
  gatherElements(operands[0], results[0],
                 [&](int64_t, ArrayRef<int64_t> index) {
                   return dot(index, strides) +
                          (kept[index[axis]] - index[axis]) * strides[axis];
                 });
  return success();
}

void interpreter::registerDataMovementKernels(MLIRContext *context) {
  attachKernel<IE::TransposeOp, evalTranspose>(context);
  attachKernel<IE::ConcatOp, evalConcat>(context);
  attachKernel<IE::SplitOp, evalSplit>(context);
  attachKernel<IE::SliceOp, evalSlice>(context);
  attachKernel<IE::PadOp, evalPad>(context);
  attachKernel<IE::ExpandOp, evalExpand>(context);
  attachKernel<IE::TileOp, evalTile>(context);
  attachKernel<IE::DepthToSpaceOp, evalDepthToSpace>(context);
  attachKernel<IE::SpaceToDepthOp, evalSpaceToDepth>(context);
  attachKernel<IE::TriluOp, evalTrilu>(context);
  attachKernel<IE::ReverseSequenceOp, evalReverseSequence>(context);
  attachKernel<IE::CompressOp, evalCompress>(context);
}
