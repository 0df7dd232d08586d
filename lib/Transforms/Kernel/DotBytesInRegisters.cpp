//===- DotBytesInRegisters.cpp - Products of bytes by vectors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of a few rows and a matrix reads each element of the matrix once,
// and should take no longer than that. Rows of the matrix are interleaved in
// registers, so that each lane has two or four elements of a column side by
// side: an instruction multiplies these and adds them up. Sums of a row's
// columns go through the first cache once for several rows of the matrix.
//
// Bytes of whole registers are interleaved within each 16 of them, as x86 does
// it fastest. What a register has of a column is then elsewhere in it: while a
// product is computed, its sums lie in that order in memory.
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

#include "nacre/Dialect/VPU/IR/DotIntrinsic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nacre;
using VPU::ByteProduct;

static constexpr int64_t kBytes = VPU::ByteProductAttr::kBytes;
static constexpr int64_t kPartBytes = ByteProduct::kPartBytes;
static constexpr int64_t kParts = ByteProduct::kParts;

namespace {

class ProductEmitter {
public:
  ProductEmitter(OpBuilder &builder, ByteProduct product,
                 VPU::ByteProductAttr tile, VPU::ArchAttr arch)
      : b(builder), loc(product.op.getLoc()), product(product), op(product.op),
        tile(tile), perLane(tile.getPerLane()), lanes(arch.getLanes()),
        element(builder.getIntegerType(32 / perLane)),
        blockColumns(tile.getByParts() ? kParts * kPartBytes : 0) {}

  void emit();

private:
  using Body = llvm::function_ref<void(Value)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// The end of the whole steps from one index to another.
  Value getWhole(Value from, Value to, int64_t step);
  Value add(Value value, int64_t addend) {
    return addend == 0
               ? value
               : b.createOrFold<arith::AddIOp>(loc, value, index(addend));
  }
  void loop(Value from, Value to, int64_t step, Body body);
  /// Loops over all indices of `numbers`, innermost last.
  void nest(ArrayRef<unsigned> numbers, llvm::function_ref<void()> body);
  /// Calls `body` for so many columns at a time that their sums stay in the
  /// first cache: with the first, and the one after the last.
  void columnTiles(llvm::function_ref<void(Value, Value)> body);

  /// Some rows of the matrix, from the index of the sum's loop on: all of
  /// `rows` and the columns from one to another.
  void multiplyRows(ArrayRef<unsigned> rows, int64_t count, Value from,
                    Value to);
  /// Brings the sums of blocks of registers into their order, or out of it.
  void exchangeSums(ArrayRef<unsigned> rows, Value from, Value to);
  /// As many columns as a register has bytes, whose sums are in that order.
  void multiplyBlock(ValueRange words, int64_t count);
  /// The bytes of four rows of so many columns, as they are multiplied.
  SmallVector<Value> interleaveParts(ArrayRef<Value> rows);
  /// The same of two rows by `unit` elements at a time, of the first or second
  /// half of each part.
  Value unpack(Value a, Value b, int64_t unit, bool isSecond);
  /// A vector of columns, those that `mask` says where it is given.
  void multiplyColumns(ValueRange words, int64_t count, Value mask);
  /// The scalars of up to a lane's elements as a word of each lane, with zeroes
  /// after `count` of them.
  Value loadWord(Value at, int64_t count);
  /// The elements of as many rows of the matrix, interleaved; those after
  /// `count` are any.
  Value loadGroup(Value value, Value at, int64_t count, Value mask);
  /// A vector for each element of a lane: those of an operand of the body at
  /// successive rows.
  SmallVector<Value> loadRows(Value argument, Value at, int64_t count,
                              int64_t columns, Value mask);
  Value interleave(ArrayRef<Value> rows);
  Value multiplyAdd(Value word, Value group, Value sums);
  /// One number of the body, for the current indices.
  Value emitScalar(Value value);
  SmallVector<Value> getIndices(AffineMap map);
  Value loadVector(Value memref, ValueRange at, Type type, Value mask);
  VectorType vectorOf(int64_t count, Type type) {
    return VectorType::get({count}, type);
  }

