//===- StrategyFields.h - Which fields mean something where -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strategy has fields for all ops and all decisions. Of one op, at one time,
// a few of them mean something.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFIELDS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFIELDS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

namespace nacre::VPU {

/// Checks that the strategy of `op`, if any, has no field that nothing reads
/// when this is decided or later. An error names the field, says which ops have
/// it, and what this one may have instead.
mlir::LogicalResult verifyFields(mlir::Operation *op, Decision decided);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFIELDS_H
