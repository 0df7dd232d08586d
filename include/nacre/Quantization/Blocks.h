//===- Blocks.h - Weights of few bits in blocks -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices as integers of 4 or 8 bits, with a scale for each block of elements
// that are summed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_BLOCKS_H
#define NACRE_QUANTIZATION_BLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace nacre::quantization {

/// A matrix of `shape`, whose dimension `axis` is summed.
struct BlockLayout {
  int64_t shape[2];
  int64_t axis;
  /// Elements of that dimension that have a scale in common; the last block may
  /// be shorter.
  int64_t blockSize;

  int64_t getNumBlocks() const {
    return (shape[axis] + blockSize - 1) / blockSize;
  }
  /// The place among all scales of that of the element in `row` and `column`;
  /// scales have the form of the matrix.
  int64_t getScaleIndex(int64_t row, int64_t column) const {
    return axis == 0 ? row / blockSize * shape[1] + column
                     : row * getNumBlocks() + column / blockSize;
  }
};

struct BlockedWeights {
  std::vector<int8_t> integers;
  std::vector<float> scales;
};

/// Symmetric integers of `bits`, 4 or 8, by the scales of least squared error
/// among some.
BlockedWeights quantizeBlocks(llvm::ArrayRef<float> weights,
                              const BlockLayout &layout, unsigned bits);

/// What they stand for.
std::vector<float> dequantizeBlocks(const BlockedWeights &weights,
                                    const BlockLayout &layout);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_BLOCKS_H
