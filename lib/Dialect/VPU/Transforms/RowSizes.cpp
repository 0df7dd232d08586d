//===- RowSizes.cpp - Sizes of rows, known or not -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tensors have one size if it is traced to one value: the lowering computes
// the sizes of results from those of operands (IE/Utils/TensorSizes.h), so that
// products of the same values in any order are all that has to be recognised.
//
//===----------------------------------------------------------------------===//

#include "RowSizes.h"

#include "nacre/Analysis/SizeOrigin.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Extent Extent::getSymbol(unsigned number) {
  Extent extent;
  extent.symbols.push_back(number);
  return extent;
}

Extent Extent::operator*(const Extent &other) const {
  Extent product = *this;
  product.constant *= other.constant;
  llvm::append_range(product.symbols, other.symbols);
  llvm::sort(product.symbols);
  return product;
}

std::optional<Extent> Extent::dividedBy(const Extent &divisor) const {
  if (divisor.constant == 0 || constant % divisor.constant != 0) {
    return std::nullopt;
  }
  Extent quotient = *this;
  quotient.constant /= divisor.constant;
  for (unsigned symbol : divisor.symbols) {
    auto *found = llvm::find(quotient.symbols, symbol);
    if (found == quotient.symbols.end()) {
      return std::nullopt;
    }
    quotient.symbols.erase(found);
  }
  return quotient;
}

Extent Extent::replace(unsigned symbol, const Extent &value) const {
  Extent result(constant);
  for (unsigned factor : symbols) {
    result = result * (factor == symbol ? value : getSymbol(factor));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

Extent SizeTable::getSymbol(Value value, int64_t dim) {
  sizes.insert({value, dim});
  const auto *found = llvm::find(sizes, Size(value, dim));
  return Extent::getSymbol(numTileSizes + std::distance(sizes.begin(), found));
}

Extent SizeTable::getFactors(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size)) {
    return *known;
  }
  auto value = cast<Value>(size);
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    return getFactors(product.getLhs()) * getFactors(product.getRhs());
  }
  if (auto query = value.getDefiningOp<tensor::DimOp>();
      query && query.getConstantIndex() &&
      isa<RankedTensorType>(query.getSource().getType())) {
    return getSize(query.getSource(), *query.getConstantIndex());
  }
  return getSymbol(value, kNumber);
}

Extent SizeTable::getSize(Value tensor, int64_t dim) {
  OpBuilder builder(tensor.getContext());
  SizeOrigin origin = getSizeOrigin(builder, tensor, dim);
  if (origin.number) {
    return getFactors(origin.number);
  }
  if (!origin.factors.empty()) {
    Extent size;
    for (auto [other, position] : origin.factors) {
      size = size * getSize(other, position);
    }
    return size;
  }
  if (Value source = getShapeSource(tensor)) {
    return getSize(source, dim);
  }
  return getSymbol(tensor, dim);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The most that a number can be; nothing where that does not show. Of a cache,
/// so many rows are used as there are at most.
static std::optional<int64_t> getBound(Value number) {
  if (std::optional<int64_t> known = getConstantIntValue(number)) {
    return known;
  }
  Operation *op = number.getDefiningOp();
  if (!isa_and_present<arith::MinSIOp, arith::MaxSIOp>(op)) {
    return std::nullopt;
  }
  std::optional<int64_t> a = getBound(op->getOperand(0));
  std::optional<int64_t> b = getBound(op->getOperand(1));
  if (isa<arith::MaxSIOp>(op)) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  return a && b ? std::min(*a, *b) : a ? a : b;
}

int64_t SizeTable::getMost(const Extent &extent) const {
  int64_t most = extent.getConstantFactor();
  for (unsigned symbol : extent.getSymbols()) {
    std::optional<int64_t> bound;
    if (symbol >= numTileSizes) {
      auto [value, dim] = sizes[symbol - numTileSizes];
      bound = dim == kNumber ? getBound(value) : std::nullopt;
    }
    most *= bound.value_or(kTypicalSize);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

AffineExpr SizeTable::getExpr(MLIRContext *context,
                              const Extent &extent) const {
  AffineExpr expr = getAffineConstantExpr(extent.getConstantFactor(), context);
  for (unsigned symbol : extent.getSymbols()) {
    expr = getAffineSymbolExpr(symbol, context) * expr;
  }
  return expr;
}

OpFoldResult SizeTable::buildSymbol(OpBuilder &builder, Location loc,
                                    unsigned symbol,
                                    ArrayRef<OpFoldResult> tileSizes) const {
  if (symbol < numTileSizes) {
    return tileSizes[symbol];
  }
  auto [value, dim] = sizes[symbol - numTileSizes];
  return dim == kNumber
             ? value
             : tensor::DimOp::create(builder, loc, value, dim).getResult();
}

OpFoldResult SizeTable::build(OpBuilder &builder, Location loc,
                              const Extent &extent,
                              ArrayRef<OpFoldResult> tileSizes) const {
  int64_t constant = extent.getConstantFactor();
  Value product;
  auto multiply = [&](Value factor) {
    product = product
                  ? Value(arith::MulIOp::create(builder, loc, product, factor))
                  : factor;
  };
  for (unsigned symbol : extent.getSymbols()) {
    OpFoldResult size = buildSymbol(builder, loc, symbol, tileSizes);
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      constant *= *known;
    } else {
      multiply(cast<Value>(size));
    }
  }
  if (!product || constant == 0) {
    return builder.getIndexAttr(constant);
  }
  if (constant != 1) {
    multiply(arith::ConstantIndexOp::create(builder, loc, constant));
  }
  return product;
}

void SizeTable::resolve(RewriterBase &rewriter, tensor::DimOp query) {
  std::optional<int64_t> dim = query.getConstantIndex();
  Value tensor = query.getSource();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!dim || !type || *dim < 0 || *dim >= type.getRank()) {
    return;
  }
  Extent size = getSize(tensor, *dim);
  if (size == getSymbol(tensor, *dim)) {
    return;
  }
  rewriter.setInsertionPoint(query);
  SmallVector<OpFoldResult> tileSizes(numTileSizes, rewriter.getIndexAttr(1));
  OpFoldResult value = build(rewriter, query.getLoc(), size, tileSizes);
  rewriter.replaceOp(
      query, getValueOrCreateConstantIndexOp(rewriter, query.getLoc(), value));
}
