//===- DotIntrinsic.h - What multiplies packs of elements -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions behind the packs of a descriptor's `mac_array`.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_DOTINTRINSIC_H
#define NACRE_DIALECT_VPU_IR_DOTINTRINSIC_H

#include "mlir/IR/Types.h"

namespace nacre::VPU {

/// The intrinsic of LLVM that multiplies two vectors of `pack` elements for
/// each of `lanes` lanes and adds the products of a lane to its sum, or, for
/// pairs of 16-bit integers, to each other. There is none for pairs of bytes,
/// which are extended to those. Of two bytes, the first is unsigned.
llvm::StringRef getDotIntrinsic(mlir::Type elementType, int64_t lanes,
                                int64_t pack);

/// Whether one instruction multiplies packs of elements and adds them to sums,
/// as for all but integers without one.
bool isFused(mlir::Type elementType, int64_t pack);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_DOTINTRINSIC_H
