//===- Quantizable.cpp - Ops on quantized values --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Quantizable.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/QuantizableInterface.cpp.inc"

LinearOperands IE::getOperandsOfLinear(Operation *op, int64_t channelAxis,
                                       int64_t inputAxis) {
  OpOperand *bias = op->getNumOperands() > 2 ? &op->getOpOperand(2) : nullptr;
  return {&op->getOpOperand(0), &op->getOpOperand(1), bias, channelAxis,
          inputAxis};
}
