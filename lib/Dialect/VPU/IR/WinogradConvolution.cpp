//===- WinogradConvolution.cpp - The tiles of Winograd's algorithm --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a tile, and where their values lie in scratch memory.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

ArrayRef<double> NCEWinogradConvolutionOp::getSignedPoints(int64_t tileSize) {
  // Products of points stay near 1. With 1 and 2, the usual points, the errors
  // of rounded tiles and weights are twice as large.
  static constexpr double four[] = {2.0 / 3, 3.0 / 2}, two[] = {1.0};
  switch (tileSize) {
  case 2:
    return two;
  case 4:
    return four;
  default:
    return {};
  }
}

// One vector more than the values need: the points of a tile must not all fall
// into one set of the cache.
static int64_t getPitch(int64_t blocks, int64_t tiles, int64_t width) {
  return (blocks * tiles + 1) * width;
}

int64_t NCEWinogradConvolutionOp::getInputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[2], tiles, weights[3] * getPack());
}

int64_t NCEWinogradConvolutionOp::getOutputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[1], tiles, weights[4]);
}

int64_t NCEWinogradConvolutionOp::getScratchBytes(int64_t tiles) {
  int64_t inputBits = shapedType(getWeights()).getElementTypeBitWidth();
  return getNumPoints() * (getInputPitch(tiles) * inputBits / 8 +
                           getOutputPitch(tiles) * int64_t(sizeof(float)));
}
