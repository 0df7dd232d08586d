//===- Weights.h - The weights of convolutions ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights in the order in which the engine reads them: packed when the model is
// compiled where they are constant, else at run time.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_WEIGHTS_H
#define NACRE_LIB_CONVERSION_IETOVPU_WEIGHTS_H

#include "Convolution.h"

namespace nacre {

/// Elements of a kernel along one dimension: `count` of them, from `first` on,
/// each `step` after the one before.
struct KernelTaps {
  int64_t first = 0;
  int64_t count = 1;
  int64_t step = 1;
};

/// Those of depth, rows and columns.
using KernelPart = std::array<KernelTaps, 3>;

/// The weights of a convolution of floats, each part of whose kernel can be
/// that of an op of the engine.
class FloatWeights {
public:
  /// Of `weights`, (M, C / groups, kernel…), or where `isTransposed`,
  /// (C, M / groups, kernel…). Run-time weights are of known sizes. `sizes`
  /// need not know the kernel.
  FloatWeights(mlir::Value weights, bool isTransposed,
               const ConvolutionSizes &sizes, ConvolutionLayouts layouts);

  /// The part of the kernel in the form that buildConvolution() takes.
  mlir::Value pack(mlir::OpBuilder &builder, mlir::Location loc,
                   const KernelPart &part);

private:
  /// How constant weights are packed.
  VPU::WeightPacking getPacking() const;
  mlir::Value packConstant(mlir::OpBuilder &builder, mlir::Location loc,
                           const KernelPart &part) const;
  mlir::Value packDense(mlir::OpBuilder &builder, mlir::Location loc,
                        const KernelPart &part);
  mlir::Value packDepth(mlir::OpBuilder &builder, mlir::Location loc,
                        const KernelPart &part);
  mlir::Value packGroups(mlir::OpBuilder &builder, mlir::Location loc,
                         const KernelPart &part);

  mlir::Value weights;
  ConstantFloats constant;
  bool isTransposed;
  ConvolutionSizes sizes;
  ConvolutionLayouts layouts;
  std::array<int64_t, 3> kernel;
  /// Run-time weights with the output channels of a block next to each other.
  mlir::Value lanes;
};

/// A value of `shape` whose element at d0, d1, … is that of `source` at `from`.
mlir::Value buildGather(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<mlir::AffineExpr> from);

/// A bias, constant or not, in blocks; null where there is none.
mlir::Value buildBias(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value bias, BlockedLayout layout);

/// True where weights and bias can be packed: constants, and on a CPU also
/// values of known sizes.
bool canPack(VPU::ArchAttr arch, mlir::Value weights, mlir::Value bias);

/// True where memory has room for the weights with the zeroes that fill their
/// blocks: of few channels a block may be mostly those.
bool canHoldPacked(VPU::ArchAttr arch, const ConvolutionSizes &sizes,
                   int64_t depth, mlir::Type elementType);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_WEIGHTS_H
