//===- Sizes.cpp - Sizes that only a run knows ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces sizes through the ops that the lowering has built, and shape
// arithmetic through IE.
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "Indices.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Sizes of tensors
//===----------------------------------------------------------------------===//

/// The names of the dimensions of an argument; null when it has none.
static ArrayAttr getDimensionNames(func::FuncOp function, unsigned argument) {
  return abi::getOfArgument<abi::Dims>(function, argument);
}

/// The first argument and dimension that are declared to be as large as
/// dimension `dim` of `argument`.
static std::pair<Value, int64_t> findNamesake(BlockArgument argument,
                                              int64_t dim) {
  // None yet for the body of a loop that is being built.
  auto function =
      dyn_cast_if_present<func::FuncOp>(argument.getOwner()->getParentOp());
  ArrayAttr names = function
                        ? getDimensionNames(function, argument.getArgNumber())
                        : ArrayAttr();
  if (!names || static_cast<size_t>(dim) >= names.size() ||
      cast<StringAttr>(names[dim]).empty()) {
    return {argument, dim};
  }
  for (BlockArgument other : argument.getOwner()->getArguments()) {
    if (ArrayAttr list = getDimensionNames(function, other.getArgNumber())) {
      for (auto [i, name] : llvm::enumerate(list)) {
        if (name == names[dim]) {
          return {other, static_cast<int64_t>(i)};
        }
      }
    }
  }
  return {argument, dim};
}

/// True if what `builder` builds next can use the results of `op`, in whose
/// block it builds, or in an op of that block.
static bool canUse(OpBuilder &builder, Operation *op) {
  Block *block = builder.getInsertionBlock();
  if (block == op->getBlock()) {
    Block::iterator position = builder.getInsertionPoint();
    return position == block->end() || op->isBeforeInBlock(&*position);
  }
  // None yet for the body of a loop that is being built.
  Operation *parent = block->getParentOp();
  Operation *around =
      parent ? op->getBlock()->findAncestorOpInBlock(*parent) : nullptr;
  return !around || op->isBeforeInBlock(around);
}

/// tensor.dim right behind the definition of `tensor`, so that all uses share
/// it. Others may have asked further down.
static OpFoldResult askTensor(OpBuilder &builder, Location loc, Value tensor,
                              int64_t dim) {
  for (Operation *user : tensor.getUsers()) {
    auto query = dyn_cast<tensor::DimOp>(user);
    if (query && query.getConstantIndex() == dim &&
        query->getBlock() == tensor.getParentBlock() &&
        canUse(builder, query)) {
      return query.getResult();
    }
  }
  OpBuilder::InsertionGuard guard(builder);
  // The argument of a function whose signature has been converted is in no
  // function any more, and nor would be what asks it there.
  if (tensor.getParentRegion()) {
    builder.setInsertionPointAfterValue(tensor);
  }
  return tensor::DimOp::create(builder, loc, tensor, dim).getResult();
}

/// The operand that an op writes its result into, whose shape it keeps; null
/// where there is none.
static Value getDestination(OpResult result) {
  Operation *op = result.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    return destination.getTiedOpOperand(result)->get();
  }
  if (isa<tensor::InsertOp, tensor::InsertSliceOp>(op)) {
    return op->getOperand(1);
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop) {
    return {};
  }
  // As long as each step writes into what the one before gave.
  Value written = loop.getTiedLoopYieldedValue(
                          loop.getRegionIterArg(result.getResultNumber()))
                      ->get();
  while (auto inner = dyn_cast_if_present<OpResult>(written)) {
    written = getDestination(inner);
  }
  return written == loop.getRegionIterArg(result.getResultNumber())
             ? loop.getInitArgs()[result.getResultNumber()]
             : Value();
}

OpFoldResult nacre::getSize(OpBuilder &builder, Location loc, Value tensor,
                            int64_t dim, SizeSource source) {
  RankedTensorType type = getTensorType(tensor);
  if (!type.isDynamicDim(dim)) {
    return builder.getIndexAttr(type.getDimSize(dim));
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto [first, position] = findNamesake(argument, dim);
    if (!getTensorType(first).isDynamicDim(position)) {
      return builder.getIndexAttr(getTensorType(first).getDimSize(position));
    }
    return askTensor(builder, loc, first, position);
  }
  Operation *def = tensor.getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(def)) {
    return empty.getMixedSizes()[dim];
  }
  if (Value destination = getDestination(cast<OpResult>(tensor))) {
    return getSize(builder, loc, destination, dim, source);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(def);
      cast && isa<RankedTensorType>(cast.getSource().getType())) {
    return getSize(builder, loc, cast.getSource(), dim, source);
  }
  if (auto bitcast = dyn_cast<tensor::BitcastOp>(def)) {
    return getSize(builder, loc, bitcast.getSource(), dim, source);
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def);
      slice && slice.getSourceType().getRank() == type.getRank()) {
    return slice.getMixedSizes()[dim];
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(def)) {
    return expand.getMixedOutputShape()[dim];
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(def)) {
    // Where the operand is defined, its sizes are.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(collapse);
    Sizes factors;
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    for (int64_t i : group) {
      factors.push_back(getSize(builder, loc, collapse.getSrc(), i, source));
    }
    return multiplySizes(builder, loc, factors);
  }
  OpFoldResult size = source ? source(tensor, dim) : OpFoldResult();
  return size ? size : askTensor(builder, loc, tensor, dim);
}

