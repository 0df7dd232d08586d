//===- Constants.h - Numbers of all machines --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no descriptor has, and is assumed for all machines. A test finds the
// usual spellings of such numbers in passes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_CONSTANTS_H
#define NACRE_DIALECT_VPU_COST_CONSTANTS_H

#include <cstdint>

namespace nacre::VPU {

/// The cycles of a part that pay for waking a thread for it. A convolution of
/// 10,000 cycles for each of two cores, alone between steps of one thread, took
/// longer than on one core (Sapphire Rapids, `bench.py --threads=1 --threads=2`
/// on the light_* models): what it reads and what reads it comes from the other
/// core's cache.
constexpr int64_t kPartCycles = 12000;

/// The bytes that caches and memory exchange, assumed for all machines.
constexpr int64_t kCacheLineBytes = 64;

/// What the first cache keeps, and what it keeps while as much passes through
/// it: 32 KB, assumed for all machines.
constexpr int64_t kFirstCacheBytes = int64_t(1) << 15;
constexpr int64_t kNearBytes = kFirstCacheBytes / 2;

/// The floats that stay near: what has as many is read once for all that reduce
/// it.
constexpr int64_t kNearFloats = kNearBytes / 4;

/// The floats of a result that is computed again for each of its readers, if
/// that takes a few instructions an element: a megabyte, which second caches
/// hold hardly, assumed for all machines.
constexpr int64_t kDistantFloats = int64_t(1) << 18;

/// The shortest rows that are reduced in the loop that computes them: 32 of the
/// widest vectors, whose partial sums a row is long enough to pay for.
constexpr int64_t kJoinedRowElements = 512;

/// The widest vectors of all machines.
constexpr int64_t kWidestVectorBytes = 64;

/// What a kernel's buffers may take of the stack, of which threads have as
/// little as half a megabyte.
constexpr int64_t kMostStackBytes = int64_t(1) << 18;

/// What a loop over scalars takes for an element that it selects or
/// interpolates, at the least.
constexpr int64_t kScalarElementCycles = 2;

/// The vectors that a kernel may have code of its own for, each some shuffles:
/// a small part of what the first cache of instructions holds, assumed for all
/// machines.
constexpr int64_t kMostVectorsOfCode = 128;

/// The panels of a wide matrix that are packed at a time: parts of lines which
/// are neighbours are read together, as the next row is on another page.
constexpr int64_t kPanelsOfPage = 8;

/// What a sorting network takes to exchange the elements of two vectors, and
/// what sorting by digits takes for each byte of an element's key: of 128
/// elements of 16 columns 1,471 exchanges took 5 cycles, floats sorted the
/// other way 46 an element (Zen 4).
constexpr int64_t kExchangeCycles = 5, kSortedByteCycles = 11;

/// The most room, beside the tensors, that a core has for all entries of the
/// columns that a vector sorts: about what the caches of a core hold.
constexpr int64_t kSortRoomBytes = 4 << 20;

/// What a byte of weights more must save, since others may need the memory.
constexpr double kWeightByteCycles = 0.1;

/// Machines with no more vector registers have none left, beside a tile's sums
/// and weights, to keep pixels in from one step through a window to the next.
constexpr int64_t kFewVectorRegisters = 16;

/// The steps of loops over a window that LLVM unrolls, for all machines: 5 by 5
/// still, and 7 by 7 no more, as the code of a pool shows (LLVM 22).
constexpr int64_t kMostUnrolledSteps = 32;

/// The floats of a row of which the first caches do not hold three, as a
/// softmax reads and writes them: that of one row takes less where the second
/// result is the first one's buffer, assumed for all machines.
constexpr int64_t kLongRowElements = int64_t(1) << 14;

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_CONSTANTS_H
