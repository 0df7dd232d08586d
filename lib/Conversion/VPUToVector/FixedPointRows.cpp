//===- FixedPointRows.cpp - Rows as integers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row's part of the scratch memory has one block after the other: the lowest
// digits of its elements, then the next ones, and at last what is kept of it.
// So a row is read from one end to the other, which caches expect, instead of
// in as many places as there are digits. Words of digits and of sums lie there
// as f32 of the same bits.
//
//===----------------------------------------------------------------------===//

#include "FixedPointRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cstdlib>
#include <limits>

using namespace mlir;
using namespace nacre;

// The digits in a word.
static constexpr int64_t kWordDigits = 4;
// What is kept of a block, in this order.
static constexpr int64_t kScale = 0, kSums = 1;

Value FixedPointRows::splat(double value, Type element) {
  int64_t perWord = op.getPerWord();
  return kernel.splat(value, Lanes{perWord, perWord}, element);
}

Value FixedPointRows::constant(double value) {
  return arith::ConstantOp::create(
      kernel.builder, kernel.loc,
      kernel.builder.getF32FloatAttr(static_cast<float>(value)));
}

Value FixedPointRows::locateBlock(Value row, Value block) {
  int64_t elements = op.getRowElements() / op.getWeightsShape()[1];
  return kernel.add(kernel.mul(row, op.getRowElements()),
                    kernel.mul(block, elements));
}

Value FixedPointRows::locateDigits(int64_t digit, Value row, Value block,
                                   Value word, int64_t group) {
  Value start = kernel.add(locateBlock(row, block),
                           digit * op.getBlockSize() / kWordDigits);
  Value groups = kernel.mul(word, op.getPerWord() / kWordDigits);
  return kernel.add(kernel.add(start, groups), group);
}

Value FixedPointRows::locateParameter(Value row, Value block, int64_t number) {
  return kernel.add(locateBlock(row, block),
                    digits * op.getBlockSize() / kWordDigits + number);
}

Value FixedPointRows::broadcast(Value position, Type element) {
  OpBuilder &b = kernel.builder;
  Type f32 = b.getF32Type();
  int64_t lanes = kernel.machine.lanes;
  Value scalar =
      memref::LoadOp::create(b, kernel.loc, op.getScratch(), position);
  Value vector = vector::BroadcastOp::create(
      b, kernel.loc, VectorType::get({lanes}, f32), scalar);
  if (element == f32) {
    return vector;
  }
  lanes *= f32.getIntOrFloatBitWidth() / element.getIntOrFloatBitWidth();
  return vector::BitCastOp::create(b, kernel.loc,
                                   VectorType::get({lanes}, element), vector);
}

Value FixedPointRows::loadDigits(int64_t digit, Value row, Value block,
                                 Value word, int64_t group) {
  return broadcast(locateDigits(digit, row, block, word, group),
                   kernel.builder.getI8Type());
}

Value FixedPointRows::loadStart(int64_t digit, Value row, Value block,
                                Value zeroPoint) {
  Value sum = broadcast(locateParameter(row, block, kSums + digit),
                        kernel.builder.getI32Type());
  return zeroPoint
             ? arith::MulIOp::create(kernel.builder, kernel.loc, sum, zeroPoint)
             : sum;
}

Value FixedPointRows::loadScale(Value row, Value block) {
  return broadcast(locateParameter(row, block, kScale),
                   kernel.builder.getF32Type());
}

void FixedPointRows::fill(Value batch, Value first, OpFoldResult count) {
  this->first = first;
  kernel.loop(count, [&](Value row) {
    kernel.rolledLoop(op.getWeightsShape()[1],
                      [&](Value block) { fillBlock(batch, row, block); });
  });
}

SmallVector<Value> FixedPointRows::reduceWords(
    Value batch, Value row, Value block, ValueRange values,
    llvm::function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) {
  OpBuilder &b = kernel.builder;
  int64_t perWord = op.getPerWord();
  return kernel.reduce(
      op.getWeightsShape()[2], values, [&](Value word, ValueRange carried) {
        Value depth = kernel.add(kernel.mul(block, op.getBlockSize()),
                                 kernel.mul(word, perWord));
        Value elements = vector::LoadOp::create(
            b, kernel.loc,
            VectorType::get({perWord}, getElementType(op.getLhs())),
            op.getLhs(), ValueRange{batch, kernel.add(first, row), depth});
        return body(kernel.convert(elements, b.getF32Type()), word, carried);
      });
}

int64_t FixedPointRows::getLargestNumber() {
  int64_t result = 0;
  for (int64_t digit = 0; digit < digits; ++digit) {
    result = result * kBase + kBase / 2 - 1;
  }
  // Scale, inverse and product are rounded, by 2^-24 each.
  constexpr int64_t kRoundedBits = 21;
  return result - (result >> kRoundedBits);
}

