//===- ConvertedOps.h - What conversions have patterns for ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_CONVERTEDOPS_H
#define NACRE_CONVERSION_CONVERTEDOPS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"

namespace nacre {

/// The ops that convert-ie-to-vpu has patterns for: some forms of them go to
/// the engine.
llvm::DenseSet<mlir::OperationName> getOpsOfEngine(VPU::ArchAttr arch);

/// The ops that convert-ie-to-linalg has kernels for.
llvm::DenseSet<mlir::OperationName> getOpsOfSoftware(mlir::Operation *module);

} // namespace nacre

#endif // NACRE_CONVERSION_CONVERTEDOPS_H