  OpBuilder &b;
  Location loc;
  ByteProduct product;
  linalg::GenericOp op;
  VPU::ByteProductAttr tile;
  int64_t perLane, lanes;
  Type element; // of what an instruction multiplies
  /// The columns that are multiplied as whole registers at a time; 0 for none.
  int64_t blockColumns;
  SmallVector<Value> sizes;
  /// The current index of each loop.
  SmallVector<Value> indices;
};

} // namespace

void ProductEmitter::loop(Value from, Value to, int64_t step, Body body) {
  std::optional<int64_t> first = getConstantIntValue(from);
  std::optional<int64_t> last = getConstantIntValue(to);
  if (first && last && *last <= *first) {
    return;
  }
  if (first && last && *last - *first <= step) {
    return body(from);
  }
  auto loop = scf::ForOp::create(b, loc, from, to, index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void ProductEmitter::nest(ArrayRef<unsigned> numbers,
                          llvm::function_ref<void()> body) {
  if (numbers.empty()) {
    return body();
  }
  loop(index(0), sizes[numbers.front()], 1, [&](Value iv) {
    indices[numbers.front()] = iv;
    nest(numbers.drop_front(), body);
  });
}

void ProductEmitter::columnTiles(llvm::function_ref<void(Value, Value)> body) {
  int64_t columns = tile.getColumns();
  Value end = sizes[product.columnLoop];
  loop(index(0), end, columns, [&](Value from) {
    Value to = b.createOrFold<arith::MinUIOp>(loc, add(from, columns), end);
    body(from, to);
  });
}

void ProductEmitter::emit() {
  for (const Range &range :
       cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc)) {
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
  }
  indices.assign(sizes.size(), Value());
  SmallVector<unsigned> matrices = product.getMatrixLoops();
  SmallVector<unsigned> rows = product.getRowLoops();
  if (!tile.getRowsInside()) {
    matrices.append(rows);
    rows.clear();
  }
  Value depth = sizes[product.sumLoop];
  Value zero = index(0);
  Value rest =
      b.createOrFold<arith::RemUIOp>(loc, depth, index(tile.getRows()));
  Value whole = b.createOrFold<arith::SubIOp>(loc, depth, rest);
  nest(matrices, [&] {
    columnTiles([&](Value from, Value to) {
      exchangeSums(rows, from, to);
      loop(zero, whole, tile.getRows(), [&](Value k) {
        indices[product.sumLoop] = k;
        multiplyRows(rows, tile.getRows(), from, to);
      });
      std::optional<int64_t> left = getConstantIntValue(rest);
      indices[product.sumLoop] = whole;
      if (left && *left > 0) {
        multiplyRows(rows, *left, from, to);
      } else if (!left) {
        loop(whole, depth, 1, [&](Value k) {
          indices[product.sumLoop] = k;
          multiplyRows(rows, 1, from, to);
        });
      }
      exchangeSums(rows, from, to);
    });
  });
}

void ProductEmitter::exchangeSums(ArrayRef<unsigned> rows, Value from,
                                  Value to) {
  if (blockColumns == 0) {
    return;
  }
  VectorType type = vectorOf(lanes, b.getI32Type());
  OpOperand *init = op.getDpsInitOperand(0);
  // Part i of vector j is part j of vector i.
  auto shuffle = [&](Value x, Value y, ArrayRef<int64_t> parts) -> Value {
    int64_t size = lanes / kParts;
    SmallVector<int64_t> mask;
    for (int64_t part : parts) {
      llvm::append_range(mask, llvm::seq(part * size, (part + 1) * size));
    }
    return vector::ShuffleOp::create(b, loc, x, y, mask);
  };
  nest(rows, [&] {
    loop(from, getWhole(from, to, blockColumns), blockColumns, [&](Value base) {
      SmallVector<Value> sums;
      SmallVector<SmallVector<Value>> places;
      for (int64_t i = 0; i < kParts; ++i) {
        indices[product.columnLoop] = add(base, i * lanes);
        places.push_back(getIndices(op.getMatchingIndexingMap(init)));
        sums.push_back(
            vector::LoadOp::create(b, loc, type, init->get(), places.back()));
      }
      for (int64_t half : {0, 2}) {
        SmallVector<int64_t> parts = {half, half + kParts, half + 1,
                                      half + 1 + kParts};
        Value low = shuffle(sums[0], sums[1], parts);
        Value high = shuffle(sums[2], sums[3], parts);
        vector::StoreOp::create(b, loc, shuffle(low, high, {0, 1, 4, 5}),
                                init->get(), places[half]);
        vector::StoreOp::create(b, loc, shuffle(low, high, {2, 3, 6, 7}),
                                init->get(), places[half + 1]);
      }
    });
  });
}

Value ProductEmitter::getWhole(Value from, Value to, int64_t step) {
  Value length = b.createOrFold<arith::SubIOp>(loc, to, from);
  Value rest = b.createOrFold<arith::RemUIOp>(loc, length, index(step));
  return b.createOrFold<arith::SubIOp>(loc, to, rest);
}

void ProductEmitter::multiplyRows(ArrayRef<unsigned> rows, int64_t count,
                                  Value from, Value to) {
  Value start = indices[product.sumLoop];
  nest(rows, [&] {
    SmallVector<Value> words;
    for (int64_t i = 0; i < count; i += perLane) {
      words.push_back(loadWord(add(start, i), std::min(perLane, count - i)));
    }
    indices[product.sumLoop] = start;
    Value first = from;
    if (blockColumns > 0) {
      first = getWhole(from, to, blockColumns);
      loop(from, first, blockColumns, [&](Value column) {
        indices[product.columnLoop] = column;
        multiplyBlock(words, count);
      });
    }
    Value whole = getWhole(first, to, lanes);
    loop(first, whole, lanes, [&](Value column) {
      indices[product.columnLoop] = column;
      multiplyColumns(words, count, /*mask=*/{});
    });
    // Once, or not at all.
    loop(whole, to, lanes, [&](Value column) {
      indices[product.columnLoop] = column;
      Value rest = b.createOrFold<arith::SubIOp>(loc, to, whole);
      Value mask = vector::CreateMaskOp::create(
          b, loc, vectorOf(lanes, b.getI1Type()), rest);
      multiplyColumns(words, count, mask);
    });
  });
  indices[product.sumLoop] = start;
}

void ProductEmitter::multiplyBlock(ValueRange words, int64_t count) {
  Value first = indices[product.sumLoop];
  Value column = indices[product.columnLoop];
  Value bytes = product.vector.getDefiningOp()->getOperand(0);
  OpOperand *init = op.getDpsInitOperand(0);
  VectorType type = vectorOf(lanes, b.getI32Type());
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> sums;
  for (int64_t i = 0; i < kParts; ++i) {
    indices[product.columnLoop] = add(column, i * lanes);
    places.push_back(getIndices(op.getMatchingIndexingMap(init)));
    sums.push_back(
        vector::LoadOp::create(b, loc, type, init->get(), places.back()));
  }
  indices[product.columnLoop] = column;
  for (auto [i, word] : llvm::enumerate(words)) {
    int64_t start = static_cast<int64_t>(i) * kBytes;
    SmallVector<Value> rows =
        loadRows(bytes, add(first, start), std::min(kBytes, count - start),
                 blockColumns, /*mask=*/{});
    for (auto [sum, group] : llvm::zip_equal(sums, interleaveParts(rows))) {
      sum = multiplyAdd(word, group, sum);
    }
  }
  indices[product.sumLoop] = first;
  for (auto [sum, at] : llvm::zip_equal(sums, places)) {
    vector::StoreOp::create(b, loc, sum, init->get(), at);
  }
}

SmallVector<Value> ProductEmitter::interleaveParts(ArrayRef<Value> rows) {
  SmallVector<Value> result;
  for (bool isSecond : {false, true}) {
    Value low = unpack(rows[0], rows[1], /*unit=*/1, isSecond);
    Value high = unpack(rows[2], rows[3], /*unit=*/1, isSecond);
    result.push_back(unpack(low, high, /*unit=*/2, /*isSecond=*/false));
    result.push_back(unpack(low, high, /*unit=*/2, /*isSecond=*/true));
  }
  return result;
}

Value ProductEmitter::unpack(Value a, Value b, int64_t unit, bool isSecond) {
  SmallVector<int64_t> mask;
  int64_t half = kPartBytes / 2;
  for (int64_t part = 0; part < blockColumns; part += kPartBytes) {
    int64_t start = part + (isSecond ? half : 0);
    for (int64_t i = start; i < start + half; i += unit) {
      for (int64_t row : {0, 1}) {
        llvm::append_range(mask, llvm::seq(i + row * blockColumns,
                                           i + row * blockColumns + unit));
      }
    }
  }
  return vector::ShuffleOp::create(this->b, loc, a, b, mask);
}

void ProductEmitter::multiplyColumns(ValueRange words, int64_t count,
                                     Value mask) {
  Value first = indices[product.sumLoop];
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<Value> at = getIndices(op.getMatchingIndexingMap(init));
  VectorType type = vectorOf(lanes, b.getI32Type());
  Value sums = loadVector(init->get(), at, type, mask);
  for (auto [i, word] : llvm::enumerate(words)) {
    int64_t start = static_cast<int64_t>(i) * perLane;
    Value group = loadGroup(product.vector, add(first, start),
                            std::min(perLane, count - start), mask);
    sums = multiplyAdd(word, group, sums);
  }
  indices[product.sumLoop] = first;
  if (mask) {
    vector::MaskedStoreOp::create(b, loc, init->get(), at, mask, sums);
  } else {
    vector::StoreOp::create(b, loc, sums, init->get(), at);
  }
}

Value ProductEmitter::loadWord(Value at, int64_t count) {
  Type i32 = b.getI32Type();
  auto bits = static_cast<int32_t>(element.getIntOrFloatBitWidth());
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  Value word;
  for (int64_t i = 0; i < count; ++i) {
    indices[product.sumLoop] = add(at, i);
    Value number = emitScalar(product.scalar);
    number = arith::AndIOp::create(b, loc, number,
                                   constant((int32_t(1) << bits) - 1));
    if (i == 0) {
      word = number;
      continue;
    }
    number = arith::ShLIOp::create(b, loc, number,
                                   constant(static_cast<int32_t>(i) * bits));
    word = arith::OrIOp::create(b, loc, word, number);
  }
  Value all = vector::BroadcastOp::create(b, loc, vectorOf(lanes, i32), word);
  return vector::BitCastOp::create(b, loc, vectorOf(lanes * perLane, element),
                                   all);
}

Value ProductEmitter::interleave(ArrayRef<Value> rows) {
  if (rows.size() == 1) {
    return rows[0];
  }
  SmallVector<Value> even, odd;
  for (auto [i, row] : llvm::enumerate(rows)) {
    (i % 2 == 0 ? even : odd).push_back(row);
  }
  return vector::InterleaveOp::create(b, loc, interleave(even),
                                      interleave(odd));
}

SmallVector<Value> ProductEmitter::loadRows(Value argument, Value at,
                                            int64_t count, int64_t columns,
                                            Value mask) {
  Value memref = op->getOperand(cast<BlockArgument>(argument).getArgNumber());
  AffineMap map = product.getMap(argument);
  bool hasColumns = map.isFunctionOfDim(product.columnLoop);
  bool hasRows = map.isFunctionOfDim(product.sumLoop);
  VectorType type = vectorOf(columns, argument.getType());
  SmallVector<Value> rows;
  for (int64_t i = 0; i < perLane; ++i) {
    if (i >= count || (i > 0 && !hasRows)) {
      rows.push_back(rows.front());
      continue;
    }
    indices[product.sumLoop] = add(at, i);
    SmallVector<Value> from = getIndices(map);
    if (hasColumns) {
      rows.push_back(loadVector(memref, from, type, mask));
    } else {
      Value scalar = memref::LoadOp::create(b, loc, memref, from);
      rows.push_back(vector::BroadcastOp::create(b, loc, type, scalar));
    }
  }
  return rows;
}

Value ProductEmitter::loadGroup(Value value, Value at, int64_t count,
                                Value mask) {
  int64_t size = lanes * perLane;
  Operation *def = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    VectorType type = vectorOf(size, element);
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(
            type, b.getIntegerAttr(element, constant.getSExtValue())));
  }
  if (!product.isOfBody(value)) {
    return vector::BroadcastOp::create(b, loc, vectorOf(size, value.getType()),
                                       value);
  }
  if (product.isArgument(value)) {
    return interleave(loadRows(value, at, count, lanes, mask));
  }
  SmallVector<Value> operands;
  for (Value operand : def->getOperands()) {
    operands.push_back(loadGroup(operand, at, count, mask));
  }
  bool isExtension = isa<arith::ExtSIOp, arith::ExtUIOp>(def);
  if (isExtension && perLane == kBytes) {
    return operands.front(); // the instruction extends
  }
  OperationState state(loc, def->getName(), operands, vectorOf(size, element));
  return b.create(state)->getResult(0);
}

