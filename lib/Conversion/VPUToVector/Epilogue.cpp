//===- Epilogue.cpp - What becomes of a contraction's sums ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the numbers of channels and applies them to sums.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

using namespace mlir;
using namespace nacre;

Value Epilogue::loadStart(KernelBuilder &kernel, ValueRange channel,
                          Lanes lanes) const {
  Value start = getStart();
  return start ? kernel.load(start, channel, lanes)
               : kernel.zeroSums(elementType);
}

Epilogue::Factors Epilogue::loadFactors(KernelBuilder &kernel,
                                        ValueRange channel, Lanes lanes) const {
  if (isFloat) {
    return {};
  }
  auto load = [&](Value memref) {
    return memref ? kernel.load(memref, channel, lanes) : Value();
  };
  return {load(scale), load(bias)};
}

void Epilogue::store(KernelBuilder &kernel, Value sums, const Factors &factors,
                     ValueRange indices, Lanes lanes) const {
  if (getElementType(output).isInteger(32)) {
    kernel.store(sums, output, indices, lanes);
    return;
  }
  Value result = kernel.scaleSums(sums, factors.scale, factors.bias);
  kernel.storeResult(ppe, result, output, indices, lanes, residual);
}
