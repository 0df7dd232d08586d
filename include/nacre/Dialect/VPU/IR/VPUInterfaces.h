//===- VPUInterfaces.h - What passes ask VPU ops ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the op interfaces of VPU, and the implementations of upstream's
// interfaces that rest on them and that all VPU ops share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUINTERFACES_H
#define NACRE_DIALECT_VPU_IR_VPUINTERFACES_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "nacre/Dialect/VPU/IR/VPUInterfaces.h.inc"

namespace nacre::VPU::detail {

/// Reads of inputs and writes of destinations, for buffers; none for tensors.
void getDestinationStyleEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

/// The result has the destination's shape.
llvm::LogicalResult
reifyDestinationShape(mlir::Operation *op, mlir::OpBuilder &builder,
                      mlir::ReifiedRankedShapedTypeDims &shapes);

/// The whole of the destination, as an iteration domain.
llvm::SmallVector<mlir::Range> getDestinationDomain(mlir::Operation *op,
                                                    mlir::OpBuilder &builder);

/// Clones `op` onto the boxes of its operands that produce the given box of
/// the destination.
mlir::FailureOr<mlir::TilingResult>
tile(mlir::Operation *op, mlir::OpBuilder &builder,
     llvm::ArrayRef<mlir::OpFoldResult> offsets,
     llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace nacre::VPU::detail

#endif // NACRE_DIALECT_VPU_IR_VPUINTERFACES_H
