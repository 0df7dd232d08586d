//===- TransposedConvolution.h - Transposed convolutions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The terms in which a transposed convolution is lowered to the engine.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_TRANSPOSEDCONVOLUTION_H
#define NACRE_LIB_CONVERSION_IETOVPU_TRANSPOSEDCONVOLUTION_H

#include "Convolution.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

#include <array>
#include <numeric>

namespace nacre {

/// Along one dimension, the outputs `first`, `first` + stride, …: a convolution
/// by the kernel's elements from `tap` on.
struct TransposedPhase {
  int64_t first;
  int64_t tap;
  int64_t taps; // none where the stride leaps over the kernel
  /// Zeroes around the input; negative where its edge is not read.
  int64_t padsBegin, padsEnd;
  /// How many outputs there are more than inputs; negative for fewer.
  int64_t surplus;
};

/// A transposed convolution along one dimension.
struct TransposedAxis {
  int64_t input, output; // dynamic where the image's are
  int64_t kernel, stride, dilation, padsBegin;
  /// How many outputs there are more than `stride` for each input.
  int64_t surplus;

  /// The distance of one phase's elements in the kernel, and in the input.
  int64_t getStep() const { return stride / std::gcd(stride, dilation); }
  int64_t getReach() const { return dilation / std::gcd(stride, dilation); }

  llvm::SmallVector<TransposedPhase> getPhases() const;
};

/// A transposed convolution in the engine's terms: depth, rows, columns. Images
/// without depth are each their own.
struct TransposedConvolution {
  std::array<TransposedAxis, 3> axes;
  ConvolutionSizes sizes;
};

/// Replaces `op`, of images, by that convolution, DepthToSpace, and a Slice of
/// what is not cropped. A phase with a shorter kernel than others is filled
/// with zeroes.
void replaceByPhasesAsChannels(mlir::PatternRewriter &rewriter,
                               IE::ConvTransposeOp op,
                               const TransposedConvolution &transposed);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_TRANSPOSEDCONVOLUTION_H
