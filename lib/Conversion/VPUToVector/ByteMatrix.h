//===- ByteMatrix.h - Products by a matrix of bytes as it lies --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of VPU.NCE.MatMul where it packs rows of bytes itself.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEMATRIX_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEMATRIX_H

#include "KernelBuilder.h"

namespace nacre {

/// Emits the whole product by such tiles.
void emitByteMatrix(VPU::NCEMatMulOp op, KernelBuilder &kernel,
                    VPU::RegisterTileAttr chosen);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_BYTEMATRIX_H
