//===- FillBorder.cpp - What surrounds an image ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification and tiling of VPU.FillBorder.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

LogicalResult FillBorderOp::verify() {
  ArrayRef<int64_t> pads = getPads();
  if (pads.size() != 4 ||
      llvm::any_of(pads, [](int64_t pad) { return pad < 0; })) {
    return emitOpError("expected pads to be four numbers >= 0, found [")
           << pads << "]";
  }
  for (unsigned i : {0, 1}) {
    int64_t size = getInitType().getDimSize(2 + i);
    if (!ShapedType::isDynamic(size) && size < pads[i] + pads[i + 2]) {
      return emitOpError("expected at least ")
             << pads[i] + pads[i + 2] << (i == 0 ? " rows" : " columns")
             << ", found " << size;
    }
  }
  return success();
}

LogicalResult FillBorderOp::getOperandTile(OpBuilder &, OpOperand &,
                                           ArrayRef<OpFoldResult>,
                                           ArrayRef<OpFoldResult>,
                                           SmallVectorImpl<OpFoldResult> &,
                                           SmallVectorImpl<OpFoldResult> &) {
  llvm_unreachable("it reads nothing");
}

LogicalResult FillBorderOp::adaptTile(OpBuilder &builder, Operation *,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
  // Part of an image has part of its border.
  SmallVector<OpFoldResult> whole =
      getTracedSizes(builder, getLoc(), getInit());
  return success(isWholeBox(offsets.slice(2, 2), sizes.slice(2, 2),
                            ArrayRef(whole).slice(2, 2)));
}
