//===- LayerNormalizationUtils.h - The formula of an op ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a LayerNormalization is made of, for passes below which there is none
// and for the importer's derivatives.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_LAYERNORMALIZATIONUTILS_H
#define NACRE_DIALECT_IE_UTILS_LAYERNORMALIZATIONUTILS_H

#include "nacre/Dialect/IE/IR/Normalization.h"

namespace nacre::IE {

/// Builds reductions and arithmetic that give the results of `op`, of its types
/// and names. Statistics that nobody reads are null unless `all` are asked for.
llvm::SmallVector<mlir::Value>
writeOutLayerNormalization(mlir::OpBuilder &builder, LayerNormalizationOp op,
                           bool all = false);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_LAYERNORMALIZATIONUTILS_H
