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

/// How many sums, added up in the end, each of `sums` results of a product of
/// few rows has, so that none waits for the one before: beside its weights,
/// which are unpacked, a product starts in each cycle.
int64_t countChains(int64_t sums);

/// The same for integers, of which a result adds up so many products of fours
/// at a time, `steps` in all: as short sums are not worth adding up.
int64_t countChains(int64_t sums, int64_t atOnce, int64_t steps);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_LOWBITCOST_H