Sizes nacre::getSizes(OpBuilder &builder, Location loc, Value tensor) {
  Sizes sizes;
  for (int64_t i = 0; i < getTensorType(tensor).getRank(); ++i) {
    sizes.push_back(getSize(builder, loc, tensor, i));
  }
  return sizes;
}

Value nacre::buildKnown(OpBuilder &builder, Location loc, Value tensor,
                        ArrayRef<OpFoldResult> sizes) {
  // As slices see sizes: a constant that is a value is not known.
  SmallVector<int64_t> shape;
  SmallVector<Value> unknown;
  dispatchIndexOpFoldResults(sizes, unknown, shape);
  auto type = cast<RankedTensorType>(tensor.getType());
  return buildCast(builder, loc, tensor, type.clone(shape));
}

//===----------------------------------------------------------------------===//
// What only a run can check
//===----------------------------------------------------------------------===//

void AssertingSizeBuilder::require(llvm::function_ref<Value()> condition,
                                   StringRef message) {
  cf::AssertOp::create(builder, loc, condition(), message);
}

OpFoldResult nacre::broadcastSizes(OpBuilder &builder, Location loc,
                                   ArrayRef<OpFoldResult> sizes) {
  return AssertingSizeBuilder(builder, loc).broadcast(sizes);
}

void nacre::assertSameSize(OpBuilder &builder, Location loc, OpFoldResult a,
                           OpFoldResult b, StringRef message) {
  AssertingSizeBuilder(builder, loc).requireEqual(a, b, message);
}

void nacre::assertAtMost(OpBuilder &builder, Location loc, OpFoldResult a,
                         OpFoldResult b, StringRef message) {
  AssertingSizeBuilder(builder, loc).requireAtMost(a, b, message);
}

void nacre::assertSameProduct(OpBuilder &builder, Location loc,
                              ArrayRef<OpFoldResult> a,
                              ArrayRef<OpFoldResult> b, StringRef message) {
  auto [left, right] = IE::cancelSizes(builder, loc, a, b);
  assertSameSize(builder, loc, left, right, message);
}

//===----------------------------------------------------------------------===//
// Shape arithmetic
//===----------------------------------------------------------------------===//

