//===- LowerBoundary.cpp - The lower-boundary pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a caller cannot pass as a pointer to so many elements becomes a value of
// the runtime.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"
#include "nacre/Dialect/Runtime/Utils/TensorValues.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre {
#define GEN_PASS_DEF_LOWERBOUNDARY
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The element type that IE had, which says whether integers have a sign.
static Type getElementType(TypeAttr given, RankedTensorType type) {
  return given ? given.getValue() : type.getElementType();
}

/// The type if a value of it needs the runtime; else null. `given` is what IE
/// knew of its elements.
static RankedTensorType getValueTensor(Type type, TypeAttr given) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isValue =
      tensor && rt::isTensorValue(tensor, getElementType(given, tensor));
  return isValue ? tensor : RankedTensorType();
}

/// The value in `block` that an op starts from which gives `result` in the same
/// memory: what a structured op or the insertion of a slice writes into, what a
/// loop carries at first, what has another shape. Null for other ops.
static OpOperand *getStart(Value result, Block *block) {
  Operation *op = result.getDefiningOp();
  if (!op || op->getBlock() != block) {
    return nullptr;
  }
  if (auto writer = dyn_cast<DestinationStyleOpInterface>(op)) {
    return writer.getTiedOpOperand(cast<OpResult>(result));
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    return loop.getTiedLoopInit(cast<OpResult>(result));
  }
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)
             ? &op->getOpOperand(0)
             : nullptr;
}

/// True where a result that starts from `start` may start from a copy of the
/// model's input there: one is made anyway, as callers own inputs.
static bool isCopiedInput(OpOperand *start, RankedTensorType type) {
  auto argument =
      start ? dyn_cast<BlockArgument>(start->get()) : BlockArgument();
  auto writer = start ? dyn_cast<linalg::LinalgOp>(start->getOwner())
                      : linalg::LinalgOp();
  bool isOverwritten = writer && !writer.payloadUsesValueFromOperand(start);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
         argument.getType() == type && !isOverwritten;
}

/// Such a copy; the result is the memory that it is made in.
static Value copyInput(OpBuilder &builder, OpOperand *start) {
  Location loc = start->getOwner()->getLoc();
  Value input = start->get();
  auto empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, input),
      cast<RankedTensorType>(input.getType()).getElementType());
  auto copy = linalg::CopyOp::create(builder, loc, input, empty.getResult());
  start->set(copy->getResult(0));
  return empty;
}

/// The factors of each size of a value in which ops of `block` compute, or
/// which is another shape of such a one; none where these do not tell.
static SmallVector<IE::Sizes> findFactors(Value value, Block *block) {
  auto alone = [](OpFoldResult size) { return IE::Sizes{size}; };
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
    return llvm::map_to_vector(empty.getMixedSizes(), alone);
  }
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
    return llvm::map_to_vector(expand.getMixedOutputShape(), alone);
  }
  OpOperand *start = getStart(value, block);
  SmallVector<IE::Sizes> factors =
      start ? findFactors(start->get(), block) : SmallVector<IE::Sizes>();
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || factors.empty()) {
    return factors;
  }
  SmallVector<IE::Sizes> merged;
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
    IE::Sizes &all = merged.emplace_back();
    for (int64_t dim : group) {
      llvm::append_range(all, factors[dim]);
    }
  }
  return merged;
}

/// A place of the sizes of a result that is another shape of what is computed,
/// in front of the first of the ops that compute it. They do not start from it,
/// but can be given the result's memory, which is there by then; bind-results
/// does so. Null where the sizes are not known in front of them.
static Value getReshapedPlace(Value result, OpBuilder &builder) {
  Block *block = builder.getBlock();
  OpOperand *start = getStart(result, block);
  while (start && !start->get().getDefiningOp<tensor::EmptyOp>()) {
    start = getStart(start->get(), block);
  }
  // Of dynamic sizes, one of the same type could be taken for the memory.
  if (!start || start->get().getType() == result.getType()) {
    return {};
  }
  Operation *first = start->getOwner();
  SmallVector<IE::Sizes> factors = findFactors(result, block);
  auto isKnown = [&](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    return !op || op->getBlock() != block || op->isBeforeInBlock(first);
  };
  if (factors.empty() || !llvm::all_of(factors, [&](ArrayRef<OpFoldResult> of) {
        return llvm::all_of(of, isKnown);
      })) {
    return {};
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(first);
  IE::Sizes sizes = llvm::map_to_vector(factors, [&](const IE::Sizes &of) {
    return IE::multiplySizes(builder, first->getLoc(), of);
  });
  Value place = tensor::EmptyOp::create(
      builder, first->getLoc(), sizes,
      cast<RankedTensorType>(result.getType()).getElementType());
  // Behind the memory, in which it will be a view.
  start->set(builder.clone(*start->get().getDefiningOp())->getResult(0));
  return place;
}

/// The memory that the ops in front of a result, one after the other, compute
/// it in: it can be the result's, whoever else reads it. Made a place of its
/// own in front of the first of them; null where there is none.
static Value getPlace(Value result, OpBuilder &builder) {
  // Of dynamic sizes, types do not tell whether two are of one shape: what has
  // been collapsed must have been expanded in the same way.
  SmallVector<SmallVector<ReassociationIndices>> collapsed;
  Value value = result;
  OpOperand *start = nullptr;
  while (!value.getDefiningOp<tensor::EmptyOp>()) {
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      collapsed.push_back(collapse.getReassociationIndices());
    } else if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
      if (collapsed.empty() ||
          collapsed.pop_back_val() != expand.getReassociationIndices()) {
        return {};
      }
    }
    OpOperand *next = getStart(value, builder.getBlock());
    if (!next && collapsed.empty() &&
        isCopiedInput(start, cast<RankedTensorType>(result.getType()))) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(start->getOwner());
      return copyInput(builder, start);
    }
    if (!next) {
      return {};
    }
    start = next;
    value = start->get();
  }
  if (!start || !collapsed.empty() || value.getType() != result.getType()) {
    return {};
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(start->getOwner());
  Value place = builder.clone(*start->get().getDefiningOp())->getResult(0);
  start->set(place);
  return place;
}

