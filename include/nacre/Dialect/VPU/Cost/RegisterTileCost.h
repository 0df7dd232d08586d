//===- RegisterTileCost.h - What a register tile takes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates of kernels, from shapes and a machine's vector registers alone.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_REGISTERTILECOST_H
#define NACRE_DIALECT_VPU_COST_REGISTERTILECOST_H

#include "nacre/Dialect/VPU/IR/RegisterTile.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace nacre::VPU {

/// The vector registers of a machine.
struct VectorRegisters {
  int64_t count = 32;
  int64_t bytes = 64; // of one
};

/// What a machine starts in a cycle, multiplications with additions or loads,
/// and after how many cycles a sum is there for the next one: as in Skylake and
/// Zen 3 and since, assumed for all machines.
constexpr int64_t kStartsPerCycle = 2, kSumLatency = 4;

/// Fewer independent sums than this wait for each other.
constexpr int64_t kSumsInFlight = kStartsPerCycle * kSumLatency;

/// The most vectors that tiles are tried with.
constexpr int64_t kMostTileVectors = 8;

/// What a kernel computes in register tiles: rows × columns of pixels times
/// `vectors` vectors of channels. Dynamic rows and columns, kDynamic, are taken
/// to be many.
struct ContractionShape {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t vectors = 1;
  /// Multiplication and addition are one instruction. Where they are not, LLVM
  /// loads all pixels of a step before it multiplies.
  bool isFused = true;
  /// The fewest vectors of a tile, which has a multiple of them.
  int64_t leastVectors = 1;
  /// The length of the reduction. Where the weights of so many steps exceed the
  /// first cache, each tile loads them from the second one, which favours tiles
  /// of few vectors.
  int64_t steps = 1;
  /// Bytes from a pixel's elements to the next one's; 0 where it is unknown.
  /// Where they are a multiple of a large power of two, few pixels find room in
  /// the first cache at a time.
  int64_t pixelStride = 0;
};

/// True where so many registers hold the tile's accumulators, the weights of a
/// step, and one pixel, or all pixels and a product.
bool fitsRegisters(RegisterTile tile, bool isFused, int64_t registers);

/// Estimated cycles of all tiles of a contraction, those that are left over at
/// its ends included: issue slots of FMAs (two a cycle) and loads (two a
/// cycle), and the latency of short chains.
double estimateTiles(RegisterTile tile, const ContractionShape &shape,
                     int64_t vectorBytes);

/// The most rows of the tiles that a dynamic number of rows leaves over beside
/// whole ones of `tile`. Code has one for each number up to it, so that what is
/// left over is one tile or two, which have sums enough in flight.
int64_t getMostRowsOfTail(RegisterTile tile);

/// How many vectors of weights, for each step of a reduction of these extents,
/// a buffer on the stack has room for.
int64_t countBufferedVectors(llvm::ArrayRef<int64_t> extents,
                             int64_t vectorBytes);

/// A tile that loads 16-bit weights from memory widens them to f32, and one
/// that loads rows of bytes packs them. For so many tiles, doing so once for
/// all, storing them in a buffer and loading them from there takes as long; for
/// more tiles, the buffer is faster.
constexpr int64_t kFewBufferedTiles = 2;

/// Windows of a convolution along one dimension of an image, of whose `size`
/// elements the first `before` and the last `after` are zeros.
struct WindowShape {
  int64_t taps, stride, dilation, size, before, after;

  bool hasBorder() const { return taps > 1 && before + after > 0; }
  /// True where a tap does not meet zeros for this output.
  bool isUseful(int64_t output, int64_t tap) const {
    int64_t position = output * stride + tap * dilation;
    return position >= before && position < size - after;
  }
};

/// The share of all products of so many outputs that are not with zeros; of
/// dynamic sizes, all are taken to be such.
double getUsefulShare(const WindowShape &window, int64_t outputs);

/// Into how many ranges the taps of a tile of so many outputs at the edges of
/// the image fall, each of taps that reach the same outputs. One output has one
/// range.
int64_t countTapRanges(const WindowShape &window, int64_t outputs,
                       int64_t tile);

/// How many whole tiles of so many outputs meet zeros: the first ones of a row
/// or column of tiles, and the last ones. Tiles of one output are not counted,
/// nor those of dynamic sizes.
struct EdgeTiles {
  int64_t first = 0, last = 0;
};
EdgeTiles countEdgeTiles(const WindowShape &window, int64_t outputs,
                         int64_t tile);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_REGISTERTILECOST_H
