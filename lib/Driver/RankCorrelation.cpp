//===- RankCorrelation.cpp - How alike two orders are ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankCorrelation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cassert>
#include <cmath>
#include <vector>

using namespace nacre;

/// The rank of each number, less the mean of all ranks.
static std::vector<double> rank(llvm::ArrayRef<double> numbers) {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, numbers.size()));
  llvm::sort(order,
             [&](size_t a, size_t b) { return numbers[a] < numbers[b]; });
  double mean = (static_cast<double>(numbers.size()) - 1) / 2;
  std::vector<double> ranks(numbers.size());
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last + 1 < order.size() &&
           numbers[order[last + 1]] == numbers[order[first]]) {
      ++last;
    }
    for (size_t i = first; i <= last; ++i) {
      ranks[order[i]] = static_cast<double>(first + last) / 2 - mean;
    }
    first = last + 1;
  }
  return ranks;
}

std::optional<double> driver::correlateRanks(llvm::ArrayRef<double> a,
                                             llvm::ArrayRef<double> b) {
  constexpr size_t kFewest = 3;
  assert(a.size() == b.size() && "expected as many numbers on both sides");
  if (a.size() < kFewest) {
    return std::nullopt;
  }
  double both = 0, ofA = 0, ofB = 0;
  for (auto [x, y] : llvm::zip_equal(rank(a), rank(b))) {
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  if (ofA == 0 || ofB == 0) {
    return std::nullopt;
  }
  return both / std::sqrt(ofA * ofB);
}
