//===- BlocksTest.cpp - Tests of weights in blocks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Blocks.h"
#include "nacre/Quantization/Distortion.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace nacre::quantization;

/// Numbers without an order, of which some are large.
static std::vector<float> makeWeights(int64_t count) {
  std::vector<float> weights;
  for (int64_t i = 0; i < count; ++i) {
    float value = std::sin(static_cast<float>(i * i));
    weights.push_back(i % 37 == 0 ? 4 * value : value);
  }
  return weights;
}

static double measure(llvm::ArrayRef<float> weights, const BlockLayout &layout,
                      unsigned bits) {
  Distortion distortion;
  distortion.add(
      weights, dequantizeBlocks(quantizeBlocks(weights, layout, bits), layout));
  return distortion.getDecibels();
}

TEST(Blocks, Scales_AreThoseOfRowsOrColumnsInParts) {
  std::vector<float> weights = {127, -254, 1, 2, 63.5f, 127, 4, 0};
  BlockLayout rows{{4, 2}, /*axis=*/0, /*blockSize=*/2};
  BlockedWeights found = quantizeBlocks(weights, rows, 8);
  EXPECT_EQ(found.scales, (std::vector<float>{1, 2, 0.5f, 1}));
  EXPECT_EQ(found.integers,
            (std::vector<int8_t>{127, -127, 1, 1, 127, 127, 8, 0}));
  BlockLayout columns{{2, 4}, /*axis=*/1, /*blockSize=*/3};
  found = quantizeBlocks(weights, columns, 8);
  EXPECT_EQ(columns.getNumBlocks(), 2);
  ASSERT_EQ(found.scales.size(), 4u);
  EXPECT_EQ(found.scales[0], 2);
  EXPECT_FLOAT_EQ(found.scales[1], 2.0f / 127);
  EXPECT_EQ(found.scales[2], 1);
  EXPECT_EQ(found.scales[3], 1); // of nothing but zeros
}

TEST(Blocks, FourBits_StayInTheirRange) {
  std::vector<float> weights = makeWeights(4096);
  BlockLayout layout{{64, 64}, 0, 32};
  for (int8_t integer : quantizeBlocks(weights, layout, 4).integers) {
    EXPECT_GE(integer, -8);
    EXPECT_LE(integer, 7);
  }
}

TEST(Blocks, SmallerBlocksAndMoreBits_AreNearer) {
  std::vector<float> weights = makeWeights(4096);
  double whole = measure(weights, {{64, 64}, 0, 64}, 4);
  double blocks = measure(weights, {{64, 64}, 0, 16}, 4);
  double bytes = measure(weights, {{64, 64}, 0, 64}, 8);
  EXPECT_GT(whole, 10);
  EXPECT_GT(blocks, whole + 2);
  EXPECT_GT(bytes, whole + 15);
}
