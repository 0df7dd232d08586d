//===- Convolution.h - Convolutions of the engine ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What convolutions and transposed ones share: how their channels are laid out
// and the engine's ops on images that are blocked and padded.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_CONVOLUTION_H
#define NACRE_LIB_CONVERSION_IETOVPU_CONVOLUTION_H

#include "Common.h"

namespace nacre {

/// The sizes of a convolution in ONNX's terms.
struct ConvolutionSizes {
  int64_t inputs;  // C
  int64_t outputs; // M
  int64_t groups;
  int64_t kernelRows = 1;
  int64_t kernelColumns = 1;

  int64_t getInputsPerGroup() const { return inputs / groups; }
  int64_t getOutputsPerGroup() const { return outputs / groups; }
  bool isDepthwise() const {
    // A single channel is a dense convolution.
    return groups > 1 && inputs == groups && outputs == groups;
  }
};

/// Where the channels of a convolution lie.
struct ConvolutionLayouts {
  BlockedLayout in, out;
  bool sharesBlocks = false; // several groups, each of fewer channels
};

/// The layouts of a convolution of `input` that replaces an op with the result
/// `output`.
ConvolutionLayouts chooseLayouts(VPU::ArchAttr arch, mlir::Value input,
                                 mlir::Value output,
                                 const ConvolutionSizes &sizes);

/// A convolution of floats.
struct FloatConvolution {
  ConvolutionSizes sizes;
  ConvolutionLayouts layouts;
  mlir::Value weights, bias; // packed; there may be no bias
  std::array<int64_t, 2> strides = {1, 1}, dilations = {1, 1};
  mlir::Value residual = {}; // added to the result, or null
  std::array<int64_t, 4> zeroBorder = {0, 0, 0, 0}; // of the input
};

/// The engine's op on `input`, which is blocked and padded, into `init`.
mlir::Value buildConvolution(mlir::OpBuilder &builder, mlir::Location loc,
                             const FloatConvolution &conv, mlir::Value input,
                             mlir::Value init);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_CONVOLUTION_H
