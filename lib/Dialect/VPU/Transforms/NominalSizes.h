//===- NominalSizes.h - Sizes as of a nominal image -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dynamic sizes are taken for by decisions that depend on them much.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_NOMINALSIZES_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_NOMINALSIZES_H

#include "mlir/IR/Value.h"

namespace nacre::VPU {

/// The shape of `image` (N, …) in a run whose inputs are images of `imageSize`
/// rows and columns, one of them where their number is not known. Strides and
/// paddings between are counted in; what cannot be followed back to an input
/// is taken for `imageSize` itself.
llvm::SmallVector<int64_t> getNominalShape(mlir::Value image,
                                           int64_t imageSize);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_NOMINALSIZES_H