namespace {

/// Follows one element of a shape tensor through IE.
class ShapeTracer {
public:
  ShapeTracer(ConversionPatternRewriter &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  OpFoldResult trace(Value tensor, int64_t position) {
    if (std::optional<SmallVector<int64_t>> known = IE::getConstantInts(tensor);
        known && static_cast<size_t>(position) < known->size()) {
      return rewriter.getIndexAttr((*known)[position]);
    }
    OpFoldResult found;
    if (Operation *def = tensor.getDefiningOp()) {
      found =
          llvm::TypeSwitch<Operation *, OpFoldResult>(def)
              .Case<IE::ShapeOp, IE::SizeOp, IE::GatherOp, IE::ConcatOp,
                    IE::SliceOp, IE::AddOp, IE::SubOp, IE::MulOp, IE::DivOp>(
                  [&](auto op) { return traceOp(op, position); })
              .Default([&](Operation *op) {
                bool isCopy = isa<IE::IdentityOp, IE::CastOp>(op) ||
                              op->hasTrait<IE::KeepsElements>();
                return isCopy ? traceCopy(op->getOperand(0), position)
                              : OpFoldResult();
              });
    }
    return found ? found : extract(tensor, position);
  }

private:
  OpFoldResult traceOp(IE::ShapeOp op, int64_t position) {
    return getSizeOf(op.getData(), op.getBounds().first + position);
  }

  OpFoldResult traceOp(IE::SizeOp op, int64_t) {
    Value data = rewriter.getRemappedValue(op.getData());
    return data ? multiplySizes(rewriter, loc, getSizes(rewriter, loc, data))
                : OpFoldResult();
  }

  OpFoldResult traceOp(IE::GatherOp op, int64_t position) {
    auto type = dyn_cast<RankedTensorType>(op.getData().getType());
    std::optional<SmallVector<int64_t>> indices =
        IE::getConstantInts(op.getIndices());
    if (!type || type.getRank() != 1 || !type.hasStaticShape() || !indices ||
        static_cast<size_t>(position) >= indices->size()) {
      return {};
    }
    int64_t index = (*indices)[position];
    return trace(op.getData(), index < 0 ? index + type.getDimSize(0) : index);
  }

  OpFoldResult traceOp(IE::ConcatOp op, int64_t position) {
    for (Value input : op.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (!type || type.getRank() != 1 || !type.hasStaticShape()) {
        return {};
      }
      if (position < type.getDimSize(0)) {
        return trace(input, position);
      }
      position -= type.getDimSize(0);
    }
    return {};
  }

  OpFoldResult traceOp(IE::SliceOp op, int64_t position) {
    std::optional<IE::SliceSpec> spec = op.getStaticSpec();
    if (!spec || spec->offsets.size() != 1) {
      return {};
    }
    return trace(op.getData(), spec->offsets[0] + position * spec->strides[0]);
  }

  OpFoldResult traceOp(IE::AddOp op, int64_t position) {
    return combine(op, position, [&](OpFoldResult a, OpFoldResult b) {
      return addSizes(rewriter, loc, a, b);
    });
  }
  OpFoldResult traceOp(IE::SubOp op, int64_t position) {
    return combine(op, position, [&](OpFoldResult a, OpFoldResult b) {
      return subtractSizes(rewriter, loc, a, b);
    });
  }
  OpFoldResult traceOp(IE::MulOp op, int64_t position) {
    return combine(op, position, [&](OpFoldResult a, OpFoldResult b) {
      return multiplySizes(rewriter, loc, {a, b});
    });
  }
  OpFoldResult traceOp(IE::DivOp op, int64_t position) {
    return combine(op, position,
                   [&](OpFoldResult a, OpFoldResult b) -> OpFoldResult {
                     // Sizes are positive; of other numbers the sign would
                     // matter.
                     std::optional<int64_t> divisor = getConstantIntValue(b);
                     if (!divisor || *divisor <= 0) {
                       return {};
                     }
                     int64_t factor = IE::getConstantFactor(a);
                     if (factor % *divisor != 0 || factor < 0) {
                       return {};
                     }
                     return divideSizes(rewriter, loc, a, b);
                   });
  }

  /// Positions of operands that may have a single element.
  OpFoldResult
  combine(Operation *op, int64_t position,
          llvm::function_ref<OpFoldResult(OpFoldResult, OpFoldResult)> build) {
    SmallVector<OpFoldResult> elements;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || !type.hasStaticShape() || type.getRank() > 1 ||
          !type.getElementType().isInteger(64)) {
        return {};
      }
      elements.push_back(
          trace(operand, type.getNumElements() == 1 ? 0 : position));
    }
    return build(elements[0], elements[1]);
  }

  OpFoldResult traceCopy(Value operand, int64_t position) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    bool isVector = type && type.getRank() <= 1 && type.hasStaticShape() &&
                    (type.getElementType().isInteger(64) ||
                     type.getElementType().isInteger(32));
    return isVector ? trace(operand, position) : OpFoldResult();
  }

  OpFoldResult getSizeOf(Value ieTensor, int64_t dim) {
    Value tensor = rewriter.getRemappedValue(ieTensor);
    return tensor ? getSize(rewriter, loc, tensor, dim) : OpFoldResult();
  }

  OpFoldResult extract(Value ieTensor, int64_t position) {
    Value tensor = rewriter.getRemappedValue(ieTensor);
    return extractIndex(rewriter, loc, tensor, position);
  }

  ConversionPatternRewriter &rewriter;
  Location loc;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes of results
//===----------------------------------------------------------------------===//

OpFoldResult TracingSizeBuilder::getSize(Value tensor, int64_t dim) {
  return nacre::getSize(rewriter, loc, getTensor(tensor), dim);
}

OpFoldResult TracingSizeBuilder::getElement(Value tensor, int64_t position) {
  return ShapeTracer(rewriter, loc).trace(tensor, position);
}

Value TracingSizeBuilder::getTensor(Value operand) {
  return rewriter.getRemappedValue(operand);
}

FailureOr<SmallVector<Sizes>>
nacre::getResultSizes(ConversionPatternRewriter &rewriter, Operation *op) {
  ReifiedRankedShapedTypeDims results;
  TracingSizeBuilder sizes(rewriter, op->getLoc());
  if (failed(cast<IE::SizesOpInterface>(op).buildSizes(sizes, results))) {
    return failure();
  }
  for (auto [result, resultType] :
       llvm::zip_equal(results, op->getResultTypes())) {
    result = refineSizes(rewriter, cast<RankedTensorType>(resultType), result);
  }
  return results;
}

Sizes nacre::getResultSize(ConversionPatternRewriter &rewriter, Operation *op) {
  FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
  assert(succeeded(sizes) && "only for ops whose sizes always follow");
  return sizes->front();
}
