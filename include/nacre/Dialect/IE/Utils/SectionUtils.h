//===- SectionUtils.h - Bounds of slices and pads ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's conventions for slice and pad bounds (negative positions, clamping,
// optional axes), resolved to one plain entry per dimension. Inference,
// lowering and interpreter share them, so they cannot disagree.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SECTIONUTILS_H
#define NACRE_DIALECT_IE_UTILS_SECTIONUTILS_H

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace nacre::IE {

/// A strided section: element i of a dimension is element
/// `offset + i * stride` of the source.
struct SliceSpec {
  llvm::SmallVector<int64_t> offsets, sizes, strides;
};

/// Resolves the operands of a Slice. `axes` and `steps` may be missing. A
/// dynamic dimension of `shape` that is sliced gives a dynamic size and an
/// unspecified offset. Emits an error at `location` on bad axes or steps.
mlir::FailureOr<SliceSpec>
resolveSlice(std::optional<mlir::Location> location,
             llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> starts,
             llvm::ArrayRef<int64_t> ends,
             std::optional<llvm::ArrayRef<int64_t>> axes,
             std::optional<llvm::ArrayRef<int64_t>> steps);

/// The amounts of padding per dimension; negative ones remove elements.
struct PadSpec {
  llvm::SmallVector<int64_t> low, high;
};

/// Resolves the operands of a Pad of a tensor of `rank` dimensions.
mlir::FailureOr<PadSpec>
resolvePad(std::optional<mlir::Location> location, int64_t rank,
           llvm::ArrayRef<int64_t> pads,
           std::optional<llvm::ArrayRef<int64_t>> axes);

/// A section and the amounts of padding, of which some may be dynamic.
struct Sections {
  Sizes offsets, sizes, strides;
};
struct PadAmounts {
  Sizes low, high;
};

/// The sizes of `count` equal parts of `dim`, of which the last may be smaller.
/// Fails when the last would be negative.
mlir::FailureOr<llvm::SmallVector<int64_t>>
splitEvenly(std::optional<mlir::Location> location, int64_t dim, int64_t count);

/// The type of the parts of `whole` along `axis`, which goes.
mlir::RankedTensorType getPartType(mlir::Type whole, int64_t axis);

/// More elements than any machine's memory holds.
constexpr int64_t kMaxElements = int64_t(1) << 40;

/// The number of elements of start, start + delta, … before limit, per ONNX
/// Range. Nothing when delta is zero or the number is not representable.
std::optional<int64_t> getRangeSize(double start, double limit, double delta);
std::optional<int64_t> getRangeSize(int64_t start, int64_t limit,
                                    int64_t delta);

/// The type of a result whose shape was computed from values of the model.
/// Emits an error when a dimension is negative or the tensor has more elements
/// than any memory could hold, which only a damaged model asks for.
mlir::FailureOr<mlir::RankedTensorType>
getCheckedType(std::optional<mlir::Location> location,
               llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

// Inference runs before an op's operands are verified, so it checks what it
// relies on itself.

/// The length, possibly dynamic, of a vector operand. Emits an error for other
/// ranks.
mlir::FailureOr<int64_t> getVectorLength(std::optional<mlir::Location> location,
                                         mlir::Value operand);

/// More than tensors of any model have: a shape of more is a mistake, and each
/// pass would take its time over the dimensions.
constexpr int64_t kMostDimensions = 64;

/// The number of dimensions, possibly dynamic, that a vector of sizes stands
/// for. Emits an error for what is no vector, and for more than
/// kMostDimensions.
mlir::FailureOr<int64_t> getRankOf(std::optional<mlir::Location> location,
                                   mlir::Value shape);

/// Succeeds for a tensor that can hold exactly one element. Emits an error for
/// others; a missing operand is fine.
mlir::LogicalResult checkScalar(std::optional<mlir::Location> location,
                                mlir::Value operand);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SECTIONUTILS_H
