//===- SizeBuilder.cpp - Sizes of results ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops have in common that know the sizes of their results.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SizeBuilder.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/SizesInterface.cpp.inc"

LogicalResult IE::reifySizes(Operation *op, OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &results) {
  SizeBuilder sizes(builder, op->getLoc());
  if (failed(cast<SizesOpInterface>(op).buildSizes(sizes, results))) {
    return failure();
  }
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    result = refineSizes(builder, cast<RankedTensorType>(type), result);
  }
  return success();
}

Sizes IE::buildBroadcastSizes(SizeBuilder &sizes, ValueRange operands) {
  SmallVector<Sizes> shapes;
  for (Value operand : operands) {
    shapes.push_back(sizes.getSizes(operand));
  }
  return sizes.broadcastShapes(shapes);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value SizeBuilder::toValue(OpFoldResult size) const {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

OpFoldResult SizeBuilder::getSize(Value tensor, int64_t dim) {
  RankedTensorType type = getTensorType(tensor);
  if (!type.isDynamicDim(dim)) {
    return number(type.getDimSize(dim));
  }
  return tensor::DimOp::create(builder, loc, tensor, dim).getResult();
}

Sizes SizeBuilder::getSizes(Value tensor) {
  Sizes sizes;
  for (int64_t i = 0; i < getTensorType(tensor).getRank(); ++i) {
    sizes.push_back(getSize(tensor, i));
  }
  return sizes;
}

Value SizeBuilder::getScalar(Value operand) {
  Value tensor = getTensor(operand);
  SmallVector<Value> zeros(getTensorType(tensor).getRank());
  for (Value &zero : zeros) {
    zero = toValue(number(0));
  }
  return tensor::ExtractOp::create(builder, loc, tensor, zeros);
}

Value SizeBuilder::extract(Value operand, OpFoldResult position) {
  Value tensor = getTensor(operand);
  SmallVector<Value> indices;
  if (getTensorType(tensor).getRank() == 1) {
    indices.push_back(toValue(position));
  }
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

OpFoldResult SizeBuilder::getElement(Value tensor, int64_t position) {
  if (std::optional<SmallVector<int64_t>> known = getConstantInts(tensor);
      known && static_cast<size_t>(position) < known->size()) {
    return number((*known)[position]);
  }
  // Index arithmetic takes integers without a sign.
  Type i64 = builder.getI64Type();
  if (!getTensorType(tensor).getElementType().isSignlessInteger()) {
    tensor = CastOp::create(builder, loc,
                            TypeRange(getTensorType(tensor).clone(i64)), tensor,
                            TypeAttr::get(i64))
                 ->getResult(0);
  }
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    extract(tensor, number(position)))
      .getResult();
}

OpFoldResult SizeBuilder::getElement(Value tensor, OpFoldResult position) {
  if (std::optional<int64_t> known = getConstantIntValue(position)) {
    return getElement(tensor, *known);
  }
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    extract(tensor, position))
      .getResult();
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// True if `a` is the smaller one of `b` and another number.
static bool isAtMost(OpFoldResult a, OpFoldResult b) {
  auto value = dyn_cast<Value>(a);
  auto least = value ? value.getDefiningOp<arith::MinSIOp>() : arith::MinSIOp();
  return least && (OpFoldResult(least.getLhs()) == b ||
                   OpFoldResult(least.getRhs()) == b);
}

OpFoldResult SizeBuilder::broadcast(ArrayRef<OpFoldResult> sizes) {
  constexpr StringLiteral kMessage =
      "the shapes do not broadcast to a common one";
  OpFoldResult one = number(1), result = one;
  for (OpFoldResult size : sizes) {
    if (getConstantIntValue(size) == 1 ||
        isEqualConstantIntOrValue(size, result)) {
      continue;
    }
    if (getConstantIntValue(result) == 1) {
      result = size;
      continue;
    }
    if (areSameIfBroadcast(result, size)) {
      requireEqual(result, size, kMessage);
      // The other one has been cut off.
      bool isCut = isa<Value>(result) &&
                   cast<Value>(result).getDefiningOp<arith::MinSIOp>();
      result = isCut ? size : result;
      continue;
    }
    bool isLess = isAtMost(size, result), isMore = isAtMost(result, size);
    require(
        [&] {
          auto isEqual = [&](OpFoldResult a, OpFoldResult b) -> Value {
            return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         toValue(a), toValue(b));
          };
          Value fits = isEqual(result, size);
          if (!isMore) {
            fits = arith::OrIOp::create(builder, loc, fits, isEqual(size, one));
          }
          if (!isLess) {
            fits =
                arith::OrIOp::create(builder, loc, fits, isEqual(result, one));
          }
          return fits;
        },
        kMessage);
    if (isLess || isMore) {
      result = isLess ? result : size;
      continue;
    }
    if (getConstantIntValue(result)) {
      continue;
    }
    result =
        getConstantIntValue(size) ? size : ifEqual(result, one, size, result);
  }
  return result;
}

Sizes SizeBuilder::broadcastShapes(ArrayRef<Sizes> shapes) {
  size_t rank = 0;
  for (const Sizes &shape : shapes) {
    rank = std::max(rank, shape.size());
  }
  Sizes result;
  for (size_t i = 0; i < rank; ++i) {
    Sizes candidates;
    for (const Sizes &shape : shapes) {
      size_t missing = rank - shape.size();
      if (i >= missing) {
        candidates.push_back(shape[i - missing]);
      }
    }
    result.push_back(broadcast(candidates));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

Sizes SizeBuilder::getEntries(Value axes, int64_t rank) {
  Sizes entries(rank, number(-1));
  if (std::optional<SmallVector<int64_t>> known = getConstantInts(axes)) {
    for (auto [i, axis] : llvm::enumerate(*known)) {
      entries[axis < 0 ? axis + rank : axis] = number(i);
    }
    return entries;
  }
  if (rank == 0) {
    return entries;
  }
  OpFoldResult count =
      getTensorType(axes).getRank() == 0 ? number(1) : getSize(axes, 0);
  SmallVector<Value> none(rank, toValue(number(-1)));
  // How many axes there are may be unknown, too.
  auto loop = scf::ForOp::create(builder, loc, toValue(number(0)),
                                 toValue(count), toValue(number(1)), none);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    OpFoldResult i = loop.getInductionVar(), axis = getElement(axes, i);
    axis = ifLess(axis, number(0), add(axis, rank), axis);
    SmallVector<Value> next;
    for (auto [dim, entry] : llvm::enumerate(loop.getRegionIterArgs())) {
      next.push_back(toValue(ifEqual(axis, number(dim), i, entry)));
    }
    scf::YieldOp::create(builder, loc, next);
  }
  return getAsOpFoldResult(loop.getResults());
}

OpFoldResult SizeBuilder::getListed(Value vector, OpFoldResult entry,
                                    OpFoldResult otherwise) {
  if (std::optional<int64_t> known = getConstantIntValue(entry)) {
    return *known < 0 ? otherwise : getElement(vector, *known);
  }
  Value isListed =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                            cast<Value>(entry), toValue(number(0)));
  auto choice = scf::IfOp::create(builder, loc, builder.getIndexType(),
                                  isListed, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, isThen] : {std::pair(choice.thenBlock(), true),
                               std::pair(choice.elseBlock(), false)}) {
    builder.setInsertionPointToEnd(block);
    Value value = toValue(isThen ? getElement(vector, entry) : otherwise);
    scf::YieldOp::create(builder, loc, value);
  }
  return choice.getResult(0);
}

