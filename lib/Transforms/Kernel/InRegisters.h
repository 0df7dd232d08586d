//===- InRegisters.h - Structured ops by vectors in registers ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What vectorize-structured-ops does with the families of ops that it rewrites.
// The loops of #VPU.kernel_loops have been checked before.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H
#define NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H

#include "nacre/Dialect/VPU/Transforms/ByteProduct.h"

#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// Replaces an op by what `emit` makes for one of `lengths`, which do not grow:
/// the first one that `loops` have as many iterations as. Where a run alone
/// knows how many they have, it chooses, and the op stays where none fits.
void replaceWhereFits(
    mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
    llvm::ArrayRef<unsigned> loops, llvm::ArrayRef<int64_t> lengths,
    llvm::function_ref<void(mlir::OpBuilder &, int64_t length)> emit);

/// Rewrites a transposition by square blocks of vectors of `edge` elements,
/// where sizes have so many.
void transposeInBlocks(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       int64_t edge);

/// Rewrites a repetition by vectors of `length` elements, where a row has so
/// many, or of a quarter of that. Each is stored as as many as there are
/// copies.
void repeatInRegisters(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       int64_t length);

/// Rewrites a transposition by loops of which the innermost one is `along`, in
/// each step of which the elements of the loop `few` are moved.
void interleave(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                unsigned few, unsigned along);

/// Rewrites a sum of products of bytes.
void dotBytesInRegisters(mlir::RewriterBase &rewriter, VPU::ByteProduct product,
                         VPU::ByteProductAttr tile, VPU::ArchAttr arch);

/// Makes a loop the innermost one. Each sum has its elements in the same order
/// as before.
mlir::LogicalResult moveInnermost(mlir::RewriterBase &rewriter,
                                  mlir::linalg::GenericOp op, unsigned loop);

/// Lets an op accumulate its elements in any order. Returns how many
/// accumulations it has.
int64_t reassociate(mlir::linalg::LinalgOp op);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_KERNEL_INREGISTERS_H
