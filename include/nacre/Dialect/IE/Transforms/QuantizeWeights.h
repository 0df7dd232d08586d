//===- QuantizeWeights.h - Weights of few bits ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ie-quantize-weights pass does, for reports.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEWEIGHTS_H
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEWEIGHTS_H

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/KnownRanges.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Quantization/Blocks.h"

namespace nacre::IE {

struct WeightOptions {
  unsigned bits = 8; // or 4
  /// Of the elements that are summed; 0 for all of them.
  int64_t blockSize = 0;
  /// What samples have shown of inputs, for which weights are rounded; null for
  /// the nearest integers.
  const KnownRanges *ranges = nullptr;
};

/// Why a product's weights stay f32; empty where they need not.
std::string findWeightObstacle(mlir::Operation *product,
                               const KeepRules &rules);

/// The weights of a product in few bits.
struct LowBitWeights {
  LinearOperands operands;
  quantization::BlockLayout layout;
  quantization::BlockedWeights weights;
  /// What weights gain that were rounded for their inputs; nothing for others.
  std::optional<double> roundingDecibels;

  /// Bytes of these, where f32 has four for each element.
  int64_t countBytes(unsigned bits) const;
};
LowBitWeights computeLowBitWeights(mlir::Operation *product,
                                   const ValueKeys &keys,
                                   const WeightOptions &options);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEWEIGHTS_H
