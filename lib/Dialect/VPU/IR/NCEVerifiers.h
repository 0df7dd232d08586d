//===- NCEVerifiers.h - What NCE ops verify alike ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each check fails after an error of the op that names what it found.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_IR_NCEVERIFIERS_H
#define NACRE_LIB_DIALECT_VPU_IR_NCEVERIFIERS_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// All operands are tensors, or all memrefs, and all or none of f64.
mlir::LogicalResult verifyOperands(mlir::DestinationStyleOpInterface op);

/// One dimension that two values must agree on; dynamic ones are not checked.
mlir::LogicalResult verifySameDim(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value a, int64_t dimA, mlir::Value b,
                                  int64_t dimB);

/// `value`, which the error calls `what`, has the destination's shape.
mlir::LogicalResult verifySameShape(mlir::Operation *op, llvm::StringRef what,
                                    mlir::Value value, mlir::Value init);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_IR_NCEVERIFIERS_H
