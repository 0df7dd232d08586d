//===- WideTrigonometry.cpp - Approximations of sine and cosine in f64 ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An angle is x * 2 / pi quarters of a turn. Those of 2 / pi's bits which give
// whole turns do not count, and after the others 160 or so tell the rest: which
// bits these are depends on the exponent of x. A table has them in four numbers
// for each 16 exponents. Without branches, so that LLVM vectorises loops.
//
//===----------------------------------------------------------------------===//

#include "WideTrigonometry.h"

#include "nacre/Runtime/FunctionNames.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace nacre;

/// The bits of 2 / pi after the point.
static constexpr llvm::StringLiteral kTwoOverPi =
    "A2F9836E4E441529FC2757D1F534DDC0DB6295993C439041FE5163ABDEBBC561"
    "B7246E3A424DD2E006492EEA09D1921CFE1DEB1CB129A73EE88235F52EBB4484"
    "E99C7026B45F7E413991D639835339F49C845F8BBDF9283B1FF897FFDE05980F"
    "EF2F118B5A0A6D1F6D367ECF27CB09B74F463F669E5FEA2D7527BAC7EBE5F17B"
    "3D0739F78A5292EA6BFB5FB11F8D5D0856033046";

/// A row of the table is for that many exponents, the first one for those below
/// kFirstExponent as well.
static constexpr int kExponents = 16;
static constexpr int kFirstExponent = 38;
static constexpr int kRows = (1023 - kFirstExponent) / kExponents + 1;
/// The numbers of a row, and the bits of each.
static constexpr int kParts = 4;
static constexpr int kPartBits = 53;

/// In row i, the bits of 2 / pi * 2^(16 i) below 2^16: x is divided by 2^(16
/// i), after which it is a multiple of 2^-14, so that bits from 2^16 on are
/// whole turns.
static SmallVector<double> getTable() {
  constexpr unsigned kWidth = kExponents + 4 * kTwoOverPi.size();
  llvm::APInt bits(kWidth, kTwoOverPi, /*radix=*/16);
  SmallVector<double> table;
  for (int row = 0; row < kRows; ++row) {
    for (int part = 1; part <= kParts; ++part) {
      int end = part * kPartBits;
      uint64_t number = bits.extractBitsAsZExtValue(
          kPartBits, kWidth - (row * kExponents) - end);
      table.push_back(
          std::ldexp(static_cast<double>(number), kExponents - end));
    }
  }
  return table;
}

/// The table as a constant of the module, which all functions share.
static Value getTable(const MathEmitter &e) {
  OpBuilder &builder = e.getBuilder();
  constexpr llvm::StringLiteral kName = names::kTwoOverPi;
  auto type = MemRefType::get({kRows * kParts}, builder.getF64Type());
  auto *module = builder.getInsertionBlock()
                     ->getParentOp()
                     ->getParentWithTrait<OpTrait::SymbolTable>();
  if (!SymbolTable::lookupSymbolIn(module, kName)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
    SmallVector<double> numbers = getTable();
    memref::GlobalOp::create(
        builder, module->getLoc(), kName, builder.getStringAttr("private"),
        type, DenseElementsAttr::get(tensor, ArrayRef<double>(numbers)),
        /*constant=*/true, /*alignment=*/builder.getI64IntegerAttr(64));
  }
  return e.create<memref::GetGlobalOp>(type, kName);
}

/// The numbers of the table at `index`, an i64 or a vector of them.
static Value lookUp(const MathEmitter &e, Value table, Value index) {
  auto vector = dyn_cast<VectorType>(e.getType());
  if (!vector) {
    Value position =
        e.create<arith::IndexCastOp>(e.getBuilder().getIndexType(), index);
    return e.create<memref::LoadOp>(table, position);
  }
  Value zero = e.create<arith::ConstantIndexOp>(0);
  Value mask = e.create<arith::ConstantOp>(
      DenseElementsAttr::get(vector.clone(e.getBuilder().getI1Type()), true));
  return e.create<vector::GatherOp>(vector, table, ValueRange{zero}, index,
                                    mask, e.constant(0));
}

namespace {
/// A number and what it lacks of an exact one.
struct Pair {
  Value high, low;
};

/// An angle as the nearest multiple of a quarter turn, of which the lowest bits
/// count, and the rest in radians.
struct Angle {
  Value quarters; // i64
  Pair rest;
};
} // namespace

static Pair addExactly(const MathEmitter &e, Value a, Value b) {
  Value sum = e.add(a, b);
  Value ofB = e.sub(sum, a);
  return {sum, e.add(e.sub(a, e.sub(sum, ofB)), e.sub(b, ofB))};
}

static Pair multiplyExactly(const MathEmitter &e, Value a, Value b) {
  Value product = e.mul(a, b);
  return {product, e.fma(a, b, e.create<arith::NegFOp>(product))};
}

static Value dropTurns(const MathEmitter &e, Value quarters) {
  Value turns = e.create<math::RoundEvenOp>(e.mul(quarters, e.constant(0.25)));
  return e.fma(turns, e.constant(-4), quarters);
}

