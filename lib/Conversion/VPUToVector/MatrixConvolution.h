//===- MatrixConvolution.h - Convolution by a matrix unit -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a convolution, which its register tiles have, too.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXCONVOLUTION_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXCONVOLUTION_H

#include "Epilogue.h"

#include "nacre/Dialect/VPU/IR/WindowStrip.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

namespace nacre {

/// The operands of one convolution, rows possibly merged.
struct Convolution {
  mlir::Value input, weights;
  Epilogue epilogue;
  int64_t strideH, strideW, dilationH, dilationW, groups;
  int64_t channels;                   // of a group's inputs
  int64_t pack;                       // of them multiplied at once
  llvm::ArrayRef<int64_t> zeroBorder; // top, left, bottom, right, or none
  VPU::KernelStrategyAttr strategy;
  VPU::ChannelVectors vectors;
  // If blocks of channels, or rows of a window, are copied beside each other.
  std::optional<VPU::WindowStrip> strip;
  std::optional<VPU::RowStrip> rowStrip;
};

/// All outputs of a group by tiles of a matrix unit; `block` is the group's
/// first block of output channels.
void emitMatrixConvolution(KernelBuilder &kernel, const Convolution &conv,
                           mlir::Value group, mlir::Value block);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXCONVOLUTION_H
