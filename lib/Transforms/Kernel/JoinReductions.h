//===- JoinReductions.h - Rows reduced where they are computed --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H
#define NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// Has rows of at least `minElements`, or of unknown length, reduced by the
/// elementwise op that stores them; returns how many ops became part of others.
int64_t joinReductions(mlir::RewriterBase &rewriter, mlir::Operation *root,
                       int64_t minElements);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_JOINREDUCTIONS_H
