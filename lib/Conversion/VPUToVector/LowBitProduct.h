//===- LowBitProduct.h - Weights of few bits on a matrix unit ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of many rows and weights of few bits by a matrix unit.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITPRODUCT_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITPRODUCT_H

#include "Epilogue.h"
#include "LowBitWeights.h"

#include "nacre/Dialect/VPU/IR/LowBitTiles.h"

namespace nacre {

/// Emits the product of all rows in the given sizes, for which the op has
/// scratch memory.
void buildLowBitProduct(KernelBuilder &kernel, VPU::NCEMatMulNBitsOp op,
                        const VPU::LowBitTiles &sizes, LowBitWeights &weights,
                        const Epilogue &epilogue);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITPRODUCT_H
