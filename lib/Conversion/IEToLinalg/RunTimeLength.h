//===- RunTimeLength.h - Results as long as their values say ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many elements such a result has is known when it has been computed: into
// room for the most that there can be, of which then a part is taken.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMELENGTH_H
#define NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMELENGTH_H

#include "Common.h"

namespace nacre {

/// A tensor of `sizes` without values.
mlir::Value buildRoom(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      mlir::Type elementType);

/// Asserts that `length` is what the model declares of dimension `axis`, if it
/// does.
void assertDeclaredLength(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::RankedTensorType type, int64_t axis,
                          mlir::OpFoldResult length);

/// The first `count` slices of `room` along `axis`, as `type`. Where the model
/// declares how many there are, a run ends that has another number.
mlir::Value takeFront(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value room, int64_t axis, mlir::Value count,
                      mlir::RankedTensorType type);

/// `input` as a vector.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value input);

/// The pattern of Compress, for the DataMovement family.
void populateCompressToLinalgPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);

/// The pattern of Unique, for the Selection family.
void populateUniqueToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_RUNTIMELENGTH_H
