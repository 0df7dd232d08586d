//===- LowBitCost.h - What products by weights of few bits take -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the ways in which VPU.NCE.MatMulNBits can be computed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_LOWBITCOST_H
#define NACRE_DIALECT_VPU_COST_LOWBITCOST_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// True when it takes less to make integers of a row, and to multiply these,
/// than to multiply floats. The former is done once for all columns, so it
/// wants many of them.
bool savesByIntegers(NCEMatMulNBitsOp op, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_LOWBITCOST_H
