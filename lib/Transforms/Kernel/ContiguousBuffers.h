//===- ContiguousBuffers.h - Elements one after the other -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dimensions of a buffer lie one after the other, also where its type has
// dynamic strides, as that of a part of a buffer does.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_CONTIGUOUSBUFFERS_H
#define NACRE_LIB_TRANSFORMS_KERNEL_CONTIGUOUSBUFFERS_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace nacre {

/// True where the dimensions of each of `groups` are known to be contiguous:
/// stepping through one is stepping on through all of the next.
bool isCollapsible(mlir::Value buffer,
                   llvm::ArrayRef<mlir::ReassociationIndices> groups);

/// `buffer` with each of such groups as one dimension.
mlir::Value collapseBuffer(mlir::OpBuilder &builder, mlir::Value buffer,
                           llvm::ArrayRef<mlir::ReassociationIndices> groups);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_CONTIGUOUSBUFFERS_H
