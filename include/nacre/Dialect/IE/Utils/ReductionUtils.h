//===- ReductionUtils.h - Axes of reductions --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axes a reduction reduces, and its result type.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_REDUCTIONUTILS_H
#define NACRE_DIALECT_IE_UTILS_REDUCTIONUTILS_H

#include "nacre/Dialect/IE/Utils/SizeBuilder.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include <optional>

namespace nacre::IE {

/// The reduced axes in ascending order. Axes that are no constant are derived
/// from the static result type where only one choice explains it.
std::optional<llvm::SmallVector<int64_t>>
getReducedAxes(mlir::Value input, mlir::Value axes, bool noopWithEmptyAxes,
               mlir::RankedTensorType resultType);

/// The choices of axes, two at most, that give a static result type; the length
/// of `axes`, which are not constant, says how many a choice has.
llvm::SmallVector<llvm::SmallVector<int64_t>>
findReducedAxes(mlir::RankedTensorType inputType, mlir::Value axes,
                mlir::RankedTensorType resultType);

/// The result type of an ONNX reduction (opset 18 semantics).
mlir::LogicalResult inferReduction(std::optional<mlir::Location> location,
                                   mlir::Value input, mlir::Value axes,
                                   bool keepDims, bool noopWithEmptyAxes,
                                   llvm::SmallVectorImpl<mlir::Type> &inferred);

/// For each dimension of `input` -1 where it is not reduced, which may be known
/// only at run time.
Sizes getReductionEntries(SizeBuilder &sizes, mlir::Value input,
                          mlir::Value axes, bool noopWithEmptyAxes,
                          mlir::RankedTensorType resultType);

/// Adds the sizes of the result of a reduction with these entries.
void buildReductionSizes(SizeBuilder &sizes, mlir::Value input,
                         llvm::ArrayRef<mlir::OpFoldResult> entries,
                         bool keepDims, mlir::RankedTensorType resultType,
                         mlir::ReifiedRankedShapedTypeDims &results);

/// The result type of a scan along `axis`, one element.
mlir::LogicalResult inferScan(std::optional<mlir::Location> location,
                              mlir::Value input, mlir::Value axis,
                              llvm::SmallVectorImpl<mlir::Type> &inferred);

/// Erases the `axes` operand of `reduction` where it has no elements, which
/// means the same as its absence.
mlir::LogicalResult dropEmptyAxes(mlir::Operation *reduction,
                                  mlir::MutableOperandRange axes,
                                  mlir::PatternRewriter &rewriter);

/// `shape` with `axes` reduced.
llvm::SmallVector<int64_t> reduceShape(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> axes,
                                       bool keepDims);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_REDUCTIONUTILS_H
