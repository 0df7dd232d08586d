//===- KernelBuilder.cpp - Loops and lanes of NCE kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the building blocks of the kernels.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"
#include "nacre/Transforms/LLVM/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelBuilder::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

OpFoldResult KernelBuilder::getSize(Value memref, unsigned dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim)) {
    return builder.getIndexAttr(type.getDimSize(dim));
  }
  return memref::DimOp::create(builder, loc, memref, dim).getResult();
}

SmallVector<OpFoldResult> KernelBuilder::getSizes(Value memref) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned i = 0, e = nacre::getShape(memref).size(); i < e; ++i) {
    sizes.push_back(getSize(memref, i));
  }
  return sizes;
}

Value KernelBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value KernelBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}

Value KernelBuilder::mul(Value a, int64_t b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, index(b));
}

Value KernelBuilder::div(Value a, int64_t b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, index(b));
}

Value KernelBuilder::rem(Value a, int64_t b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, index(b));
}

void KernelBuilder::loop(int64_t extent, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  if (extent <= 0) {
    return;
  }
  if (extent <= step) {
    body(index(0));
    return;
  }
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(extent), index(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelBuilder::rolledLoop(int64_t extent,
                               llvm::function_ref<void(Value)> body) {
  if (extent == 0) {
    return;
  }
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(extent), index(1));
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelBuilder::loop(OpFoldResult extent,
                         llvm::function_ref<void(Value)> body) {
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    loop(*known, body);
    return;
  }
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(extent), index(1));
  // LLVM would unroll loops over rows once their columns are a memcpy.
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

static void buildNest(KernelBuilder &kernel, ArrayRef<OpFoldResult> extents,
                      SmallVectorImpl<Value> &indices,
                      llvm::function_ref<void(ValueRange)> body, bool rolled) {
  if (extents.empty()) {
    body(indices);
    return;
  }
  auto step = [&](Value iv) {
    indices.push_back(iv);
    buildNest(kernel, extents.drop_front(), indices, body, rolled);
    indices.pop_back();
  };
  std::optional<int64_t> known = getConstantIntValue(extents.front());
  if (rolled && known && *known > 1) {
    kernel.rolledLoop(*known, step);
  } else {
    kernel.loop(extents.front(), step);
  }
}

void KernelBuilder::nest(ArrayRef<OpFoldResult> extents,
                         llvm::function_ref<void(ValueRange)> body,
                         bool rolled) {
  SmallVector<Value> indices;
  buildNest(*this, extents, indices, body, rolled);
}

void KernelBuilder::tiles(int64_t extent, int64_t tile,
                          llvm::function_ref<void(Value, int64_t)> body) {
  int64_t full = extent / tile * tile;
  loop(full, tile, [&](Value base) { body(base, tile); });
  if (full < extent) {
    body(index(full), extent - full);
  }
}

void KernelBuilder::tiles(OpFoldResult extent, int64_t tile,
                          llvm::function_ref<void(Value, int64_t)> body) {
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    tiles(*known, tile, body);
    return;
  }
  Value end = index(extent), start = index(0);
  for (int64_t size = tile; size > 0;) {
    Value rest = arith::SubIOp::create(builder, loc, end, start);
    Value stop = add(start, mul(div(rest, size), size));
    auto loop = scf::ForOp::create(builder, loc, start, stop, index(size));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      body(loop.getInductionVar(), size);
    }
    start = stop;
    bool isPower = llvm::isPowerOf2_64(size);
    size = isPower ? size / 2 : llvm::bit_floor(static_cast<uint64_t>(size));
  }
}

