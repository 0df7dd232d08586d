//===- ShuffleChannels.cpp - Channels that change places ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification and tiling of VPU.ShuffleChannels.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

LogicalResult ShuffleChannelsOp::verify() {
  if (!hasPureTensorSemantics() && !hasPureBufferSemantics()) {
    return emitOpError("expected operands to be all tensors or all memrefs");
  }
  ArrayRef<int64_t> src = getSourceType().getShape();
  ArrayRef<int64_t> dst = getInitType().getShape();
  for (unsigned dim : {0, 1, 4}) {
    if (ShapedType::isDynamic(src[dim]) || ShapedType::isDynamic(dst[dim])) {
      return emitOpError(
                 "expected known numbers of images and channels, found ")
             << getSourceType() << " and " << getInitType();
    }
  }
  bool hasSamePixels =
      llvm::all_of(ArrayRef<unsigned>{2, 3}, [&](unsigned dim) {
        return ShapedType::isDynamic(src[dim]) ||
               ShapedType::isDynamic(dst[dim]) || src[dim] == dst[dim];
      });
  if (getSourceType().getElementType() != getInitType().getElementType() ||
      !hasSamePixels) {
    return emitOpError("expected pixels and elements like the source's, found ")
           << getSourceType() << " and " << getInitType();
  }
  if (dst[0] * dst[1] * dst[4] == 0) {
    return emitOpError("expected images and channels, found ") << getInitType();
  }
  int64_t perImage = dst[1] * dst[4];
  int64_t count = static_cast<int64_t>(getChannels().size());
  if (count == 0 || count % perImage != 0 || dst[0] % getPeriod() != 0 ||
      src[0] % (dst[0] / getPeriod()) != 0) {
    return emitOpError("expected a channel for each of ")
           << perImage << " lanes of images that others repeat, found "
           << count;
  }
  int64_t lanes = getSourcePeriod() * src[1] * src[4];
  for (int64_t channel : getChannels()) {
    if (channel < -1 || channel >= lanes) {
      return emitOpError("expected channels from -1 to ")
             << lanes - 1 << ", found " << channel;
    }
  }
  return success();
}

LogicalResult ShuffleChannelsOp::getOperandTile(
    OpBuilder &builder, OpOperand &, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &operandOffsets,
    SmallVectorImpl<OpFoldResult> &operandSizes) {
  for (unsigned dim : {0, 1, 4}) {
    if (!isConstantIntValue(offsets[dim], 0) ||
        getConstantIntValue(sizes[dim]) != getInitType().getDimSize(dim)) {
      return failure();
    }
  }
  operandOffsets.assign(offsets.begin(), offsets.end());
  for (auto [dim, size] : llvm::enumerate(getSourceType().getShape())) {
    bool isPixel = dim == 2 || dim == 3;
    operandSizes.push_back(isPixel ? sizes[dim]
                                   : OpFoldResult(builder.getIndexAttr(size)));
  }
  return success();
}
