//===- RecomputeBroadcasts.h - Clones of what is broadcast ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_TENSOR_RECOMPUTEBROADCASTS_H
#define NACRE_LIB_TRANSFORMS_TENSOR_RECOMPUTEBROADCASTS_H

#include "mlir/IR/Operation.h"

namespace nacre {

/// Gives each elementwise op in `root` that reads a result of `minElements` and
/// more, which is computed from few numbers, a clone of what computes it.
/// Returns the number of clones.
int64_t recomputeBroadcasts(mlir::Operation *root, int64_t minElements);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_TENSOR_RECOMPUTEBROADCASTS_H