void KernelBuilder::evenTiles(OpFoldResult extent, int64_t tile,
                              int64_t mostOfTail,
                              llvm::function_ref<void(Value, int64_t)> body) {
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    return tiles(*known, tile, body);
  }
  auto loopOver = [&](Value start, Value stop, int64_t size) {
    auto loop = scf::ForOp::create(builder, loc, start, stop, index(size));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), size);
  };
  Value end = index(extent), start = mul(div(end, tile), tile);
  loopOver(index(0), start, tile);
  if (tile == 1) {
    return;
  }
  // So many tiles of `small`, of which the first ones have one more.
  Value rest = sub(end, start);
  Value count = div(add(rest, mostOfTail - 1), mostOfTail);
  Value divisor = arith::MaxUIOp::create(builder, loc, count, index(1));
  Value small = arith::DivUIOp::create(builder, loc, rest, divisor);
  Value numLarge = arith::RemUIOp::create(builder, loc, rest, divisor);
  Value numSmall = sub(count, numLarge);
  auto countOf = [&](int64_t size) {
    auto orNone = [&](int64_t wanted, Value number) -> Value {
      Value isSize = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, small, index(wanted));
      return arith::SelectOp::create(builder, loc, isSize, number, index(0));
    };
    return add(orNone(size, numSmall), orNone(size - 1, numLarge));
  };
  for (int64_t size = std::min(mostOfTail, tile - 1); size > 0; --size) {
    Value stop = add(start, mul(countOf(size), size));
    loopOver(start, stop, size);
    start = stop;
  }
}

void KernelBuilder::overlappingTiles(
    OpFoldResult extent, int64_t tile,
    llvm::function_ref<void(Value, int64_t)> body,
    llvm::function_ref<void(Value)> single) {
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    tiles(*known, tile, body);
    return;
  }
  Value end = index(extent);
  Value isTile = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                       end, index(tile));
  auto branch = scf::IfOp::create(builder, loc, isTile, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  {
    Value last = arith::SubIOp::create(builder, loc, end, index(tile));
    auto loop = scf::ForOp::create(builder, loc, index(0), end, index(tile));
    OpBuilder::InsertionGuard bodyGuard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(arith::MinUIOp::create(builder, loc, loop.getInductionVar(), last),
         tile);
  }
  builder.setInsertionPointToStart(branch.elseBlock());
  loop(extent, single);
}

void KernelBuilder::vectors(int64_t extent,
                            llvm::function_ref<void(Value, Lanes)> body) {
  tiles(extent, machine.lanes, [&](Value base, int64_t valid) {
    body(base, Lanes{machine.lanes, valid});
  });
}

void KernelBuilder::vectors(OpFoldResult extent,
                            llvm::function_ref<void(Value, Lanes)> body) {
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    vectors(*known, body);
    return;
  }
  Value end = index(extent);
  Value whole = mul(div(end, machine.lanes), machine.lanes);
  auto loop =
      scf::ForOp::create(builder, loc, index(0), whole, index(machine.lanes));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), fullLanes());
  }
  // Once, or not at all.
  Value rest = rem(end, machine.lanes);
  this->loop(OpFoldResult(div(add(rest, machine.lanes - 1), machine.lanes)),
             [&](Value) { body(whole, Lanes{machine.lanes, 0, rest}); });
}

SmallVector<Value> KernelBuilder::reduce(
    OpFoldResult extent, ValueRange values,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body,
    bool rolled) {
  if (getConstantIntValue(extent) == 1) {
    return body(index(0), values);
  }
  auto loop = scf::ForOp::create(builder, loc, index(0), index(extent),
                                 index(1), values);
  if (rolled) {
    keepRolled(loop);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, results);
  return SmallVector<Value>(loop.getResults());
}

VectorType KernelBuilder::getVectorType(Lanes lanes, Type elementType) {
  return VectorType::get({lanes.width}, elementType);
}

Value KernelBuilder::splat(double value, Lanes lanes, Type elementType) {
  Type element = elementType ? elementType : machine.floats;
  VectorType type = getVectorType(lanes, element);
  Attribute attr =
      isa<FloatType>(element)
          ? Attribute(builder.getFloatAttr(element, value))
          : builder.getIntegerAttr(element, static_cast<int64_t>(value));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, attr));
}

Value KernelBuilder::getMask(Lanes lanes) {
  auto type = VectorType::get({lanes.width}, builder.getI1Type());
  if (lanes.count) {
    return vector::CreateMaskOp::create(builder, loc, type, lanes.count);
  }
  return vector::ConstantMaskOp::create(builder, loc, type,
                                        ArrayRef<int64_t>{lanes.valid});
}

Value KernelBuilder::load(Value memref, ValueRange indices, Lanes lanes) {
  Type element = getElementType(memref);
  VectorType type = getVectorType(lanes, element);
  if (lanes.isFull()) {
    return vector::LoadOp::create(builder, loc, type, memref, indices);
  }
  Value zero = splat(0, lanes, element);
  if (lanes.isOne()) {
    Value lane = memref::LoadOp::create(builder, loc, memref, indices);
    return vector::InsertOp::create(builder, loc, lane, zero,
                                    ArrayRef<int64_t>{0});
  }
  return vector::MaskedLoadOp::create(builder, loc, type, memref, indices,
                                      getMask(lanes), zero);
}

