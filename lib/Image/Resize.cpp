//===- Resize.cpp - Pictures of another size ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The filter is a triangle as wide as two pixels of the smaller picture, the
// one that models of images are commonly trained with. It is applied to columns
// and to rows one after the other.
//
//===----------------------------------------------------------------------===//

#include "nacre/Image/Image.h"

#include <algorithm>
#include <cmath>

using namespace nacre;
using namespace nacre::image;

namespace {
/// The pixels that one of the result is made of.
struct Weights {
  int64_t first;
  std::vector<float> factors;
};
} // namespace

/// The weights of each of `to` pixels of a line that had `from`.
static std::vector<Weights> computeWeights(int64_t from, int64_t to) {
  std::vector<Weights> result;
  double scale = static_cast<double>(from) / static_cast<double>(to);
  double reach = std::max(scale, 1.0);
  for (int64_t i = 0; i < to; ++i) {
    double center = (static_cast<double>(i) + 0.5) * scale;
    auto first = std::max<int64_t>(std::llround(center - reach), 0);
    auto last = std::min<int64_t>(std::llround(center + reach), from);
    Weights &weights = result.emplace_back();
    weights.first = first;
    double sum = 0;
    for (int64_t j = first; j < last; ++j) {
      double distance = std::abs(static_cast<double>(j) + 0.5 - center) / reach;
      weights.factors.push_back(
          static_cast<float>(std::max(1 - distance, 0.0)));
      sum += static_cast<double>(weights.factors.back());
    }
    for (float &factor : weights.factors) {
      factor = static_cast<float>(static_cast<double>(factor) / sum);
    }
  }
  return result;
}

/// Resizes the middle one of three dimensions.
static std::vector<float> resizeLines(const std::vector<float> &pixels,
                                      int64_t outer, int64_t from,
                                      int64_t inner, int64_t to) {
  std::vector<float> result(outer * to * inner, 0);
  std::vector<Weights> all = computeWeights(from, to);
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t j = 0; j < to; ++j) {
      float *line = result.data() + (i * to + j) * inner;
      const float *source = pixels.data() + (i * from + all[j].first) * inner;
      for (float factor : all[j].factors) {
        for (int64_t k = 0; k < inner; ++k) {
          line[k] += factor * source[k];
        }
        source += inner;
      }
    }
  }
  return result;
}

Image image::resize(const Image &image, int64_t height, int64_t width) {
  Image result = image;
  if (width != result.width) {
    result.pixels = resizeLines(result.pixels, result.height, result.width,
                                result.channels, width);
    result.width = width;
  }
  if (height != result.height) {
    result.pixels = resizeLines(result.pixels, 1, result.height,
                                width * result.channels, height);
    result.height = height;
  }
  return result;
}