/// Ends a run that is given another kind of value than `type`, a map, a
/// sequence or an optional.
static void checkKind(OpBuilder &builder, Value value, Type type,
                      StringRef name) {
  Location loc = value.getLoc();
  if (auto map = dyn_cast<IE::MapType>(type)) {
    rt::CheckMapOp::create(builder, loc, value, map.getKey(), map.getValue(),
                           name);
  } else if (isa<IE::SequenceType>(type)) {
    rt::CheckSequenceOp::create(builder, loc, value, name);
  } else {
    rt::CheckOptionalOp::create(builder, loc, value, name);
  }
}

namespace {
struct LowerBoundaryPass final
    : nacre::impl::LowerBoundaryBase<LowerBoundaryPass> {
  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!function.isExternal() && function.isPublic()) {
        lowerResults(function);
        lowerArguments(function);
      }
    }
  }

private:
  void lowerArguments(func::FuncOp function) {
    Block &entry = function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&entry);
    // Checks come before the sizes are used.
    llvm::StringMap<Value> named;
    SmallVector<Type> types(function.getArgumentTypes());
    for (unsigned i = 0; i < types.size(); ++i) {
      auto given = abi::getOfArgument<abi::Element>(function, i);
      RankedTensorType type = getValueTensor(types[i], given);
      BlockArgument argument = entry.getArgument(i);
      Location loc = argument.getLoc();
      if (isa<rt::ValueType>(types[i]) && given) {
        checkKind(builder, argument, given.getValue(), getName(function, i));
      }
      if (!type) {
        continue;
      }
      types[i] = rt::ValueType::get(&getContext());
      Type element = getElementType(given, type);
      auto dims = abi::getOfArgument<abi::Dims>(function, i);
      Value handle = entry.insertArgument(i, types[i], loc);
      rt::CheckTensorOp::create(builder, loc, handle, element, type.getRank(),
                                getName(function, i));
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        Value size;
        StringRef name;
        if (!type.isDynamicDim(dim)) {
          size = arith::ConstantIndexOp::create(builder, loc,
                                                type.getDimSize(dim));
        } else if (dims && dim < static_cast<int64_t>(dims.size())) {
          name = cast<StringAttr>(dims[dim]).getValue();
          size = named.lookup(name);
        }
        if (size) {
          rt::CheckDimOp::create(builder, loc, handle, dim, size,
                                 getName(function, i));
        } else {
          size = rt::TensorDimOp::create(builder, loc, handle, dim);
        }
        if (!name.empty()) {
          named.try_emplace(name, size);
        }
        sizes.push_back(size);
      }
      Value whole = IE::isPacked(element)
                        ? rt::TensorUnpackOp::create(builder, loc, handle)
                        : handle;
      Value tensor = rt::buildTensor(builder, loc, whole, type, sizes);
      argument.replaceAllUsesWith(tensor);
      entry.eraseArgument(i + 1);
    }
    function.setType(
        FunctionType::get(&getContext(), types, function.getResultTypes()));
  }

  void lowerResults(func::FuncOp function) {
    auto terminator =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    OpBuilder builder(terminator);
    SmallVector<Type> types(function.getResultTypes());
    SmallVector<Value> stored;
    for (auto [i, operand] : llvm::enumerate(terminator->getOpOperands())) {
      auto given = abi::getOfResult<abi::Element>(function, i);
      if (RankedTensorType type = getValueTensor(types[i], given)) {
        Type element = getElementType(given, type);
        Value place = getPlace(operand.get(), builder);
        if (!place) {
          place = getReshapedPlace(operand.get(), builder);
        }
        operand.set(rt::buildValue(builder, terminator.getLoc(), operand.get(),
                                   element, place));
        types[i] = operand.get().getType();
        stored.push_back(operand.get());
      }
    }
    for (Value value : stored) {
      ownStringsLast(value, terminator);
    }
    function.setType(
        FunctionType::get(&getContext(), function.getArgumentTypes(), types));
  }

  /// A tensor that becomes an owner of its strings gets other memory for them,
  /// so that results which are computed in the former, or copied from there,
  /// are stored before.
  static void ownStringsLast(Value value, func::ReturnOp terminator) {
    for (Operation *user : llvm::to_vector(value.getUsers())) {
      if (isa<rt::TensorOwnStringsOp>(user)) {
        user->moveBefore(terminator);
      }
    }
  }

  static std::string getName(func::FuncOp function, unsigned argument) {
    auto name = abi::getOfArgument<abi::Name>(function, argument);
    return name ? name.str() : "input" + std::to_string(argument);
  }
};
} // namespace
