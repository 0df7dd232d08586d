//===- ShapeUtils.h - Shape arithmetic of ONNX ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape computations that several operators share: broadcasting, axis
// normalisation, and reading the constants that shapes depend on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SHAPEUTILS_H
#define NACRE_DIALECT_IE_UTILS_SHAPEUTILS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace nacre::IE {

/// The integers of a constant i32/i64 (or other integer) tensor, in row-major
/// order; nothing when `value` is null or not a constant.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Value value);

/// The elements of a constant float tensor as doubles; nothing when not
/// constant.
std::optional<llvm::SmallVector<double>> getConstantFloats(mlir::Value value);

/// The constant tensor behind `value`; null when it is not a constant.
mlir::ElementsAttr getConstantElements(mlir::Value value);

/// NumPy's multidirectional broadcasting. A dynamic dimension against a static
/// one other than 1 gives the static one. Fails when dimensions clash.
mlir::FailureOr<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// Infers a broadcasting op's type: the operands' broadcast shape with
/// `elementType`. Emits an error naming both shapes at `location` on a clash.
mlir::LogicalResult
inferBroadcastType(std::optional<mlir::Location> location,
                   mlir::ValueRange operands, mlir::Type elementType,
                   llvm::SmallVectorImpl<mlir::Type> &inferred);

/// Maps a possibly negative axis into [0, rank). Emits an error when it is out
/// of range.
mlir::FailureOr<int64_t> normalizeAxis(std::optional<mlir::Location> location,
                                       int64_t axis, int64_t rank);

/// The same for a list, which must hold no axis twice.
mlir::FailureOr<llvm::SmallVector<int64_t>>
normalizeAxes(std::optional<mlir::Location> location,
              llvm::ArrayRef<int64_t> axes, int64_t rank);

/// ceil(a / b) for positive b.
int64_t ceilDiv(int64_t a, int64_t b);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SHAPEUTILS_H
