//===- RankCorrelation.h - How alike two orders are -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spearman's correlation, by which an estimate is judged that decisions compare
// with another: what matters is which of two is longer.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_RANKCORRELATION_H
#define NACRE_LIB_DRIVER_RANKCORRELATION_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace nacre::driver {

/// The correlation of the ranks of `a` and `b`, which are as long: 1 where both
/// are in the same order, -1 where one is in the reverse of the other. Equal
/// numbers share the mean of their ranks. Nothing where there are fewer than
/// three, or all of one side are equal.
std::optional<double> correlateRanks(llvm::ArrayRef<double> a,
                                     llvm::ArrayRef<double> b);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RANKCORRELATION_H
