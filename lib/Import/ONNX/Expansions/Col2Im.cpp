//===- Col2Im.cpp - Expansions: images from their blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transposed convolution where sizes are known, a scatter where they are
// dynamic.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Geometry.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// 0, 1, … below element `i` of `counts`.
static Value buildRange(Expander &e, Value counts, size_t i) {
  Type i64 = e.getInt(64);
  Value count = e.gather(counts, e.buildScalar(static_cast<double>(i), i64), 0);
  return e.create<IE::RangeOp>(
      {e.buildScalar(0, i64), count, e.buildScalar(1, i64)});
}

/// Adds each element to the one of the padded image where it belongs, and cuts
/// off the padding.
static void expandAtRunTime(Expander &e, Value columns, Value image,
                            Value block) {
  if (!e.expectRank(image, 1, "image_shape") ||
      !e.expectRank(block, 1, "block_shape")) {
    return;
  }
  int64_t count = e.getStaticDim(image, 0, "image_shape");
  if (e.hasFailed() || count == 0 ||
      e.getStaticDim(block, 0, "block_shape") != count) {
    return e.fail("expected as many sizes in 'block_shape' as in "
                  "'image_shape'");
  }
  auto dims = static_cast<size_t>(count);
  SmallVector<int64_t> dilations = takeInts(e, "dilations", dims, 1);
  SmallVector<int64_t> strides = takeInts(e, "strides", dims, 1);
  SmallVector<int64_t> pads = takeInts(e, "pads", 2 * dims, 0);
  Type i64 = e.getInt(64);
  image = e.cast(image, i64);
  block = e.cast(block, i64);
  SmallVector<int64_t> padding, before(pads.begin(), pads.begin() + count);
  for (size_t i = 0; i < dims; ++i) {
    padding.push_back(pads[i] + pads[dims + i]);
  }
  Value padded = e.add(image, e.buildInts(padding));
  Value reach = e.add(e.mul(e.add(block, -1), e.buildInts(dilations)), 1);
  Value step = e.buildInts(strides);
  Value counts = e.create<IE::MaxOp>(
      {e.div(e.add(e.sub(padded, reach), step), step), e.buildInts(0)});
  // Where the elements of (kernel..., blocks...) lie in the padded image.
  Value offsets = e.buildScalar(0, i64), volume = e.buildInts(1);
  Value positions = volume;
  for (size_t i = dims; i-- > 0;) {
    SmallVector<int64_t> inKernel(2 * dims, 1), inBlocks(2 * dims, 1);
    inKernel[i] = inBlocks[dims + i] = -1;
    Value starts = e.mul(e.reshape(buildRange(e, counts, i), inBlocks),
                         static_cast<double>(strides[i]));
    Value steps = e.mul(e.reshape(buildRange(e, block, i), inKernel),
                        static_cast<double>(dilations[i]));
    offsets = e.add(offsets, e.mul(e.add(steps, starts), volume));
    Value number = e.buildInts(static_cast<int64_t>(i));
    volume = e.mul(volume, e.gather(padded, number, 0));
    positions = e.mul(positions, e.gather(block, number, 0));
  }
  AttentionBuilder builder(e);
  // At least 1 each: sizes that do not fit fail where offsets meet updates.
  Value one = e.buildInts(1);
  Value channels =
      e.create<IE::MaxOp>({e.div(builder.buildSize(columns, 1),
                                 e.create<IE::MaxOp>({positions, one})),
                           one});
  Value updates = e.create<IE::ReshapeOp>(
      {columns, e.concat({e.buildInts(0), channels, e.buildInts(-1)}, 0)});
  Value empty = e.create<IE::ExpandOp>(
      {e.buildScalar(0, e.getElement(columns)),
       e.concat({builder.buildSize(columns, 0), channels, volume}, 0)});
  Value sums = e.create<IE::ScatterElementsOp>(
      {empty, e.expandLike(e.reshape(offsets, {-1}), updates), updates},
      {e.attr("axis", int64_t(2)), e.attr("reduction", StringRef("add"))});
  Value whole = e.create<IE::ReshapeOp>(
      {sums, e.concat({e.buildInts(0), channels, padded}, 0)});
  Value start = e.buildInts(before);
  Value axes = e.buildInts(llvm::to_vector(llvm::seq<int64_t>(2, 2 + count)));
  e.setResults(e.create<IE::SliceOp>(
      {whole, start, e.add(start, image), axes, Value()}));
}

