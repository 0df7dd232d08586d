//===- QuantizeEmbeddings.h - Tables of rows in bytes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tables become bytes, and what these are, for the ie-quantize-embeddings
// pass and for reports.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEEMBEDDINGS_H
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEEMBEDDINGS_H

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/Transforms/KeepRules.h"

namespace nacre::IE {

/// An f32 constant from which Gathers pick rows.
struct EmbeddingTable {
  ConstantOp constant;
  llvm::SmallVector<GatherOp> readers;
  /// Why it stays f32; empty where it need not.
  std::string obstacle;

  int64_t getNumRows() const;
  /// The elements of a row.
  int64_t getRowSize() const;
};

/// Those of a function, in its order. `isGone` tells uses that will have been
/// replaced by others before; null where there are none.
std::vector<EmbeddingTable> findEmbeddingTables(
    mlir::func::FuncOp function, const KeepRules &rules,
    llvm::function_ref<bool(mlir::OpOperand &)> isGone = nullptr);

/// Rows of int8, each with a scale.
struct IntegerRows {
  std::vector<int16_t> integers;
  std::vector<float> scales;

  int64_t countBytes() const;
};
IntegerRows computeRows(llvm::ArrayRef<float> elements, int64_t numRows);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEEMBEDDINGS_H
