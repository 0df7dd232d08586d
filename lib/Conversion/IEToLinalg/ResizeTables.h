//===- ResizeTables.h - What resized positions read --------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables that the kernels of IE.Resize look positions and weights up in: of
// one dimension each.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_RESIZETABLES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_RESIZETABLES_H

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"

namespace nacre {

/// What each position of a resized dimension reads. All weights of a position
/// outside of the region of interest are zero.
struct ResizeTables {
  // Tap by tap, (taps, output size), so that a table is read in order:
  // positions in i64, weights in the type of their sum.
  mlir::Value positions, weights;
  mlir::Value fill; // what is added to the sum; null where nothing is
  mlir::OpFoldResult numTaps;
  bool isWeighted; // false where the only tap is taken as it is
};

/// A dimension whose sizes, scale or region of interest are known only at run
/// time, the region as doubles.
struct RuntimeDim : IE::SizedResize {
  explicit RuntimeDim(const IE::SizedResize &dim) : SizedResize(dim) {}
  mlir::Value roiStart, roiEnd;
};

/// The sum of what `term` gives for each of `count` taps, of element type
/// `type`.
mlir::Value sumTaps(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult count,
    mlir::Type type,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value tap)> term);

/// The tables of a dimension that reads `taps`, as constants; a position
/// without taps becomes `outside`.
ResizeTables buildConstantTables(mlir::OpBuilder &builder, mlir::Location loc,
                                 llvm::ArrayRef<IE::ResizeTaps> taps,
                                 double outside, mlir::Type weightType);

/// The tables of a dimension of `op`, which kernels of their own compute.
ResizeTables buildRuntimeTables(mlir::OpBuilder &builder, IE::ResizeOp op,
                                const RuntimeDim &dim, mlir::Type weightType);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_RESIZETABLES_H
