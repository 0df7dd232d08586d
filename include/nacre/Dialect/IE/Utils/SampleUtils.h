//===- SampleUtils.h - Which ops keep samples apart -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most networks compute each sample of a batch for itself.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SAMPLEUTILS_H
#define NACRE_DIALECT_IE_UTILS_SAMPLEUTILS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {

class ScanOp;

/// True if sample i of the results follows from sample i of the operands that
/// are batches, and a loop over samples may compute it.
bool computesSamples(mlir::Operation *op);

/// True if sample i of each result of a function follows from sample i of those
/// arguments of which one dimension alone is dynamic: all of one batch, which
/// may then be computed in any parts. As many indices of that dimension are
/// expected in all of them. All other arguments have static shapes and are the
/// same for all samples.
bool keepsSamplesApart(mlir::func::FuncOp function);

/// True if row i of each state and of each output's element follows from row i
/// of states and elements before it, rows being the indices of the first
/// dimension: the only one of them that is dynamic. Elements of inputs without
/// such a dimension are the same for all rows.
bool keepsRowsApart(ScanOp op);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SAMPLEUTILS_H