Value KernelBuilder::loadFloats(Value memref, ValueRange indices, Lanes lanes,
                                VPU::QuantAttr quant) {
  Value x = load(memref, indices, lanes);
  Type element = getElementType(memref);
  VectorType floats = getVectorType(lanes, machine.floats);
  if (element == machine.floats) {
    return x;
  }
  if (isa<FloatType>(element)) {
    return arith::ExtFOp::create(builder, loc, floats, x);
  }
  VectorType wide = getVectorType(lanes, builder.getI32Type());
  x = arith::ExtUIOp::create(builder, loc, wide, x);
  x = arith::SIToFPOp::create(builder, loc, floats, x);
  if (!quant) {
    return x;
  }
  if (quant.getZeroPoint() != 0) {
    Value zero = splat(static_cast<double>(quant.getZeroPoint()), lanes);
    x = arith::SubFOp::create(builder, loc, x, zero);
  }
  double scale = quant.getScale().getValueAsDouble();
  return scale == 1
             ? x
             : arith::MulFOp::create(builder, loc, x, splat(scale, lanes));
}

Value KernelBuilder::convert(Value vector, Type elementType) {
  auto type = cast<VectorType>(vector.getType());
  VectorType wanted = type.clone(elementType);
  if (type == wanted) {
    return vector;
  }
  // Of two formats of 16 bits, neither is made of the other but by f32.
  if (type.getElementTypeBitWidth() == wanted.getElementTypeBitWidth()) {
    vector = arith::ExtFOp::create(builder, loc,
                                   type.clone(builder.getF32Type()), vector);
    return arith::TruncFOp::create(builder, loc, wanted, vector);
  }
  if (wanted.getElementTypeBitWidth() < type.getElementTypeBitWidth()) {
    return arith::TruncFOp::create(builder, loc, wanted, vector);
  }
  return arith::ExtFOp::create(builder, loc, wanted, vector);
}

void KernelBuilder::store(Value vector, Value memref, ValueRange indices,
                          Lanes lanes) {
  vector = convert(vector, getElementType(memref));
  // A scalar needs no mask, with which LLVM 22 writes four bytes for one
  // truncated lane.
  if (lanes.isOne()) {
    Value lane =
        vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{0});
    memref::StoreOp::create(builder, loc, lane, memref, indices);
    return;
  }
  if (lanes.isFull()) {
    vector::StoreOp::create(builder, loc, vector, memref, indices);
    return;
  }
  vector::MaskedStoreOp::create(builder, loc, memref, indices, getMask(lanes),
                                vector);
}

void KernelBuilder::prefetch(Value memref, ValueRange indices, int64_t cache) {
  // LLVM's locality is 3 for the first cache, and 2 for the second.
  memref::PrefetchOp::create(builder, loc, memref, indices, /*isWrite=*/false,
                             /*localityHint=*/4 - cache, /*isDataCache=*/true);
}

Value KernelBuilder::addVectors(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}

SmallVector<Value> KernelBuilder::interleave(ArrayRef<Value> rows) {
  int64_t count = rows.size();
  SmallVector<Value> result;
  for (int64_t part = 0; part < count; ++part) {
    // One row after the other comes to its lanes.
    Value merged = rows[0];
    for (int64_t row = 1; row < count; ++row) {
      SmallVector<int64_t> lanes;
      for (int64_t lane = 0; lane < machine.lanes; ++lane) {
        auto [element, from] = std::div(part * machine.lanes + lane, count);
        bool isFirst = row == 1 && from == 0;
        lanes.push_back(from == row ? machine.lanes + element
                        : isFirst   ? element
                                    : lane);
      }
      merged =
          vector::ShuffleOp::create(builder, loc, merged, rows[row], lanes);
    }
    result.push_back(merged);
  }
  return result;
}

