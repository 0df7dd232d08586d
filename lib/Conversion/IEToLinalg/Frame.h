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

/// Builds the part of a frame that has this type and starts at these offsets.
using FramePartBuilder = llvm::function_ref<mlir::Value(
    mlir::RankedTensorType, llvm::ArrayRef<int64_t>)>;

/// `data` at the position `low` of a result of `type`, and what `buildPart`
/// builds around it. All sizes are known.
mlir::Value buildFramed(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value data, mlir::RankedTensorType type,
                        llvm::ArrayRef<int64_t> low,
                        FramePartBuilder buildPart);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_FRAME_H
