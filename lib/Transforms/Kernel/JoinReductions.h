//===- JoinReductions.h - Rows reduced where they are computed --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H
#define NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// Has rows reduced by the elementwise op that stores them where strategies say
/// so; returns how many ops became part of others. An error names an op of
/// which that cannot be.
mlir::FailureOr<int64_t> joinReductions(mlir::RewriterBase &rewriter,
                                        mlir::Operation *root);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H
