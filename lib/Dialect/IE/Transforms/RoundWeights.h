//===- RoundWeights.h - Weights rounded for their inputs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds the weights of a product by what samples have shown of its input.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_ROUNDWEIGHTS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_ROUNDWEIGHTS_H

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/KnownRanges.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace nacre::IE {

/// What weights have to become.
struct RoundingTarget {
  llvm::ArrayRef<float> weights;
  /// The scale of a weight, by its number.
  llvm::function_ref<float(size_t)> scaleOf;
  int least, largest;
};

struct RoundedConstants {
  std::vector<int8_t> integers;
  /// What that gains over the nearest integers, on the samples.
  double decibels;
};

/// Nothing where the sums of the input's products are not known.
std::optional<RoundedConstants> roundForInputs(const LinearOperands &operands,
                                               const RoundingTarget &target,
                                               const ValueKeys &keys,
                                               const KnownRanges &ranges);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_ROUNDWEIGHTS_H
