//===- KernelTiles.h - The register tiles that kernels need -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tiles of #VPU.kernel_strategy are of, for each op in the order in
// which it has them: they are chosen and checked by it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_KERNELTILES_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_KERNELTILES_H

#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace nacre::VPU {

/// A register tile of a kernel.
struct KernelTile {
  ContractionShape shape;
  /// Not 0 for kernels in which a pixel takes other registers besides those of
  /// its sums: the registers of one pixel, and those that all pixels share. The
  /// tile of such a kernel has as many pixels as there are registers for, or as
  /// gain something.
  int64_t registersPerPixel = 0, otherRegisters = 0;
  /// With more pixels than so many, such a tile gains nothing.
  int64_t enoughColumns = std::numeric_limits<int64_t>::max();
  /// How many vectors have room for their weights in a buffer; 0 for weights
  /// that are not buffered: only 16-bit floats, transposed matrices and rows of
  /// bytes are.
  int64_t fitting = 0;
  /// How many vectors have their weights one behind the other in memory, of
  /// all that the kernel has; 0 where those of a next tile are elsewhere.
  int64_t successive = 0;
  /// The weights are floats of 16 bits, which are widened, or rows of bytes,
  /// which are packed, each time that they are loaded unless they are buffered.
  bool needPreparing = false;
  /// Of how many steps a tile is at a time unless its weights are buffered; 0
  /// for all.
  int64_t stepsInTurn = 0;
  /// The weights have to be buffered.
  bool needsBuffer = false;
  /// A second tile follows, for few rows, if the weights of this one are
  /// buffered: how many rows there are is dynamic.
  bool mayHaveFewRows = false;
  /// What is multiplied by the same weights, kTypicalSize where it is dynamic.
  int64_t images = 1, rows = 1, columns = 1;

  /// How many tiles there are.
  int64_t countTiles(RegisterTile tile) const;
  /// The most pixels of a row that registers have room for, if that is all that
  /// bounds them.
  int64_t getMostColumns(int64_t registers) const;
  /// As many of them as gain something.
  int64_t chooseColumns(int64_t registers) const {
    return std::min(getMostColumns(registers), enoughColumns);
  }
};

/// True for an op on buffers whose code follows from a kernel strategy.
bool hasKernelStrategy(mlir::Operation *op);

/// The tiles that its kernel needs; none where a matrix unit multiplies, or
/// where there is no kernel.
llvm::SmallVector<KernelTile> getKernelTiles(mlir::Operation *op,
                                             ArchAttr arch);

/// The vector registers that an op's kernel computes in.
VectorRegisters getVectorRegisters(mlir::Operation *op, ArchAttr arch);

/// Images, rows and columns of a convolution's result, as a kernel takes them:
/// rows can be one.
std::array<int64_t, 3> getKernelImages(NCEConvolutionOp op);

/// The pixels of a convolution's result, with kTypicalSize for dynamic sizes:
/// all are multiplied by the same weights.
int64_t getTypicalPixels(NCEConvolutionOp op);

/// The windows of a convolution along rows (0) or columns (1), if it has a
/// border of zeros.
std::optional<WindowShape> getWindow(NCEConvolutionOp op, unsigned dim);

/// True for an op whose kernel can prefetch the weights of the vectors that
/// come next, which lie side by side: of vectors of channels, and of panels of
/// a matrix that are a vector wide.
bool canPrefetchWeights(mlir::Operation *op, ArchAttr arch);

/// True for a convolution in register tiles, each of which can ask for the
/// pixels of the next: without a window, these are read in the same order.
bool canPrefetchPixels(mlir::Operation *op, ArchAttr arch);

/// True for a product or a convolution of bytes that are widened to be
/// multiplied in pairs, whose kernel has room on the stack for the words of the
/// rows, or pixels, of such a tile.
bool canWidenRows(mlir::Operation *op, RegisterTile size, ArchAttr arch);

/// True unless the windows of such a tile of a convolution meet more than twice
/// as many pixels, with those that they pass over, as they read.
bool isWorthWidening(mlir::Operation *op, RegisterTile size);

/// True for a product by weights of few bits whose kernel multiplies by them in
/// the order in which they lie, so that it can ask for later ones.
bool readsLowBitsInOrder(mlir::Operation *op, ArchAttr arch);

/// True for a product whose kernel unpacks weights of few bits, some panels at
/// a time, in scratch memory that has no room for one.
bool lacksScratchPanels(NCEMatMulNBitsOp op, ArchAttr arch);

/// The edges at which an op's kernel can leave out a border of zeros.
BorderDims getSkippableBorder(mlir::Operation *op, ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_KERNELTILES_H