Sizes SizeBuilder::selectUnlisted(ArrayRef<OpFoldResult> sizes,
                                  ArrayRef<OpFoldResult> entries,
                                  int64_t count) {
  Sizes result(count, number(0));
  OpFoldResult position = number(0), none = number(-1);
  for (auto [size, entry] : llvm::zip_equal(sizes, entries)) {
    if (std::optional<int64_t> known = getConstantIntValue(position);
        known && getConstantIntValue(entry) == -1) {
      // Certain, like all that were so far.
      if (*known < count) {
        result[*known] = size;
      }
      position = number(*known + 1);
      continue;
    }
    for (auto [i, own] : llvm::enumerate(result)) {
      OpFoldResult taken = ifEqual(position, number(i), size, own);
      own = ifEqual(entry, none, taken, own);
    }
    position = ifEqual(entry, none, add(position, 1), position);
  }
  requireEqual(position, number(count),
               "axes that leave another rank than the model declares");
  return result;
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

void SizeBuilder::requireEqual(OpFoldResult a, OpFoldResult b,
                               StringRef message) {
  if (haveSameProduct(a, b)) {
    return;
  }
  require(
      [&] {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     toValue(a), toValue(b))
            .getResult();
      },
      message);
}

void SizeBuilder::requireAtMost(OpFoldResult a, OpFoldResult b,
                                StringRef message) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if ((x && y && *x <= *y) || isEqualConstantIntOrValue(a, b)) {
    return;
  }
  require(
      [&] {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                     toValue(a), toValue(b))
            .getResult();
      },
      message);
}
