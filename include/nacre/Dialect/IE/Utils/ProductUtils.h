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

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_PRODUCTUTILS_H
