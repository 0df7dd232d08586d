//===- TypicalSizes.h - What dynamic sizes are taken for --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates need numbers where sizes are known at run time alone. All of them
// have these from here.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_TYPICALSIZES_H
#define NACRE_DIALECT_VPU_IR_TYPICALSIZES_H

#include "mlir/IR/BuiltinTypes.h"

namespace nacre::VPU {

/// A size of which nothing else is known: a number of samples or of words.
constexpr int64_t kTypicalSize = 64;

/// Rows and columns of an image that a model takes, for decisions that depend
/// on them much. Networks are trained on images of about this size, and applied
/// to such or larger ones. One of kTypicalSize rows would be too small for the
/// tiles of Winograd's algorithm, which the layers behind it, of a part of its
/// rows each, are chosen by.
constexpr int64_t kTypicalImageSize = 224;

/// `shape` with kTypicalSize for dynamic sizes.
llvm::SmallVector<int64_t> getTypicalShape(llvm::ArrayRef<int64_t> shape);

/// The number of elements of such a shape.
int64_t getTypicalNumElements(mlir::ShapedType type);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_TYPICALSIZES_H
