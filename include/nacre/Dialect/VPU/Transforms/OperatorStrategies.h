//===- OperatorStrategies.h - How operators are lowered ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-ie-to-vpu and convert-ie-to-linalg lower an operator by the algorithm
// that its #VPU.strategy says, which a person may have written: they check it
// here before they begin, and ask here for it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_OPERATORSTRATEGIES_H
#define NACRE_DIALECT_VPU_TRANSFORMS_OPERATORSTRATEGIES_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/Operation.h"

namespace nacre::IE {
class AveragePoolOp;
} // namespace nacre::IE

namespace nacre::VPU {

/// The algorithms by which an operator of the model can be lowered, the one
/// that serves all forms of it first; none where there is no choice.
llvm::SmallVector<Algorithm> getAlgorithms(mlir::Operation *op);

/// The words of a block of weights of few bits that can be cut into parts; none
/// for other ops.
int64_t countBlockWords(mlir::Operation *op);

/// True for a recurrence of which cores can compute some rows each.
bool canShareRows(mlir::Operation *op);

/// The algorithm that the strategy of an operator says, else the first of
/// those above; `undecided` where there is none.
Algorithm getAlgorithm(mlir::Operation *op);

/// The bits of the integer by which elements of a TopK are compared: floats
/// have 32 at least, others 8.
int64_t getOrderKeyBits(mlir::Type elementType);

/// The bits of an integer that holds the order key of an element of a TopK,
/// and its position along an axis of `length`: 0 if none does.
int64_t getSortedEntryBits(int64_t length, mlir::Type elementType);

/// How many of `columns` are sorted at once, those whose integers above fill a
/// vector of 64 bytes; 0 if there are none.
int64_t countSortedColumns(int64_t columns, int64_t length,
                           mlir::Type elementType);

/// The image of 16-bit floats that `op` averages as one in f32; null for
/// others.
mlir::Value getNarrowImage(IE::AveragePoolOp op);

/// The parts into which blocks of weights are cut.
int64_t getBlockParts(mlir::Operation *op);

/// Checks that operators below `root` can be lowered by the algorithms that
/// their strategies say. An error names the op and says what was expected.
mlir::LogicalResult verifyOperators(mlir::Operation *root);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_OPERATORSTRATEGIES_H
