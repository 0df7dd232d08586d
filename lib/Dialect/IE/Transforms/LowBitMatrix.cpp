//===- LowBitMatrix.cpp - Matrices of integers of few bits ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowBitMatrix.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Interpreter/Interpreter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;
using interpreter::Tensor;

/// What the transpositions of a matrix that end in `value` are of. `isOdd`
/// changes with each.
static Value peelTranspositions(Value value, bool &isOdd) {
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    isOdd ^= transpose.getPermutation().front() != 0;
    value = transpose.getData();
  }
  return value;
}

std::optional<LowBitMatrix> LowBitMatrix::get(DequantizeLinearOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  if (type.getRank() != 2 || !type.hasStaticShape()) {
    return std::nullopt;
  }
  LowBitMatrix matrix;
  Value value = peelTranspositions(op.getInput(), matrix.isTransposed);
  // Integers of fewer than 8 bits are dequantized as bytes.
  auto isPacked = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isInteger(2) || element.isInteger(4);
  };
  if (auto cast = value.getDefiningOp<CastOp>();
      cast && isPacked(cast.getInput())) {
    value = peelTranspositions(cast.getInput(), matrix.isTransposed);
  }
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  if (!element || (element.getWidth() != 8 && !isPacked(value))) {
    return std::nullopt;
  }
  FailureOr<Tensor> integers = interpreter::evaluateConstant(value);
  if (failed(integers)) {
    return std::nullopt;
  }
  matrix.integers = *integers;
  matrix.isSigned = !element.isUnsigned();
  matrix.bits = element.getWidth();
  return matrix;
}

LowBitMatrix LowBitMatrix::getTransposed() const {
  LowBitMatrix matrix = *this;
  matrix.isTransposed = !isTransposed;
  return matrix;
}

Tensor LowBitMatrix::pack(ArrayRef<int64_t> shape) const {
  Type byte = IntegerType::get(integers.getType().getContext(), 8,
                               IntegerType::Unsigned);
  Tensor packed(RankedTensorType::get(shape, byte));
  MutableArrayRef<uint8_t> to = packed.mutableValues<uint8_t>();
  ArrayRef<char> from = integers.getBytes();
  int64_t rows = getRows(), columns = getColumns(), perByte = getPerByte();
  int64_t rowBytes = packed.getNumElements() / rows;
  int64_t rowStep = isTransposed ? 1 : columns;
  int64_t columnStep = isTransposed ? rows : 1;
  int64_t mask = (int64_t(1) << bits) - 1, shift = getShift();
  // What rows and columns have in common is in the cache: one of both is read
  // or written in steps of a row.
  constexpr int64_t kTile = 64;
  auto packTile = [&](int64_t firstRow, int64_t firstColumn) {
    int64_t lastRow = std::min(firstRow + kTile, rows);
    int64_t lastColumn = std::min(firstColumn + kTile, columns);
    for (int64_t row = firstRow; row < lastRow; ++row) {
      for (int64_t i = firstColumn; i < lastColumn; ++i) {
        int64_t integer = from[row * rowStep + i * columnStep] + shift;
        to[row * rowBytes + i / perByte] |=
            static_cast<uint8_t>((integer & mask) << i % perByte * bits);
      }
    }
  };
  for (int64_t row = 0; row < rows; row += kTile) {
    for (int64_t column = 0; column < columns; column += kTile) {
      packTile(row, column);
    }
  }
  return packed;
}

Value IE::unpackIntegers(OpBuilder &builder, Location loc, Value packed,
                         int64_t bits) {
  constexpr int64_t kByteBits = 8;
  if (bits == kByteBits) {
    return packed;
  }
  auto type = cast<RankedTensorType>(packed.getType());
  Type byte = type.getElementType();
  int64_t rank = type.getRank(), perByte = kByteBits / bits;
  SmallVector<uint8_t> shifts;
  for (int64_t shift = 0; shift < kByteBits; shift += bits) {
    shifts.push_back(static_cast<uint8_t>(shift));
  }
  Value places = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({perByte}, byte),
                             ArrayRef<uint8_t>(shifts)));
  Value mask = buildScalar(builder, loc, byte,
                           static_cast<double>((int64_t(1) << bits) - 1));
  Value split =
      UnsqueezeOp::create(builder, loc, packed, buildInts(builder, loc, rank));
  split = BitShiftOp::create(builder, loc, split, places, "RIGHT");
  split = BitwiseAndOp::create(builder, loc, split, mask);
  // Zeroes stand for the sizes of the operand.
  SmallVector<int64_t> shape(type.getShape()), sizes(rank, 0);
  shape.back() *= perByte;
  sizes.back() = shape.back();
  return ReshapeOp::create(builder, loc, TypeRange(type.clone(shape)), split,
                           buildInts(builder, loc, sizes))
      ->getResult(0);
}
