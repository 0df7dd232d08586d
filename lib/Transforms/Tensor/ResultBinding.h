//===- ResultBinding.h - What bind-results consists of ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_TENSOR_RESULTBINDING_H
#define NACRE_LIB_TRANSFORMS_TENSOR_RESULTBINDING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"

namespace nacre {

/// Has results that are computed in one shape and given in another start from
/// memory of the latter. Returns their number.
unsigned reshapeResults(mlir::func::FuncOp function,
                        const mlir::DominanceInfo &dominance);

/// Has states start from the arguments that they replace. An error is of a
/// state that is no buffer of one known type.
mlir::LogicalResult bindStates(mlir::func::FuncOp function);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_TENSOR_RESULTBINDING_H
