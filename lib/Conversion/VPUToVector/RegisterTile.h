//===- RegisterTile.h - The contraction micro-kernel ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of accumulators that stays in registers through a whole reduction:
// pixels (or matrix rows) times vectors of output channels (or columns). Both
// convolution and matrix product are this, with different addresses.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_REGISTERTILE_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_REGISTERTILE_H

#include "KernelBuilder.h"

namespace nacre {

using VPU::RegisterTile;

/// What the kernel of `op` is written by, which it has: that was verified.
VPU::KernelStrategyAttr getKernelStrategy(mlir::Operation *op);

/// Cuts an output of rows × columns pixels into tiles: calls `body` with the
/// row and column of a tile and its size. Of dynamic columns, those that are
/// left over are cut into narrower tiles of several rows.
void forEachTile(
    KernelBuilder &kernel, mlir::OpFoldResult rows, mlir::OpFoldResult columns,
    RegisterTile tile,
    llvm::function_ref<void(mlir::Value, mlir::Value, RegisterTile)> body);

/// Where the operands of one tile are.
struct ContractionOperands {
  /// Extents of the reduction loops, outermost first.
  llvm::SmallVector<mlir::OpFoldResult> reduction;
  /// The elements of a pixel (row and column within the tile) at a reduction
  /// index, in every lane.
  llvm::function_ref<mlir::Value(int64_t, int64_t, mlir::ValueRange)> loadPixel;
  /// The weights of the tile's v-th vector at a reduction index.
  llvm::function_ref<mlir::Value(int64_t, mlir::ValueRange)> loadWeights;
  /// All loops stay ones. Where all steps have the same weights for each tile,
  /// LLVM would keep those of unrolled ones in registers that there are not.
  bool isRolled = false;
};

/// True where no registers are left to keep pixels in from one step through a
/// window to the next, so that the loops over it stay loops.
bool rollsWindow(const KernelBuilder &kernel, RegisterTile tile);

/// Accumulates one tile on top of `init` (row-major over rows, columns,
/// vectors) and returns the results in the same order.
llvm::SmallVector<mlir::Value>
buildContraction(KernelBuilder &kernel, RegisterTile tile,
                 const ContractionOperands &operands,
                 llvm::ArrayRef<mlir::Value> init);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_REGISTERTILE_H
