//===- ScaleShift.h - Parts of ie-fuse-scale-shift --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that multiply and shift channels by constants, which weights absorb on
// either side.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_SCALESHIFT_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_SCALESHIFT_H

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace nacre::IE {

/// y[c] = x[c] * scale[c] + shift[c] over channels c.
struct ScaleShift {
  llvm::SmallVector<double> scale;
  llvm::SmallVector<double> shift;
};

/// Reads `value` as one constant per channel: a scalar, or a tensor whose only
/// dimension other than 1 is the channel dimension, `channelDim` counted from
/// the end (2 trailing spatial dims: channelDim = 3).
std::optional<llvm::SmallVector<double>>
getPerChannel(mlir::Value value, int64_t channels, int64_t channelDim);

/// The scale and shift that `op` applies to `source`, one of its operands.
std::optional<ScaleShift> getScaleShift(mlir::Operation *op, mlir::Value source,
                                        int64_t channels, int64_t channelDim);

/// Those in front of a convolution or Gemm become a part of its weights.
void populateFuseLeadingScaleShiftPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_SCALESHIFT_H
