//===- GraphLimits.h - Numbers for passes on graphs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What machines have to say about graphs, before an architecture is known or
// ops have kernels: numbers that hold for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_GRAPHLIMITS_H
#define NACRE_DIALECT_VPU_COST_GRAPHLIMITS_H

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include <cstddef>

namespace nacre::VPU {

/// Columns of which register tiles of one, two and four vectors of floats are
/// whole parts, whatever the width of a vector.
constexpr int64_t kWholeTileColumns = 4 * kWidestVectorBytes / 4;

/// The most elements of constant matrices that are joined, since one product
/// keeps more cores busy than several: products of one row of 256 take 0.53 of
/// the time by two cores, and as long as before by one. Matrices of more than
/// 16 MB are assumed to keep all cores busy alone.
constexpr int64_t kMostMergedElements = int64_t(1) << 22;

/// The ops that compute an element in less time than it is loaded from memory,
/// and how many times its operands' elements a result has where these come from
/// caches. Both are assumed for all machines; masks of causal attention, of a
/// comparison and of thousands of elements for each of an operand, took 8 to
/// 12 % of the time of 2048 queries by 4096 keys (Sapphire Rapids).
constexpr std::size_t kMostRecomputedOps = 8;
constexpr int64_t kLeastBroadcastGrowth = 64;

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_GRAPHLIMITS_H
