//===- Memory.h - Memory that a process may have ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked before much is allocated: a system may promise more than it has.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_MEMORY_H
#define NACRE_SUPPORT_MEMORY_H

#include <cstdint>

namespace nacre {

/// The bytes that this process may have: the machine's memory, or what is left
/// of its address space where that is limited.
int64_t getMemoryLimit();

} // namespace nacre

#endif // NACRE_SUPPORT_MEMORY_H
