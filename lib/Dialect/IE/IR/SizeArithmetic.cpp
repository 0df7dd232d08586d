//===- SizeArithmetic.cpp - Arithmetic on sizes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements folding arithmetic on index attributes and values.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;

static Value materialize(OpBuilder &builder, Location loc, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

/// a * b, which may have been computed in the block before.
static Value multiply(OpBuilder &builder, Location loc, Value a,
                      OpFoldResult b) {
  Block *block = builder.getInsertionBlock();
  Block::iterator point = builder.getInsertionPoint();
  for (Operation *user : a.getUsers()) {
    if (isa<arith::MulIOp>(user) && user->getBlock() == block &&
        user->getOperand(0) == a &&
        isEqualConstantIntOrValue(user->getOperand(1), b) &&
        (point == block->end() || user->isBeforeInBlock(&*point))) {
      return user->getResult(0);
    }
  }
  return arith::MulIOp::create(builder, loc, a, materialize(builder, loc, b));
}

namespace {
/// A product as its factors.
struct Product {
  int64_t constant = 1;
  SmallVector<Value> values;

  explicit Product(ArrayRef<OpFoldResult> factors) {
    for (OpFoldResult factor : factors) {
      add(factor);
    }
  }

  void add(OpFoldResult size) {
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      constant *= *known;
      return;
    }
    auto value = cast<Value>(size);
    if (auto product = value.getDefiningOp<arith::MulIOp>()) {
      add(getAsOpFoldResult(product.getLhs()));
      add(getAsOpFoldResult(product.getRhs()));
      return;
    }
    values.push_back(value);
  }

  /// Removes the values that both have.
  void cancel(Product &other) {
    llvm::erase_if(other.values, [&](Value factor) {
      auto *it = llvm::find(values, factor);
      if (it == values.end()) {
        return false;
      }
      values.erase(it);
      return true;
    });
  }

  OpFoldResult build(OpBuilder &builder, Location loc) const {
    if (values.empty() || constant == 0) {
      return builder.getIndexAttr(constant);
    }
    Value result;
    for (Value value : values) {
      result = result ? multiply(builder, loc, result, value) : value;
    }
    if (constant != 1) {
      result = multiply(builder, loc, result, builder.getIndexAttr(constant));
    }
    return result;
  }
};
} // namespace

OpFoldResult IE::multiplySizes(OpBuilder &builder, Location loc,
                               ArrayRef<OpFoldResult> factors) {
  return Product(factors).build(builder, loc);
}

int64_t IE::getConstantFactor(OpFoldResult size) {
  return Product(size).constant;
}

std::pair<OpFoldResult, OpFoldResult>
IE::cancelSizes(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> a,
                ArrayRef<OpFoldResult> b) {
  Product left(a), right(b);
  left.cancel(right);
  return {left.build(builder, loc), right.build(builder, loc)};
}

bool IE::haveSameProduct(ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
  Product left(a), right(b);
  left.cancel(right);
  return left.constant == right.constant && left.values.empty() &&
         right.values.empty();
}

OpFoldResult IE::divideSizes(OpBuilder &builder, Location loc,
                             ArrayRef<OpFoldResult> numerator,
                             ArrayRef<OpFoldResult> denominator) {
  Product above(numerator), below(denominator);
  above.cancel(below);
  if (below.constant != 0 && above.constant % below.constant == 0) {
    above.constant /= below.constant;
    below.constant = 1;
  }
  OpFoldResult dividend = above.build(builder, loc);
  OpFoldResult divisor = below.build(builder, loc);
  std::optional<int64_t> a = getConstantIntValue(dividend);
  std::optional<int64_t> b = getConstantIntValue(divisor);
  if (b == 1) {
    return dividend;
  }
  if (a && b && *b != 0) {
    return builder.getIndexAttr(*a / *b);
  }
  // A size of zero leaves any other size open.
  Value floor = arith::MaxUIOp::create(
      builder, loc, materialize(builder, loc, divisor),
      arith::ConstantIndexOp::create(builder, loc, 1).getResult());
  return arith::DivUIOp::create(builder, loc,
                                materialize(builder, loc, dividend), floor)
      .getResult();
}

/// OpT of two numbers, or what `fold` makes of two constants.
template <typename OpT>
static OpFoldResult
combine(OpBuilder &builder, Location loc, OpFoldResult a, OpFoldResult b,
        llvm::function_ref<int64_t(int64_t, int64_t)> fold) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y) {
    return builder.getIndexAttr(fold(*x, *y));
  }
  return OpT::create(builder, loc, materialize(builder, loc, a),
                     materialize(builder, loc, b))
      .getResult();
}

OpFoldResult IE::divideSizeDown(OpBuilder &builder, Location loc,
                                OpFoldResult a, OpFoldResult b) {
  if (getConstantIntValue(b) == 1) {
    return a;
  }
  return combine<arith::DivUIOp>(builder, loc, a, b,
                                 [](int64_t x, int64_t y) { return x / y; });
}

OpFoldResult IE::divideSizeUp(OpBuilder &builder, Location loc, OpFoldResult a,
                              OpFoldResult b) {
  if (getConstantIntValue(b) == 1) {
    return a;
  }
  OpFoldResult one = builder.getIndexAttr(1);
  OpFoldResult lessOne = subtractSizes(builder, loc, b, one);
  return divideSizeDown(builder, loc, addSizes(builder, loc, a, lessOne), b);
}

