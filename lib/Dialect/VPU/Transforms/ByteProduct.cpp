//===- ByteProduct.cpp - Sums of products of bytes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which of the factors is the same for all columns, and which numbers
// they may be.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/ByteProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {
/// The numbers that a value may be.
struct Interval {
  int64_t low, high;
};
} // namespace

bool ByteProduct::isOfBody(Value value) const {
  linalg::GenericOp generic = op;
  return value.getParentBlock() == generic.getBody();
}

bool ByteProduct::isArgument(Value value) const {
  return isa<BlockArgument>(value) && isOfBody(value);
}

AffineMap ByteProduct::getMap(Value argument) const {
  linalg::GenericOp generic = op;
  unsigned number = cast<BlockArgument>(argument).getArgNumber();
  return generic.getMatchingIndexingMap(&generic->getOpOperand(number));
}

bool ByteProduct::dependsOn(Value value, unsigned loop) const {
  if (!isOfBody(value)) {
    return false;
  }
  if (isArgument(value)) {
    return getMap(value).isFunctionOfDim(loop);
  }
  return llvm::any_of(value.getDefiningOp()->getOperands(),
                      [&](Value operand) { return dependsOn(operand, loop); });
}

/// Which numbers a value of 32 bits may be; nothing for what is not computed
/// from bytes and constants by additions and subtractions.
static std::optional<Interval> getInterval(const ByteProduct &product,
                                           Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    return Interval{constant.getSExtValue(), constant.getSExtValue()};
  }
  Operation *def = value.getDefiningOp();
  if (!def || !product.isOfBody(value)) {
    return std::nullopt;
  }
  bool isSigned = isa<arith::ExtSIOp>(def);
  if (isSigned || isa<arith::ExtUIOp>(def)) {
    bool isByte = def->getOperand(0).getType().isInteger(8);
    bool isLeaf = product.isArgument(def->getOperand(0)) ||
                  !product.isOfBody(def->getOperand(0));
    if (!isByte || !isLeaf) {
      return std::nullopt;
    }
    return isSigned ? Interval{std::numeric_limits<int8_t>::min(),
                               std::numeric_limits<int8_t>::max()}
                    : Interval{0, std::numeric_limits<uint8_t>::max()};
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(def)) {
    return std::nullopt;
  }
  std::optional<Interval> a = getInterval(product, def->getOperand(0));
  std::optional<Interval> b = getInterval(product, def->getOperand(1));
  if (!a || !b) {
    return std::nullopt;
  }
  return isa<arith::AddIOp>(def) ? Interval{a->low + b->low, a->high + b->high}
                                 : Interval{a->low - b->high, a->high - b->low};
}

static bool fitsWord(std::optional<Interval> interval) {
  // A sum of two products fits 32 bits, too.
  constexpr int64_t kMost = std::numeric_limits<int16_t>::max();
  return interval && interval->low >= -kMost && interval->high <= kMost;
}

/// True where one factor is an unsigned byte and the other a signed one.
static bool areMixedBytes(Value a, Value b) {
  return (a.getDefiningOp<arith::ExtUIOp>() &&
          b.getDefiningOp<arith::ExtSIOp>()) ||
         (a.getDefiningOp<arith::ExtSIOp>() &&
          b.getDefiningOp<arith::ExtUIOp>());
}

/// True where an operand is found by the indices of loops, and columns lie one
/// after the other where it has any.
static bool isPlain(linalg::GenericOp op, OpOperand &operand, unsigned column) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !llvm::all_of(map.getResults(), [](AffineExpr expr) {
        return isa<AffineDimExpr, AffineConstantExpr>(expr);
      })) {
    return false;
  }
  if (!map.isFunctionOfDim(column)) {
    return true;
  }
  return type.isLastDimUnitStride() &&
         map.getResults().back().isFunctionOfDim(column) &&
         llvm::count_if(map.getResults(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(column);
         }) == 1;
}

/// What is added to the total in `op`, as a product; null for other bodies.
static arith::MulIOp getAddedProduct(linalg::GenericOp op) {
  Value total = op.getBody()->getArguments().back();
  auto sum = op.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddIOp>();
  if (!sum || !total.hasOneUse() || !total.getType().isInteger(32) ||
      !llvm::is_contained(sum->getOperands(), total)) {
    return {};
  }
  Value other = sum.getLhs() == total ? sum.getRhs() : sum.getLhs();
  return other.getDefiningOp<arith::MulIOp>();
}

std::optional<ByteProduct> ByteProduct::get(linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  unsigned numLoops = op.getNumLoops();
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() + 1 != numLoops || reductions.size() != 1 ||
      reductions.front() + 1 == numLoops) {
    return std::nullopt;
  }
  unsigned column = numLoops - 1;
  arith::MulIOp product = getAddedProduct(op);
  bool arePlain = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isPlain(op, operand, column);
  });
  bool storesColumns = op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                           .isFunctionOfDim(column);
  if (!product || !arePlain || !storesColumns) {
    return std::nullopt;
  }
  ByteProduct result{op, reductions.front(), column, product.getLhs(),
                     product.getRhs()};
  if (result.dependsOn(result.scalar, column)) {
    std::swap(result.scalar, result.vector);
  }
  if (result.dependsOn(result.scalar, column) ||
      !result.dependsOn(result.vector, column) ||
      !fitsWord(getInterval(result, result.scalar)) ||
      !fitsWord(getInterval(result, result.vector))) {
    return std::nullopt;
  }
  return result;
}

int64_t ByteProduct::getMostPerLane(ArchAttr arch) const {
  linalg::GenericOp generic = op;
  int64_t pack = arch.getPack(IntegerType::get(generic.getContext(), 8));
  if (pack < ByteProductAttr::kWords) {
    return 1;
  }
  return pack == ByteProductAttr::kBytes && areMixedBytes(scalar, vector)
             ? ByteProductAttr::kBytes
             : ByteProductAttr::kWords;
}

SmallVector<unsigned> ByteProduct::getOuterLoops(bool areOfMatrix) const {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < columnLoop; ++loop) {
    if (loop != sumLoop && dependsOn(vector, loop) == areOfMatrix) {
      loops.push_back(loop);
    }
  }
  return loops;
}

SmallVector<unsigned> ByteProduct::getMatrixLoops() const {
  return getOuterLoops(/*areOfMatrix=*/true);
}

SmallVector<unsigned> ByteProduct::getRowLoops() const {
  return getOuterLoops(/*areOfMatrix=*/false);
}
