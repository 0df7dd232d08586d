//===- RowSizes.h - Sizes of rows, known or not -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that are compared without being known: products of constants and of
// symbols for dynamic sizes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWSIZES_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWSIZES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace nacre::VPU {

/// A size, or a number of elements: a constant times symbols of a SizeTable.
/// Two are equal only if they certainly are.
class Extent {
public:
  Extent(int64_t constant = 1) : constant(constant) {}
  static Extent getSymbol(unsigned number);

  bool operator==(const Extent &other) const {
    return constant == other.constant && symbols == other.symbols;
  }
  bool operator!=(const Extent &other) const { return !(*this == other); }
  Extent operator*(const Extent &other) const;

  /// The other factor where `divisor` is one; nothing where that is not known.
  std::optional<Extent> dividedBy(const Extent &divisor) const;
  /// This with `value` for a symbol.
  Extent replace(unsigned symbol, const Extent &value) const;

  bool isConstant() const { return symbols.empty(); }
  bool contains(unsigned symbol) const {
    return llvm::is_contained(symbols, symbol);
  }
  int64_t getConstantFactor() const { return constant; }
  llvm::ArrayRef<unsigned> getSymbols() const { return symbols; }

private:
  int64_t constant;
  llvm::SmallVector<unsigned, 2> symbols; // sorted
};

/// The symbols of a group of ops: first the sizes of a tile of the root's
/// loops, then sizes that come from outside, each once.
class SizeTable {
public:
  explicit SizeTable(unsigned numTileSizes) : numTileSizes(numTileSizes) {}

  /// The size of a tile of the root's loop `dim`.
  Extent getTileSize(unsigned dim) const { return Extent::getSymbol(dim); }
  /// The size of a dimension, traced to where it comes from.
  Extent getSize(mlir::Value tensor, int64_t dim);

  /// The same as an expression of all symbols.
  mlir::AffineExpr getExpr(mlir::MLIRContext *context,
                           const Extent &extent) const;
  unsigned getNumSymbols() const { return numTileSizes + sizes.size(); }

  /// The value of a symbol, given those of a tile's sizes.
  mlir::OpFoldResult
  buildSymbol(mlir::OpBuilder &builder, mlir::Location loc, unsigned symbol,
              llvm::ArrayRef<mlir::OpFoldResult> tileSizes) const;
  /// The value of an extent.
  mlir::OpFoldResult build(mlir::OpBuilder &builder, mlir::Location loc,
                           const Extent &extent,
                           llvm::ArrayRef<mlir::OpFoldResult> tileSizes) const;

  /// The most that an extent can be, as far as it shows; with kTypicalSize for
  /// a size that shows no bound.
  int64_t getMost(const Extent &extent) const;

  /// Replaces a question for the size of a tensor by what it is traced to.
  void resolve(mlir::RewriterBase &rewriter, mlir::tensor::DimOp query);

private:
  /// A number, or a dimension of a tensor.
  using Size = std::pair<mlir::Value, int64_t>;
  static constexpr int64_t kNumber = -1;

  Extent getFactors(mlir::OpFoldResult size);
  Extent getSymbol(mlir::Value value, int64_t dim);

  unsigned numTileSizes;
  llvm::SmallSetVector<Size, 4> sizes;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWSIZES_H