OpFoldResult IE::addSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                          OpFoldResult b) {
  if (getConstantIntValue(a) == 0) {
    return b;
  }
  if (getConstantIntValue(b) == 0) {
    return a;
  }
  return combine<arith::AddIOp>(builder, loc, a, b,
                                [](int64_t x, int64_t y) { return x + y; });
}

OpFoldResult IE::subtractSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                               OpFoldResult b) {
  if (getConstantIntValue(b) == 0) {
    return a;
  }
  return combine<arith::SubIOp>(builder, loc, a, b,
                                [](int64_t x, int64_t y) { return x - y; });
}

bool IE::isNonNegative(OpFoldResult number) {
  if (std::optional<int64_t> known = getConstantIntValue(number)) {
    return *known >= 0;
  }
  auto value = cast<Value>(number);
  // Where it is computed, a tensor of this size is made.
  if (llvm::any_of(value.getUsers(), [&](Operation *user) {
        return isa<tensor::EmptyOp>(user) &&
               user->getBlock() == value.getParentBlock();
      })) {
    return true;
  }
  Operation *op = value.getDefiningOp();
  auto isOperandNonNegative = [](Value operand) {
    return isNonNegative(operand);
  };
  if (isa_and_nonnull<arith::MaxSIOp>(op)) {
    return llvm::any_of(op->getOperands(), isOperandNonNegative);
  }
  if (isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::MinSIOp>(op)) {
    return llvm::all_of(op->getOperands(), isOperandNonNegative);
  }
  return isa_and_nonnull<tensor::DimOp>(op);
}

/// True if `a` is the smaller one of `b` and a number from two on.
static bool isCutOff(OpFoldResult a, OpFoldResult b) {
  auto value = dyn_cast<Value>(a);
  auto least = value ? value.getDefiningOp<arith::MinSIOp>() : arith::MinSIOp();
  return least && OpFoldResult(least.getLhs()) == b &&
         getConstantIntValue(least.getRhs()).value_or(0) >= 2;
}

bool IE::areSameIfBroadcast(OpFoldResult a, OpFoldResult b) {
  return haveSameProduct(a, b) || isCutOff(a, b) || isCutOff(b, a);
}

OpFoldResult IE::minimizeSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                               OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b)) {
    return a;
  }
  if ((getConstantIntValue(a) == 0 && isNonNegative(b)) ||
      (getConstantIntValue(b) == 0 && isNonNegative(a))) {
    return builder.getIndexAttr(0);
  }
  return combine<arith::MinSIOp>(
      builder, loc, a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
}

OpFoldResult IE::maximizeSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                               OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b)) {
    return a;
  }
  if (getConstantIntValue(b) == 0 && isNonNegative(a)) {
    return a;
  }
  if (getConstantIntValue(a) == 0 && isNonNegative(b)) {
    return b;
  }
  return combine<arith::MaxSIOp>(
      builder, loc, a, b, [](int64_t x, int64_t y) { return std::max(x, y); });
}

/// `yes` where the comparison holds, which of two constants `fold` says.
static OpFoldResult select(OpBuilder &builder, Location loc,
                           arith::CmpIPredicate predicate, OpFoldResult a,
                           OpFoldResult b, OpFoldResult yes, OpFoldResult no,
                           llvm::function_ref<bool(int64_t, int64_t)> fold) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y) {
    return fold(*x, *y) ? yes : no;
  }
  if (isEqualConstantIntOrValue(yes, no)) {
    return yes;
  }
  Value holds = arith::CmpIOp::create(builder, loc, predicate,
                                      materialize(builder, loc, a),
                                      materialize(builder, loc, b));
  return arith::SelectOp::create(builder, loc, holds,
                                 materialize(builder, loc, yes),
                                 materialize(builder, loc, no))
      .getResult();
}

OpFoldResult IE::selectIfEqual(OpBuilder &builder, Location loc, OpFoldResult a,
                               OpFoldResult b, OpFoldResult yes,
                               OpFoldResult no) {
  if (isEqualConstantIntOrValue(a, b)) {
    return yes;
  }
  return select(builder, loc, arith::CmpIPredicate::eq, a, b, yes, no,
                [](int64_t x, int64_t y) { return x == y; });
}

OpFoldResult IE::selectIfLess(OpBuilder &builder, Location loc, OpFoldResult a,
                              OpFoldResult b, OpFoldResult yes,
                              OpFoldResult no) {
  if (getConstantIntValue(b) == 0 && isNonNegative(a)) {
    return no;
  }
  return select(builder, loc, arith::CmpIPredicate::slt, a, b, yes, no,
                [](int64_t x, int64_t y) { return x < y; });
}

SmallVector<int64_t> IE::getShape(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes) {
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  return shape;
}

IE::Sizes IE::refineSizes(Builder &builder, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes) {
  Sizes result(sizes);
  for (auto [size, dim] : llvm::zip_equal(result, type.getShape())) {
    if (!ShapedType::isDynamic(dim)) {
      size = builder.getIndexAttr(dim);
    }
  }
  return result;
}
