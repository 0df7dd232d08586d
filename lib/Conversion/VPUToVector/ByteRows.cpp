//===- ByteRows.cpp - Rows of a matrix of bytes, packed -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of interleaving: bytes of rows next to each other, then pairs of
// these, each within 16 bytes, which is one instruction on all machines. One
// that takes bytes across a whole vector needs two, or a table.
//
//===----------------------------------------------------------------------===//

#include "ByteRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace nacre;

ByteRows::ByteRows(KernelBuilder &kernel, VPU::NCEMatMulOp op)
    : kernel(&kernel), matrix(op.getRhs()),
      pack(op.getStepPack(VPU::ArchAttr::lookup(op))),
      steps(getShape(op.getLhs())[2] / pack), isUnsigned(op.getUnsignedRhs()) {}

VectorType ByteRows::getPacksType() const {
  return VectorType::get({getWidth()}, kernel->builder.getI8Type());
}

int64_t ByteRows::getPartBytes() const {
  return std::min<int64_t>(getWidth(), 16);
}

Value ByteRows::loadRow(Value batch, Value row, Value column,
                        Lanes valid) const {
  bool isShared = getShape(matrix)[0] == 1;
  Value bytes = kernel->load(
      matrix,
      {isShared ? kernel->index(0) : batch, kernel->index(0), row, column},
      valid);
  if (!isUnsigned) {
    return bytes;
  }
  // 128 less is the other sign bit.
  auto type = cast<VectorType>(bytes.getType());
  auto sign = DenseElementsAttr::get(type, std::numeric_limits<int8_t>::min());
  return arith::XOrIOp::create(
      kernel->builder, kernel->loc, bytes,
      arith::ConstantOp::create(kernel->builder, kernel->loc, sign));
}

SmallVector<Value> ByteRows::interleave(ArrayRef<Value> rows) const {
  if (rows.size() == 1) {
    return {rows.front()};
  }
  auto half = static_cast<int64_t>(rows.size() / 2);
  SmallVector<Value> first = interleave(rows.take_front(half)),
                     second = interleave(rows.drop_front(half));
  int64_t width = getWidth(), part = getPartBytes();
  SmallVector<Value> results;
  for (int64_t i = 0; i < half; ++i) {
    // Of each part its first half, then its second.
    for (int64_t begin : {int64_t(0), part / 2}) {
      SmallVector<int64_t> mask;
      for (int64_t byte = 0; byte < width; ++byte) {
        int64_t within = byte % part, pair = within / (2 * half);
        int64_t from = byte - within + begin + pair * half + within % half;
        mask.push_back(within / half % 2 == 0 ? from : from + width);
      }
      results.push_back(vector::ShuffleOp::create(kernel->builder, kernel->loc,
                                                  first[i], second[i], mask));
    }
  }
  return results;
}

SmallVector<Value> ByteRows::load(Value batch, Value step, Value column,
                                  Lanes valid) const {
  // The rows of the last pack that are not there are multiplied by zeros.
  int64_t rowsInAll = getShape(matrix)[2];
  SmallVector<Value> rows;
  for (int64_t i = 0; i < pack; ++i) {
    Value row = kernel->add(kernel->mul(step, pack), i);
    if ((steps - 1) * pack + i >= rowsInAll) {
      row = arith::MinUIOp::create(kernel->builder, kernel->loc, row,
                                   kernel->index(rowsInAll - 1));
    }
    rows.push_back(loadRow(batch, row, column, valid));
  }
  return interleave(rows);
}

SmallVector<Value> ByteRows::putInOrder(ArrayRef<Value> sums) const {
  int64_t lanes = kernel->machine.lanes, part = getPartBytes();
  int64_t run = part / pack;
  SmallVector<Value> results;
  for (int64_t v = 0; v < pack; ++v) {
    // Which of the sums has each lane's column, and where.
    SmallVector<int64_t> vectors, places;
    for (int64_t column = v * lanes; column < (v + 1) * lanes; ++column) {
      vectors.push_back(column % part / run);
      places.push_back(column / part * run + column % run);
    }
    auto in = llvm::seq<int64_t>(0, lanes);
    Value result = sums[vectors.front()];
    bool isInPlace =
        vectors.front() == vectors.back() && llvm::equal(places, in);
    // What one vector of sums has after the other.
    for (int64_t from = vectors.front(); from <= vectors.back() && !isInPlace;
         ++from) {
      SmallVector<int64_t> mask(lanes, vector::ShuffleOp::kPoisonIndex);
      for (int64_t lane : in) {
        if (vectors[lane] == from) {
          mask[lane] = lanes + places[lane];
        } else if (vectors[lane] < from) {
          mask[lane] = lane;
        }
      }
      result = vector::ShuffleOp::create(kernel->builder, kernel->loc, result,
                                         sums[from], mask);
    }
    results.push_back(result);
  }
  return results;
}
