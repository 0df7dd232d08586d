//===- Sizes.h - Sizes that only a run knows --------------------*- C++ -*-===//
//
// Sizes of tensors as OpFoldResults: index attributes where the type tells,
// else index values. Kernels agree on an iteration domain only if they can see
// that sizes are equal, so sizes are traced to where they come from instead of
// being asked of each tensor.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// The size of dimension `dim` of `tensor`. Sizes that come from the same
/// place are the same value.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value tensor, int64_t dim);

/// The sizes of all dimensions.
Sizes getSizes(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::Value tensor);

/// `sizes` of which those that `type` knows are replaced by attributes.
Sizes refineSizes(mlir::Builder &builder, mlir::RankedTensorType type,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The dimensions of a tensor type with `sizes`.
llvm::SmallVector<int64_t> getShape(llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The product of `factors`.
mlir::OpFoldResult multiplySizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 llvm::ArrayRef<mlir::OpFoldResult> factors);

/// The product of `numerator` divided by that of `denominator`; factors of both
/// cancel.
mlir::OpFoldResult divideSizes(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::ArrayRef<mlir::OpFoldResult> numerator,
                               llvm::ArrayRef<mlir::OpFoldResult> denominator);

/// a + b, a - b.
mlir::OpFoldResult addSizes(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::OpFoldResult a, mlir::OpFoldResult b);
mlir::OpFoldResult subtractSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b);

/// The size that dimensions of these sizes broadcast to: NumPy's rule, with an
/// assertion where only a run can tell that it is kept.
mlir::OpFoldResult broadcastSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Asserts at run time, unless it is known, that two sizes are equal.
void assertSameSize(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::OpFoldResult a, mlir::OpFoldResult b,
                    llvm::StringRef message);

/// The same of the numbers of elements of two shapes.
void assertSameProduct(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<mlir::OpFoldResult> a,
                       llvm::ArrayRef<mlir::OpFoldResult> b,
                       llvm::StringRef message);

/// Element `position` of an integer tensor of rank 0 or 1 that an IE op takes
/// as a shape, as an index. Shape arithmetic in IE is followed to the sizes it
/// came from.
mlir::OpFoldResult getShapeElement(mlir::ConversionPatternRewriter &rewriter,
                                   mlir::Location loc, mlir::Value ieTensor,
                                   int64_t position);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H
