//===- Volume.cpp - Volumes as batches of images --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between ONNX's volumes, whose channels are outermost, and batches of images
// is a transposition. It is part of a change of layout, of which two cancel, so
// a network of volumes is one of images from its first operator of the engine
// to its last.
//
//===----------------------------------------------------------------------===//

#include "Volume.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace nacre;

static const SmallVector<ReassociationIndices> kImagesOfVolumes = {
    {0, 1}, {2}, {3}, {4}};
/// Channels and depth change places.
static constexpr std::array<int64_t, 5> kSwapped = {0, 2, 1, 3, 4};

static Value buildSwapped(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = llvm::map_to_vector(
      kSwapped, [&](int64_t dim) { return type.getDimSize(dim); });
  return IE::TransposeOp::create(builder, loc, type.clone(shape), value,
                                 builder.getDenseI64ArrayAttr(kSwapped));
}

Depth Depth::take(IE::Window &window) {
  Depth depth;
  if (window.kernel.size() != 3) {
    return depth;
  }
  depth = {window.kernel[0],    window.strides[0], window.dilations[0],
           window.padsBegin[0], window.padsEnd[0], window.output[0]};
  for (SmallVector<int64_t> *sizes :
       {&window.kernel, &window.strides, &window.dilations, &window.padsBegin,
        &window.padsEnd, &window.output}) {
    sizes->erase(sizes->begin());
  }
  return depth;
}

Value Depth::buildTap(OpBuilder &builder, Location loc, Value volume,
                      int64_t tap) const {
  return isSingle() ? volume
                    : buildSomeImages(builder, loc, volume, tap * dilation,
                                      output, stride);
}

Value nacre::buildVolumeImages(OpBuilder &builder, Location loc, Value value) {
  return tensor::CollapseShapeOp::create(
      builder, loc, buildSwapped(builder, loc, value), kImagesOfVolumes);
}

Value nacre::buildFromVolumeImages(OpBuilder &builder, Location loc,
                                   Value images, RankedTensorType type) {
  SmallVector<int64_t> shape = llvm::map_to_vector(
      kSwapped, [&](int64_t dim) { return type.getDimSize(dim); });
  Value volumes = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                                images, kImagesOfVolumes);
  return buildSwapped(builder, loc, volumes);
}

/// Where `count` images of a blocked value lie.
static std::array<MixedSizes, 3> getBox(OpBuilder &builder, Value images,
                                        int64_t first, int64_t count,
                                        int64_t stride) {
  auto type = cast<RankedTensorType>(images.getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> sizes(type.getShape());
  offsets[0] = first;
  sizes[0] = count;
  strides[0] = stride;
  return {getAsIndexOpFoldResult(builder.getContext(), offsets),
          getAsIndexOpFoldResult(builder.getContext(), sizes),
          getAsIndexOpFoldResult(builder.getContext(), strides)};
}

Value nacre::buildSomeImages(OpBuilder &builder, Location loc, Value images,
                             int64_t first, int64_t count, int64_t stride) {
  auto type = cast<RankedTensorType>(images.getType());
  if (first == 0 && stride == 1 && count == type.getDimSize(0)) {
    return images;
  }
  auto [offsets, sizes, strides] =
      getBox(builder, images, first, count, stride);
  return tensor::ExtractSliceOp::create(builder, loc, images, offsets, sizes,
                                        strides);
}

static Value insertImages(OpBuilder &builder, Location loc, Value images,
                          Value into, int64_t first) {
  int64_t count = cast<RankedTensorType>(images.getType()).getDimSize(0);
  auto [offsets, sizes, strides] =
      getBox(builder, into, first, count, /*stride=*/1);
  return tensor::InsertSliceOp::create(builder, loc, images, into, offsets,
                                       sizes, strides);
}

/// An empty value like `images`, but of `count`.
static Value buildEmptyImages(OpBuilder &builder, Location loc, Value images,
                              int64_t count) {
  auto type = cast<RankedTensorType>(images.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = count;
  return buildEmpty(builder, loc, shape, type.getElementType());
}

Value nacre::buildPaddedVolume(OpBuilder &builder, Location loc, Value volume,
                               int64_t before, int64_t after) {
  if (before == 0 && after == 0) {
    return volume;
  }
  auto type = cast<RankedTensorType>(volume.getType());
  int64_t count = type.getDimSize(0);
  Value padded = buildEmptyImages(builder, loc, volume, before + count + after);
  padded = insertImages(builder, loc, volume, padded, before);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  for (auto [first, images] :
       {std::pair(int64_t(0), before), std::pair(before + count, after)}) {
    if (images > 0) {
      Value init = buildEmptyImages(builder, loc, volume, images);
      Value zeroes =
          linalg::FillOp::create(builder, loc, zero, init).getResult(0);
      padded = insertImages(builder, loc, zeroes, padded, first);
    }
  }
  return padded;
}

Value nacre::forEachVolume(OpBuilder &builder, Location loc, Value images,
                           int64_t count, function_ref<Value(Value)> build) {
  if (count == 1) {
    return build(images);
  }
  int64_t depth =
      cast<RankedTensorType>(images.getType()).getDimSize(0) / count;
  Value joined;
  for (int64_t i = 0; i < count; ++i) {
    Value part = build(buildSomeImages(builder, loc, images, i * depth, depth));
    int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(0);
    if (!joined) {
      joined = buildEmptyImages(builder, loc, part, count * size);
    }
    joined = insertImages(builder, loc, part, joined, i * size);
  }
  return joined;
}
