//===- RegisterTileCost.cpp - What a register tile takes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what a step of a reduction issues, and how often it does.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

bool VPU::fitsRegisters(RegisterTile tile, bool isFused, int64_t registers) {
  int64_t pixels = isFused ? 1 : tile.getPixels() + 1;
  return tile.getAccumulators() + tile.vectors + pixels <= registers;
}

/// True where so many pixels do not stay in the first cache from one step to
/// the next. Lines whose addresses differ by multiples of `kWayBytes` share
/// `kWays` places: 8 in Intel's cores up to Skylake, 12 since and in Zen 5.
static bool collide(int64_t pixels, int64_t stride) {
  constexpr int64_t kWayBytes = 4096, kWays = 8;
  if (stride <= kCacheLineBytes) {
    return false;
  }
  int64_t places =
      kWayBytes / std::max(std::gcd(stride, kWayBytes), kCacheLineBytes);
  // Weights pass by in one of the ways.
  return llvm::divideCeilSigned(pixels, places) > kWays - 1;
}

/// Estimated cycles of one reduction step of a tile: bound by FMA issue, load
/// issue, or the latency of too few independent accumulators. Loads cost a
/// little even where FMAs bound the step, which favours squarish tiles, and
/// more from the second cache: of a tile's weights, where those of all steps do
/// not fit the first, and of pixels that collide in it.
static double estimateStep(RegisterTile tile, int64_t weightBytes,
                           int64_t pixelStride) {
  constexpr double kPerCycle = kStartsPerCycle, kLatency = kSumLatency,
                   kLoadWeight = 0.15, kDistantWeight = 0.5,
                   kCollidingLoads = 3;
  auto pixels = static_cast<double>(tile.getPixels());
  auto vectors = static_cast<double>(tile.vectors);
  bool areColliding = collide(tile.getPixels(), pixelStride);
  double loads = (areColliding ? kCollidingLoads : 1) * pixels + vectors;
  bool isDistant = weightBytes * tile.vectors > kFirstCacheBytes;
  return std::max({static_cast<double>(tile.getAccumulators()) / kPerCycle,
                   loads / kPerCycle, kLatency}) +
         kLoadWeight * pixels +
         (isDistant ? kDistantWeight : kLoadWeight) * vectors;
}

/// Splits `extent` into tiles of `tile` and a tail: calls visit(size, count).
static void forEachTileSize(int64_t extent, int64_t tile,
                            llvm::function_ref<void(int64_t, int64_t)> visit) {
  if (extent / tile > 0) {
    visit(tile, extent / tile);
  }
  if (extent % tile > 0) {
    visit(extent % tile, 1);
  }
}

/// A dynamic size as one so large that what is left over of it does not count.
static int64_t orMany(int64_t size) {
  constexpr int64_t kMany = 1 << 16;
  return ShapedType::isDynamic(size) ? kMany : size;
}

double VPU::estimateTiles(RegisterTile tile, const ContractionShape &shape,
                          int64_t vectorBytes) {
  int64_t weightBytes = shape.steps * vectorBytes;
  double total = 0;
  forEachTileSize(orMany(shape.rows), tile.rows, [&](int64_t r, int64_t rs) {
    forEachTileSize(
        orMany(shape.columns), tile.columns, [&](int64_t c, int64_t cs) {
          forEachTileSize(
              shape.vectors, tile.vectors, [&](int64_t v, int64_t vs) {
                total +=
                    estimateStep({r, c, v}, weightBytes, shape.pixelStride) *
                    static_cast<double>(rs * cs * vs);
              });
        });
  });
  return total;
}

int64_t VPU::getMostRowsOfTail(RegisterTile tile) {
  return std::clamp<int64_t>(tile.columns / 2, 1, kSumsInFlight);
}

int64_t VPU::countBufferedVectors(ArrayRef<int64_t> extents,
                                  int64_t vectorBytes) {
  int64_t bytes = ShapedType::getNumElements(extents) * vectorBytes;
  return kMostStackBytes / std::max<int64_t>(bytes, 1);
}

double VPU::getUsefulShare(const WindowShape &window, int64_t outputs) {
  if (!window.hasBorder() || ShapedType::isDynamic(window.size) ||
      ShapedType::isDynamic(outputs) || outputs == 0) {
    return 1;
  }
  int64_t useful = 0;
  for (int64_t tap = 0; tap < window.taps; ++tap) {
    // The first outputs, for which the tap is in front of `position`.
    auto countOutputs = [&](int64_t position) {
      return std::clamp<int64_t>(
          llvm::divideCeilSigned(position - tap * window.dilation,
                                 window.stride),
          0, outputs);
    };
    int64_t first = countOutputs(window.before);
    useful += std::max(countOutputs(window.size - window.after), first) - first;
  }
  return static_cast<double>(useful) /
         static_cast<double>(outputs * window.taps);
}

int64_t VPU::countTapRanges(const WindowShape &window, int64_t outputs,
                            int64_t tile) {
  if (!window.hasBorder() || tile == 1) {
    return 1;
  }
  auto countTaps = [&](int64_t border) {
    return llvm::divideCeilSigned(border, window.dilation);
  };
  int64_t first = countTaps(window.before), last = countTaps(window.after);
  bool isWhole = !ShapedType::isDynamic(outputs) && tile >= outputs;
  return std::min(1 + (isWhole ? first + last : std::max(first, last)),
                  window.taps);
}

EdgeTiles VPU::countEdgeTiles(const WindowShape &window, int64_t outputs,
                              int64_t tile) {
  EdgeTiles edges;
  if (!window.hasBorder() || tile == 1 || ShapedType::isDynamic(window.size) ||
      ShapedType::isDynamic(outputs)) {
    return edges;
  }
  auto meetsZeros = [&](int64_t index) {
    int64_t first = index * tile, last = first + tile - 1;
    return !window.isUseful(first, 0) ||
           !window.isUseful(last, window.taps - 1);
  };
  int64_t whole = outputs / tile;
  while (edges.first < whole && meetsZeros(edges.first)) {
    ++edges.first;
  }
  while (edges.first + edges.last < whole &&
         meetsZeros(whole - edges.last - 1)) {
    ++edges.last;
  }
  return edges;
}