void KernelBuilder::transposeTile(
    int64_t rows, Lanes columns, llvm::function_ref<Value(int64_t)> load,
    llvm::function_ref<void(int64_t, Value)> store) {
  int64_t size = machine.lanes;
  assert(llvm::isPowerOf2_64(size) && rows <= size && "no tile of vectors");
  SmallVector<Value> tile;
  for (int64_t i = 0; i < size; ++i) {
    // The first row, of which there is one, says what the elements are.
    tile.push_back(
        i < rows ? load(i)
                 : splat(0, fullLanes(),
                         cast<VectorType>(tile[0].getType()).getElementType()));
  }
  // Lane i of both operands in turn, for the first and the second half.
  SmallVector<int64_t> halves[2];
  for (int64_t i = 0; i < size; ++i) {
    halves[i / (size / 2)].append({i, i + size});
  }
  for (int64_t step = 1; step < size; step *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < size / 2; ++i) {
      for (ArrayRef<int64_t> lanes : halves) {
        next.push_back(vector::ShuffleOp::create(builder, loc, tile[i],
                                                 tile[i + size / 2], lanes));
      }
    }
    tile = std::move(next);
  }
  for (int64_t i = 0; i < columns.valid; ++i) {
    store(i, tile[i]);
  }
}

Type nacre::getElementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

ArrayRef<int64_t> nacre::getShape(Value memref) {
  return cast<MemRefType>(memref.getType()).getShape();
}

Value nacre::collapse(KernelBuilder &kernel, Value memref, unsigned first,
                      unsigned last) {
  unsigned rank = getShape(memref).size();
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i < rank; ++i) {
    if (i > first && i <= last) {
      groups.back().push_back(i);
    } else {
      groups.push_back({static_cast<int64_t>(i)});
    }
  }
  if (groups.size() == rank) {
    return memref;
  }
  return memref::CollapseShapeOp::create(kernel.builder, kernel.loc, memref,
                                         groups);
}

Value nacre::expandUnit(KernelBuilder &kernel, Value memref,
                        unsigned position) {
  SmallVector<int64_t> shape(getShape(memref));
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    groups.push_back({next++});
    if (i == static_cast<int64_t>(position)) {
      groups.back().push_back(next++);
    }
  }
  shape.insert(shape.begin() + position, 1);
  SmallVector<OpFoldResult> sizes = kernel.getSizes(memref);
  sizes.insert(sizes.begin() + position, kernel.builder.getIndexAttr(1));
  auto type = memref::ExpandShapeOp::computeExpandedType(
      cast<MemRefType>(memref.getType()), shape, groups);
  assert(succeeded(type) && "a dimension of one element can be anywhere");
  return memref::ExpandShapeOp::create(kernel.builder, kernel.loc, *type,
                                       memref, groups, sizes);
}

void nacre::mergeContiguous(KernelBuilder &kernel,
                            MutableArrayRef<Value> memrefs) {
  while (true) {
    unsigned rank = getShape(memrefs.front()).size();
    if (rank < 2 || !llvm::all_of(
                        memrefs,
                        [&](Value memref) {
                          return isContiguous(memref, rank - 2, rank - 1);
                        })) {
      return;
    }
    for (Value &memref : memrefs) {
      memref = collapse(kernel, memref, rank - 2, rank - 1);
    }
  }
}

LogicalResult nacre::checkKernelOperands(Operation *op,
                                         PatternRewriter &rewriter) {
  for (Type type : op->getOperandTypes()) {
    if (type.isIndex() || type.isInteger(8)) {
      continue;
    }
    auto memref = dyn_cast<MemRefType>(type);
    Type element = memref ? memref.getElementType() : Type();
    if (!memref ||
        !(element.isF64() || element.isF32() || element.isF16() ||
          element.isBF16() || element.isInteger(8) || element.isInteger(32))) {
      return rewriter.notifyMatchFailure(
          op,
          "kernels are written for buffers of f64, f32, f16, bf16 and 8-bit "
          "integers");
    }
  }
  return success();
}

VectorMachine nacre::getVectorMachine(Operation *op) {
  VectorMachine machine;
  machine.floats = VPU::getKernelFloats(op);
  if (VPU::ArchAttr arch = VPU::ArchAttr::lookup(op)) {
    machine.lanes = arch.getLanes(machine.floats);
    machine.registers = arch.getRegisters();
    machine.matrixUnit = arch.getMatrixUnit();
  } else if (machine.floats.isF64()) {
    machine.lanes /= 2;
  }
  return machine;
}
