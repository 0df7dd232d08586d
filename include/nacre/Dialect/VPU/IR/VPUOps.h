//===- VPUOps.h - Ops of the VPU dialect ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the NCE ops and the DMA.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUOPS_H
#define NACRE_DIALECT_VPU_IR_VPUOPS_H

#include "nacre/Dialect/VPU/IR/VPUInterfaces.h"
#include "nacre/Dialect/VPU/IR/WeightPacking.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPUOps.h.inc"

namespace nacre::VPU {

/// The tensor that `value` has its sizes from, such as the destination of what
/// computes it; null where there is none.
mlir::Value getShapeSource(mlir::Value value);

/// The size of a tensor or buffer. A dynamic one is traced to where the tensor
/// was made, so that equal ones are the same value.
mlir::OpFoldResult getTracedSize(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value value, int64_t dim);
llvm::SmallVector<mlir::OpFoldResult>
getTracedSizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// True when the box is the whole of a value of these sizes.
bool isWholeBox(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                llvm::ArrayRef<mlir::OpFoldResult> boxSizes,
                llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_VPUOPS_H
