//===- Blocks.cpp - Weights of few bits in blocks -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Blocks.h"
#include "nacre/Quantization/Parameters.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

using namespace nacre::quantization;

/// The scales that are tried, as parts of the one that cuts nothing off.
static constexpr int kNumTried = 8, kTriedSteps = 20;

static double roundTo(double value, double scale, double least,
                      double largest) {
  return std::clamp(std::nearbyint(value / scale), least, largest);
}

/// The scale for numbers of which the largest magnitude is given.
static float chooseScale(llvm::ArrayRef<float> values, float most,
                         unsigned bits) {
  double largest = (1 << (bits - 1)) - 1;
  // int8 keeps to what has an opposite, and needs nothing cut off.
  constexpr unsigned kByte = 8;
  if (most == 0 || bits == kByte) {
    return getWeightScale(most);
  }
  double whole = static_cast<double>(most) / largest, best = whole;
  double leastError = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kNumTried; ++i) {
    double scale = whole * (kTriedSteps - i) / kTriedSteps, error = 0;
    for (float value : values) {
      double wanted = static_cast<double>(value);
      double off =
          wanted - scale * roundTo(wanted, scale, -largest - 1, largest);
      error += off * off;
    }
    if (error < leastError) {
      leastError = error;
      best = scale;
    }
  }
  return std::max(static_cast<float>(best), FLT_MIN);
}

/// Calls `visit` with each element's number, and with that of its scale.
template <typename Visitor>
static void forEachElement(const BlockLayout &layout, Visitor visit) {
  for (int64_t row = 0; row < layout.shape[0]; ++row) {
    for (int64_t column = 0; column < layout.shape[1]; ++column) {
      visit(row * layout.shape[1] + column, layout.getScaleIndex(row, column));
    }
  }
}

BlockedWeights
nacre::quantization::quantizeBlocks(llvm::ArrayRef<float> weights,
                                    const BlockLayout &layout, unsigned bits) {
  int64_t others = layout.shape[1 - layout.axis];
  std::vector<std::vector<float>> blocks(others * layout.getNumBlocks());
  forEachElement(layout, [&](int64_t i, int64_t block) {
    blocks[block].push_back(weights[i]);
  });
  BlockedWeights result;
  for (const std::vector<float> &block : blocks) {
    float most = 0;
    for (float value : block) {
      most = std::max(most, std::fabs(value));
    }
    result.scales.push_back(chooseScale(block, most, bits));
  }
  constexpr unsigned kByte = 8;
  double largest = (1 << (bits - 1)) - 1;
  double least = bits == kByte ? -largest : -largest - 1;
  result.integers.resize(weights.size());
  forEachElement(layout, [&](int64_t i, int64_t block) {
    result.integers[i] = static_cast<int8_t>(
        roundTo(static_cast<double>(weights[i]),
                static_cast<double>(result.scales[block]), least, largest));
  });
  return result;
}

std::vector<float>
nacre::quantization::dequantizeBlocks(const BlockedWeights &weights,
                                      const BlockLayout &layout) {
  std::vector<float> result(weights.integers.size());
  forEachElement(layout, [&](int64_t i, int64_t block) {
    result[i] = weights.integers[i] * weights.scales[block];
  });
  return result;
}
