//===- ProductUtils.h - What products read ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_PRODUCTUTILS_H
#define NACRE_DIALECT_IE_UTILS_PRODUCTUTILS_H

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/MatMul.h"

namespace nacre::IE {

/// What makes the columns of the right matrix of rows, which who packs the
/// matrix does along with it; null where nothing does.
TransposeOp getColumnTranspose(MatMulOp op);

/// True where all left matrices of one right matrix are next to each other, so
/// that they are rows of one: for batches of known sizes of which the right one
/// has ones alone where it differs, innermost or in front.
bool readsMatricesInOrder(llvm::ArrayRef<int64_t> lhsBatch,
                          llvm::ArrayRef<int64_t> rhsBatch);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_PRODUCTUTILS_H