/// The products of x and the numbers of its row, in the order of their size.
static SmallVector<Value> multiplyByTable(const MathEmitter &e, Value x) {
  MathEmitter integers = e.as(e.getBuilder().getI64Type());
  Value bits = e.create<arith::BitcastOp>(integers.getType(), x);
  Value exponent =
      e.create<arith::ShRUIOp>(bits, integers.constant(kPartBits - 1));
  Value row = e.create<arith::ShRSIOp>(
      e.create<arith::SubIOp>(exponent,
                              integers.constant(1023 + kFirstExponent)),
      integers.constant(llvm::Log2_32(kExponents)));
  row = e.create<arith::MaxSIOp>(row, integers.constant(0));
  Value shift = integers.constant(kPartBits - 1 + llvm::Log2_32(kExponents));
  Value scaled = e.create<arith::BitcastOp>(
      e.getType(),
      e.create<arith::SubIOp>(bits, e.create<arith::ShLIOp>(row, shift)));
  Value table = getTable(e);
  Value first = e.create<arith::MulIOp>(row, integers.constant(kParts));
  SmallVector<Value> products;
  for (int part = 0; part < kParts; ++part) {
    Value index = e.create<arith::AddIOp>(first, integers.constant(part));
    Pair product = multiplyExactly(e, scaled, lookUp(e, table, index));
    products.append({product.high, product.low});
  }
  return products;
}

/// Of a number that is not negative.
static Angle reduce(const MathEmitter &e, Value x) {
  MathEmitter integers = e.as(e.getBuilder().getI64Type());
  SmallVector<Value> products = multiplyByTable(e, x);
  // Only the first three have whole quarters.
  Pair first =
      addExactly(e, dropTurns(e, products[0]), dropTurns(e, products[1]));
  Pair sum = addExactly(e, first.high, dropTurns(e, products[2]));
  Value rounder = e.constant(e.getRounder() - 1023);
  Value rounded = e.add(sum.high, rounder);
  Value rest = e.sub(sum.high, e.sub(rounded, rounder));
  // The rest can nearly vanish: then the smaller products are what is left.
  Pair a = addExactly(e, rest, e.add(first.low, sum.low));
  Pair b = addExactly(e, a.high, products[3]);
  Pair c = addExactly(e, b.high, products[4]);
  Value small = e.add(products[5], products[6]);
  // Of an infinity and a NaN this is NaN, else zero.
  small = e.add(small, e.sub(x, x));
  Value low = e.add(e.add(a.low, b.low), e.add(c.low, small));
  Value halfPi = e.constant(0x1.921fb54442d18p0);
  Pair radians = multiplyExactly(e, c.high, halfPi);
  Value ofLow =
      e.fma(low, halfPi, e.mul(c.high, e.constant(0x1.1a62633145c07p-54)));
  radians.low = e.add(radians.low, ofLow);
  // Within an eighth of a turn x is the rest, however small.
  Value isRest =
      e.compare(arith::CmpFPredicate::OLE, x, e.constant(0x1.921fb54442d18p-1));
  Value quarters = e.create<arith::BitcastOp>(integers.getType(), rounded);
  return {e.select(isRest, integers.constant(0), quarters),
          {e.select(isRest, x, radians.high),
           e.select(isRest, e.constant(0), radians.low)}};
}

/// The sine of a quarter with an even number or the cosine of an odd one, with
/// its sign.
static Value emitQuarter(const MathEmitter &e, const Angle &angle) {
  MathEmitter integers = e.as(e.getBuilder().getI64Type());
  Value x = angle.rest.high, low = angle.rest.low, square = e.mul(x, x);
  Value odd = e.fma(e.mul(square, x),
                    e.evaluate({0x1.5e0b05bff20f2p-33, -0x1.ae600aca92c64p-26,
                                0x1.71de379654304p-19, -0x1.a01a019e83816p-13,
                                0x1.1111111110bb2p-7, -0x1.5555555555555p-3},
                               square),
                    low);
  odd = e.add(x, odd);
  // 1 - x^2 / 2, and what rounding it has lost.
  Value half = e.mul(square, e.constant(0.5)), one = e.constant(1);
  Value start = e.sub(one, half);
  Value lost = e.sub(e.sub(one, start), half);
  Value even = e.fma(e.mul(square, square),
                     e.evaluate({-0x1.907d8f29fe831p-37, 0x1.1eeb68cd22f56p-29,
                                 -0x1.27e4fa17bf139p-22, 0x1.a01a019f4e9b4p-16,
                                 -0x1.6c16c16c16967p-10, 0x1.5555555555555p-5},
                                square),
                     e.fma(e.create<arith::NegFOp>(x), low, lost));
  even = e.add(start, even);
  Value lowest = e.create<arith::AndIOp>(angle.quarters, integers.constant(1));
  Value isOdd = e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, lowest,
                                        integers.constant(0));
  // The second bit of the quarter becomes the sign.
  Value second = e.create<arith::ShLIOp>(
      e.create<arith::AndIOp>(angle.quarters, integers.constant(2)),
      integers.constant(62));
  Value bits = e.create<arith::BitcastOp>(integers.getType(),
                                          e.select(isOdd, even, odd));
  return e.create<arith::BitcastOp>(e.getType(),
                                    e.create<arith::XOrIOp>(bits, second));
}

Value nacre::emitWideSin(MathEmitter &e, Value x) {
  // The sign of x is that of the result, of zeros, too.
  Value size = e.abs(x);
  Value sine = emitQuarter(e, reduce(e, size));
  Value sign = e.create<math::CopySignOp>(e.constant(1), x);
  return e.mul(sine, sign);
}

Value nacre::emitWideCos(MathEmitter &e, Value x) {
  // The sine of a quarter more.
  MathEmitter integers = e.as(e.getBuilder().getI64Type());
  Angle angle = reduce(e, e.abs(x));
  angle.quarters =
      e.create<arith::AddIOp>(angle.quarters, integers.constant(1));
  return emitQuarter(e, angle);
}
