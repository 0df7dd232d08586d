//===- ControlFlow.h - What branches and loops share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of IE's control flow that become those of scf.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_CONTROLFLOW_H
#define NACRE_LIB_CONVERSION_IETOLINALG_CONTROLFLOW_H

#include "Common.h"

namespace nacre {

/// Moves the ops of a body to the end of `block`; its arguments become
/// `arguments`. Gives what the body yielded.
llvm::SmallVector<mlir::Value>
inlineBody(mlir::ConversionPatternRewriter &rewriter, mlir::Region &body,
           mlir::Block *block, mlir::ValueRange arguments);

/// Notes that what `loop` runs are steps of the model, not of one kernel.
void markSteps(mlir::Operation *loop);

/// Writes `part`, whose type may know less of its sizes, to `position` of
/// `axis`.
mlir::Value insertPart(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value part, mlir::Value whole, int64_t axis,
                       mlir::Value position);

/// The part of `whole` at `position` of `axis`.
mlir::Value extractPart(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value whole, int64_t axis, mlir::Value position);

/// Asserts that a tensor has the sizes of another of its rank.
void assertSameSizes(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     llvm::StringRef message);

/// Gives `values` the types under which they leave a body, which may know less
/// of their sizes, or more: that has been asserted.
void castTo(mlir::OpBuilder &builder, mlir::Location loc,
            llvm::MutableArrayRef<mlir::Value> values, mlir::TypeRange types);

void populateLoopToLinalgPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
void populateScanToLinalgPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_CONTROLFLOW_H