Value ProductEmitter::multiplyAdd(Value word, Value group, Value sums) {
  StringAttr name =
      b.getStringAttr(VPU::getDotIntrinsic(element, lanes, perLane));
  if (perLane == kBytes) {
    // The first factor is unsigned.
    if (!product.scalar.getDefiningOp<arith::ExtUIOp>()) {
      std::swap(word, group);
    }
    return LLVM::CallIntrinsicOp::create(b, loc, sums.getType(), name,
                                         ValueRange{sums, word, group})
        .getResult(0);
  }
  Value products = LLVM::CallIntrinsicOp::create(b, loc, sums.getType(), name,
                                                 ValueRange{word, group})
                       .getResult(0);
  return arith::AddIOp::create(b, loc, sums, products);
}

Value ProductEmitter::emitScalar(Value value) {
  if (!product.isOfBody(value)) {
    return value;
  }
  if (product.isArgument(value)) {
    unsigned number = cast<BlockArgument>(value).getArgNumber();
    return memref::LoadOp::create(b, loc, op->getOperand(number),
                                  getIndices(product.getMap(value)));
  }
  IRMapping mapping;
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands()) {
    mapping.map(operand, emitScalar(operand));
  }
  return b.clone(*def, mapping)->getResult(0);
}

SmallVector<Value> ProductEmitter::getIndices(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      return index(constant.getValue());
    }
    return indices[cast<AffineDimExpr>(expr).getPosition()];
  });
}

Value ProductEmitter::loadVector(Value memref, ValueRange at, Type type,
                                 Value mask) {
  if (!mask) {
    return vector::LoadOp::create(b, loc, cast<VectorType>(type), memref, at);
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, cast<VectorType>(type), memref,
                                      at, mask, zero);
}

void nacre::dotBytesInRegisters(RewriterBase &rewriter, ByteProduct product,
                                VPU::ByteProductAttr tile, VPU::ArchAttr arch) {
  rewriter.setInsertionPoint(product.op);
  ProductEmitter(rewriter, product, tile, arch).emit();
  rewriter.eraseOp(product.op);
}
