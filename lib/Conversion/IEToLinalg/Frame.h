//===- Frame.h - A tensor within a larger one -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What padding consists of: the operand, which is copied as a whole, and parts
// around it, which are computed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_FRAME_H
#define NACRE_LIB_CONVERSION_IETOLINALG_FRAME_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre {

/// Builds the part of a frame that has this type, starts at these offsets and
/// has these sizes.
using FramePartBuilder = llvm::function_ref<mlir::Value(
    mlir::RankedTensorType, llvm::ArrayRef<mlir::OpFoldResult> offsets,
    llvm::ArrayRef<mlir::OpFoldResult> sizes)>;

/// `data` with `low` elements before it in each dimension and `high` after it,
/// which are what `buildPart` builds.
mlir::Value buildFramed(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value data, llvm::ArrayRef<int64_t> low,
                        llvm::ArrayRef<int64_t> high,
                        FramePartBuilder buildPart);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_FRAME_H
