//===- HugePages.h - Pages that large blocks lie in -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler, the linker and the loader agree on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_HUGEPAGES_H
#define NACRE_SUPPORT_HUGEPAGES_H

#include <cstdint>

namespace nacre {

/// Bytes that one entry of a page table's upper level maps, on x86-64 and, with
/// pages of 4 KB, on AArch64.
constexpr int64_t kHugePage = int64_t(2) << 20;

/// Bytes of weights from which on they lie in huge pages, of which up to one is
/// left empty before them, and are released once they have been read.
constexpr int64_t kLargeWeights = int64_t(256) << 20;

/// What weights of so many bytes are aligned to: huge pages, or `least`.
constexpr int64_t getWeightsAlignment(int64_t bytes, int64_t least) {
  return bytes < kLargeWeights ? least : kHugePage;
}

} // namespace nacre

#endif // NACRE_SUPPORT_HUGEPAGES_H
