//===- RegisterTile.h - Sums that stay in registers -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of #VPU.register_tile, which cost models estimate, choosers try,
// and kernels are written with.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_REGISTERTILE_H
#define NACRE_DIALECT_VPU_IR_REGISTERTILE_H

#include <cstdint>

namespace nacre::VPU {

/// Rows × columns of pixels × vectors of channels held in registers.
struct RegisterTile {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t vectors = 1;
  /// A kernel's smaller tile, one of several for what those of a dynamic extent
  /// leave over. Its loops stay loops: unrolled they would be more code than
  /// all that runs often.
  bool isRemainder = false;

  int64_t getPixels() const { return rows * columns; }
  int64_t getAccumulators() const { return getPixels() * vectors; }
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_REGISTERTILE_H
