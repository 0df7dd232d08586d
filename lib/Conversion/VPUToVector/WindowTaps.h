//===- WindowTaps.h - Windows that reach into a border of zeros -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a kernel, a tap, that meets a border of zeros adds nothing.
// Which taps those are follows from where an output lies: known here where the
// output is, else computed at run time.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WINDOWTAPS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WINDOWTAPS_H

#include "RegisterTile.h"
#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

namespace nacre {

/// Taps that the same outputs of a tile need: `count` from `first` on, for the
/// outputs [begin, end) of the tile.
struct TapRange {
  mlir::Value first;
  mlir::OpFoldResult count;
  int64_t begin, end;
};

/// The taps of a kernel along the rows or columns of an image.
class WindowTaps {
public:
  /// Of an image of `size` elements along the dimension, of which the first
  /// `before` and the last `after` are zeros.
  WindowTaps(KernelBuilder &kernel, int64_t taps, int64_t stride,
             int64_t dilation, mlir::OpFoldResult size, int64_t before,
             int64_t after)
      : kernel(kernel), taps(taps), stride(stride), dilation(dilation),
        size(size), before(before), after(after) {}

  /// Of an image without such a border.
  WindowTaps(KernelBuilder &kernel, int64_t taps)
      : WindowTaps(kernel, taps, /*stride=*/1, /*dilation=*/1,
                   kernel.builder.getIndexAttr(0), /*before=*/0, /*after=*/0) {}

  /// The ranges of taps for `count` outputs from `first` on, in order. Those of
  /// several outputs are all taps where the first is not known.
  llvm::SmallVector<TapRange> getRanges(mlir::Value first, int64_t count) const;

  /// Cuts `extent` outputs into tiles of `tile`, as KernelBuilder::tiles().
  /// Those at the edges, where that is known, are no part of a loop, so that
  /// their ranges are known, too. They are few: else no border is left out.
  void tiles(mlir::OpFoldResult extent, int64_t tile,
             llvm::function_ref<void(mlir::Value, int64_t)> body) const;

private:
  /// Of an image of a known size.
  VPU::WindowShape getWindow(int64_t known) const {
    return {taps, stride, dilation, known, before, after};
  }
  bool isUseful(int64_t output, int64_t tap, int64_t known) const {
    return getWindow(known).isUseful(output, tap);
  }
  bool hasBorder() const { return getWindow(/*known=*/0).hasBorder(); }
  TapRange getAll(int64_t count) const;
  llvm::SmallVector<TapRange> getKnownRanges(int64_t first, int64_t count,
                                             int64_t known) const;
  TapRange getRunTimeRange(mlir::Value output) const;

  KernelBuilder &kernel;
  int64_t taps, stride, dilation;
  mlir::OpFoldResult size;
  int64_t before, after;
};

/// What the window of a tile reaches over.
struct WindowExtents {
  llvm::ArrayRef<TapRange> rows, columns;
  int64_t blocks;   // of input channels
  int64_t channels; // of a block, or packs of them
};

/// Where the operands are. A step is a block, a tap's row and column, and a
/// channel.
struct WindowOperands {
  /// Of a pixel, by its row and column within the tile.
  llvm::function_ref<mlir::Value(int64_t, int64_t, mlir::ValueRange)> loadPixel;
  /// Of the tile's v-th vector.
  llvm::function_ref<mlir::Value(int64_t, mlir::ValueRange)> loadWeights;
};

/// buildContraction() of a tile over a window, whose sums are `sums`: each
/// output meets the taps that it needs in their order.
llvm::SmallVector<mlir::Value>
buildWindowContraction(KernelBuilder &kernel, RegisterTile tile,
                       const WindowExtents &extents,
                       const WindowOperands &operands, mlir::ValueRange sums);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WINDOWTAPS_H