/// Each column is an element of a kernel: a transposed convolution by kernels
/// that are 1 at that element and 0 elsewhere puts all of them in place.
void onnx_import::expandCol2Im(Expander &e) {
  Value columns = e.getRequiredInput(0, "input");
  Value imageShape = e.getRequiredInput(1, "image_shape");
  Value blockShape = e.getRequiredInput(2, "block_shape");
  if (!e.expectRank(columns, 3, "input")) {
    return;
  }
  std::optional<SmallVector<int64_t>> knownImage = e.evaluateInts(imageShape);
  std::optional<SmallVector<int64_t>> knownBlock = e.evaluateInts(blockShape);
  if (!knownImage || !knownBlock) {
    return expandAtRunTime(e, columns, imageShape, blockShape);
  }
  ArrayRef<int64_t> image = *knownImage, block = *knownBlock;
  size_t dims = image.size();
  auto isBad = [](int64_t size) { return size < 1 || size > INT32_MAX; };
  if (dims == 0 || block.size() != dims || llvm::any_of(image, isBad) ||
      llvm::any_of(block, isBad)) {
    return e.fail("expected as many positive sizes in 'block_shape' as in "
                  "'image_shape'");
  }
  SmallVector<int64_t> dilations = takeInts(e, "dilations", dims, 1);
  SmallVector<int64_t> strides = takeInts(e, "strides", dims, 1);
  SmallVector<int64_t> pads = takeInts(e, "pads", 2 * dims, 0);
  int64_t rows = e.getStaticDim(columns, 1, "input");
  if (e.hasFailed() || !e.expectPlausible(block)) {
    return;
  }
  int64_t positions = ShapedType::getNumElements(block);
  if (!e.expectPlausible({rows, positions}) || !e.expectPlausible(image)) {
    return;
  }
  if (!e.hasFailed() && rows % positions != 0) {
    return e.fail("expected a number of rows that " + Twine(positions) +
                  " divides, found " + Twine(rows));
  }
  SmallVector<int64_t> shape = {0, rows}, outputPadding, kernel = {rows, 1};
  int64_t count = 1;
  for (size_t i = 0; i < dims; ++i) {
    int64_t reach = (block[i] - 1) * dilations[i] + 1;
    int64_t rest = image[i] + pads[i] + pads[dims + i] - reach;
    if (rest < 0) {
      return e.fail("expected blocks that fit into the image");
    }
    shape.push_back(rest / strides[i] + 1);
    count *= shape.back();
    outputPadding.push_back(rest % strides[i]);
    kernel.push_back(block[i]);
  }
  if (!e.hasFailed() && e.getStaticDim(columns, 2, "input") != count) {
    return e.fail("expected " + Twine(count) + " columns, found " +
                  Twine(e.getDim(columns, 2)));
  }
  Type element = e.getElement(columns);
  if (!e.hasFailed() && !isa<FloatType>(element)) {
    columns = e.cast(columns, Float64Type::get(element.getContext()));
  }
  SmallVector<double> weights(rows * positions, 0);
  for (int64_t row = 0; row < rows; ++row) {
    weights[row * positions + row % positions] = 1;
  }
  Value result = e.create<IE::ConvTransposeOp>(
      {e.reshape(columns, shape),
       e.buildTensor(weights, kernel, e.getElement(columns))},
      {e.attr("group", rows / positions), e.attr("dilations", dilations),
       e.attr("strides", strides), e.attr("pads", pads),
       e.attr("output_padding", outputPadding)});
  e.setResults(e.cast(result, element));
}
