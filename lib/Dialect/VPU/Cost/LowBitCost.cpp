//===- LowBitCost.cpp - What products by weights of few bits take ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the instructions for a block of a row.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/LowBitCost.h"

#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

// Of a machine that multiplies bytes: so many products are summed at a time.
static constexpr int64_t kBytePack = 4;

/// Instructions that make integers of a block of a row.
static int64_t countOfIntegerRow(NCEMatMulNBitsOp op, ArchAttr arch) {
  // The sums of a block's bytes are added up across a vector, one for each part
  // of its elements. All else is for each vector of elements, of which a word
  // of weights meets at least one. To make bytes of a longer one takes two.
  constexpr int64_t kPart = 24, kVector = 10, kPartOfVector = 2, kLongest = 8;
  auto parts = static_cast<int64_t>(op.getRowParts());
  int64_t vectors = op.getWeightsShape()[2] *
                    llvm::divideCeilSigned(op.getPerWord(),
                                           std::min(arch.getLanes(), kLongest));
  return parts * kPart + vectors * (kVector + parts * kPartOfVector);
}

int64_t VPU::countChains(int64_t sums) {
  return llvm::divideCeilSigned(kSumLatency, sums);
}

int64_t VPU::countChains(int64_t sums, int64_t atOnce, int64_t steps) {
  constexpr int64_t kShortest = 4;
  return std::max<int64_t>(
      std::min({countChains(sums), atOnce, steps / kShortest}), 1);
}

bool VPU::savesByIntegers(NCEMatMulNBitsOp op, ArchAttr arch) {
  int64_t panels = op.getWeightsShape()[0];
  int64_t rows = op.getInitType().getDimSize(1);
  int64_t blockSize = op.getBlockSize();
  // What a row and a vector of columns take of a block: of each part an
  // instruction for four products, and one that makes its sum a float; one for
  // the scale of the row and one for that of the weights.
  constexpr int64_t kScales = 2;
  auto parts = static_cast<int64_t>(op.getRowParts());
  int64_t ofIntegers =
      parts * llvm::divideCeilSigned(blockSize, kBytePack) + parts + kScales;
  // Of floats, an instruction for each element, and some to make a float of a
  // weight, once for all rows. Where rows are few, that is done beside their
  // products, and costs a part of it, and sums are added up and scaled; where
  // they are many, floats are scaled already, and read from memory.
  constexpr int64_t kUnpack = 3, kPartBesideProducts = 4, kSums = 2, kReads = 1;
  bool areFew = op.hasFewRows();
  int64_t ofFloats = blockSize + (areFew ? kSums : kReads);
  if (ShapedType::isDynamic(panels)) {
    return ofIntegers < ofFloats;
  }
  int64_t ofUnpacking = 0;
  if (!ShapedType::isDynamic(rows)) {
    ofUnpacking = panels * blockSize * kUnpack / std::max<int64_t>(rows, 1);
  }
  if (areFew) {
    ofUnpacking /= kPartBesideProducts;
  }
  return countOfIntegerRow(op, arch) + panels * ofIntegers <
         panels * ofFloats + ofUnpacking;
}