Value FixedPointRows::storeScale(Value batch, Value row, Value block) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  // NaN is larger than anything else here, and makes all that it scales NaN.
  SmallVector<Value> largest = reduceWords(
      batch, row, block, splat(0, b.getF32Type()),
      [&](Value x, Value, ValueRange most) -> SmallVector<Value> {
        Value magnitude = math::AbsFOp::create(b, loc, x);
        return {arith::MaximumFOp::create(b, loc, magnitude, most[0])};
      });
  Value most = vector::ReductionOp::create(
      b, loc, vector::CombiningKind::MAXIMUMF, largest[0]);
  int64_t largestNumber = getLargestNumber();
  Value scale = arith::MulFOp::create(
      b, loc, most, constant(1.0 / static_cast<double>(largestNumber)));
  // Of a block of zeroes, or of numbers too small to divide by, any will do.
  Value least = constant(std::numeric_limits<float>::min());
  scale = arith::MaximumFOp::create(b, loc, scale, least);
  memref::StoreOp::create(b, loc, scale, op.getScratch(),
                          locateParameter(row, block, kScale));
  // With the inverse of the largest finite scale, infinities are the largest
  // numbers, and all others are zero.
  constexpr double kMost = std::numeric_limits<float>::max();
  Value finite = arith::MinNumFOp::create(
      b, loc, scale, constant(kMost / static_cast<double>(largestNumber)));
  Value inverse = arith::DivFOp::create(b, loc, constant(1), finite);
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({op.getPerWord()}, b.getF32Type()), inverse);
}

void FixedPointRows::storeDigits(int64_t digit, Value row, Value block,
                                 Value word, Value values) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  int64_t perWord = op.getPerWord(), groups = perWord / kWordDigits;
  auto type = VectorType::get({perWord}, b.getI8Type());
  Value bytes = arith::TruncIOp::create(b, loc, type, values);
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < perWord; ++i) {
    auto [group, element] = std::div(i, kWordDigits);
    order.push_back(group + element * groups);
  }
  bytes = vector::ShuffleOp::create(b, loc, bytes, bytes, order);
  Value words = vector::BitCastOp::create(
      b, loc, VectorType::get({groups}, b.getF32Type()), bytes);
  vector::StoreOp::create(b, loc, words, op.getScratch(),
                          locateDigits(digit, row, block, word, /*group=*/0));
}

void FixedPointRows::fillBlock(Value batch, Value row, Value block) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value inverse = storeScale(batch, row, block);
  double largest = std::numeric_limits<float>::max();
  Value most = splat(largest, f32), least = splat(-largest, f32);
  constexpr int64_t kDigitBits = 8;
  Value shift = splat(kDigitBits, i32), half = splat(kBase / 2, i32);
  SmallVector<Value> sums = reduceWords(
      batch, row, block, SmallVector<Value>(digits, splat(0, i32)),
      [&](Value x, Value word, ValueRange carried) {
        Value limited = arith::MaxNumFOp::create(
            b, loc, arith::MinNumFOp::create(b, loc, x, most), least);
        Value scaled = arith::MulFOp::create(b, loc, limited, inverse);
        Value rounded = math::RoundEvenOp::create(b, loc, scaled);
        auto type = cast<VectorType>(x.getType()).clone(i32);
        Value rest = arith::FPToSIOp::create(b, loc, type, rounded);
        SmallVector<Value> next;
        for (int64_t digit = 0; digit < digits; ++digit) {
          storeDigits(digit, row, block, word, rest);
          Value value = rest;
          if (digit + 1 < digits) {
            // A digit is between -128 and 127.
            rest = arith::AddIOp::create(b, loc, rest, half);
            rest = arith::ShRSIOp::create(b, loc, rest, shift);
            Value higher = arith::ShLIOp::create(b, loc, rest, shift);
            value = arith::SubIOp::create(b, loc, value, higher);
          }
          next.push_back(arith::AddIOp::create(b, loc, carried[digit], value));
        }
        return next;
      });
  // Times the zero point, where it is the same for all columns.
  int64_t zeroPoint = op.getZeroPoint() ? 1 : int64_t(1) << (op.getBits() - 1);
  Value factor = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(-zeroPoint)));
  for (int64_t digit = 0; digit < digits; ++digit) {
    Value sum = vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD,
                                            sums[digit]);
    sum = arith::MulIOp::create(b, loc, sum, factor);
    memref::StoreOp::create(
        b, loc, arith::BitcastOp::create(b, loc, f32, sum).getResult(),
        op.getScratch(), locateParameter(row, block, kSums + digit));
  }
}
