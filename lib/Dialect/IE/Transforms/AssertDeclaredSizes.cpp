//===- AssertDeclaredSizes.cpp - The ie-assert-declared-sizes pass --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model may declare sizes that nothing before a run shows to be wrong. What
// lowers an op makes a buffer of them, so a run has to end before.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/SizeBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace nacre::IE {
#define GEN_PASS_DEF_ASSERTDECLAREDSIZES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

namespace {
/// Follows sizes through ops to where they come from. A dimension that is asked
/// of a result is of no use: once what reads it takes the declared size, the
/// result has that type, and the assertion would hold by itself.
class TracedSizes : public IE::SizeBuilder {
public:
  using Known = DenseMap<Value, IE::Sizes>;
  TracedSizes(OpBuilder &builder, Location loc, Known &known)
      : SizeBuilder(builder, loc), known(known) {}

  OpFoldResult getSize(Value tensor, int64_t dim) override {
    auto result = dyn_cast<OpResult>(tensor);
    if (!cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim) ||
        !result || !isa<IE::SizesOpInterface>(result.getOwner())) {
      return ask(tensor, dim);
    }
    auto it = known.find(tensor);
    if (it == known.end()) {
      // Where an op is, the sizes of its results are.
      Operation *op = result.getOwner();
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      TracedSizes operands(builder, op->getLoc(), known);
      ReifiedRankedShapedTypeDims sizes;
      if (failed(cast<IE::SizesOpInterface>(op).buildSizes(operands, sizes))) {
        return ask(tensor, dim);
      }
      for (auto [other, own] : llvm::zip_equal(op->getResults(), sizes)) {
        known[other] = own;
      }
      it = known.find(tensor);
    }
    return it->second[dim];
  }

private:
  /// Behind the definition of `tensor`, where what lowers ops shares the
  /// answer.
  OpFoldResult ask(Value tensor, int64_t dim) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(tensor);
    return SizeBuilder::getSize(tensor, dim);
  }

  Known &known;
};

/// Asserts what sizes follow under.
struct AssertingSizes final : TracedSizes {
  using TracedSizes::TracedSizes;

  void require(llvm::function_ref<Value()> condition,
               StringRef message) override {
    cf::AssertOp::create(builder, loc, condition(), message);
  }
};
} // namespace

/// True where `declared` knows a size that `inferred` does not.
static bool knowsMore(Type declared, Type inferred) {
  auto type = dyn_cast<RankedTensorType>(declared);
  auto other = dyn_cast<RankedTensorType>(inferred);
  if (!type) {
    return false;
  }
  return llvm::any_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t i) {
    return !type.isDynamicDim(i) && (!other || other.isDynamicDim(i));
  });
}

/// True where `declared` knows another size than `inferred`.
static bool contradicts(Type declared, Type inferred) {
  auto type = dyn_cast<RankedTensorType>(declared);
  auto other = dyn_cast<RankedTensorType>(inferred);
  return type && other && type.getRank() == other.getRank() &&
         failed(verifyCompatibleShape(type, other));
}

namespace {
struct AssertDeclaredSizesPass final
    : nacre::IE::impl::AssertDeclaredSizesBase<AssertDeclaredSizesPass> {
  void runOnOperation() override {
    SmallVector<IE::SizesOpInterface> ops;
    known.clear();
    getOperation().walk([&](IE::SizesOpInterface op) { ops.push_back(op); });
    for (IE::SizesOpInterface op : ops) {
      if (failed(assertSizes(op))) {
        return signalPassFailure();
      }
    }
    SmallVector<IE::YieldingOpInterface> yielding;
    getOperation().walk(
        [&](IE::YieldingOpInterface op) { yielding.push_back(op); });
    for (IE::YieldingOpInterface op : yielding) {
      SmallVector<Type> types = op.getYieldedTypes();
      for (Region &body : op->getRegions()) {
        assertYielded(body.front().getTerminator(), types);
      }
      if (auto repeated = dyn_cast<IE::BodyOpInterface>(*op)) {
        assertCarried(repeated, types);
      }
    }
  }

private:
  LogicalResult assertSizes(IE::SizesOpInterface op) {
    auto inferable = cast<InferTypeOpInterface>(op.getOperation());
    SmallVector<Type> inferred;
    if (failed(inferable.inferReturnTypes(
            &getContext(), op.getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), inferred))) {
      return failure();
    }
    if (!llvm::any_of(llvm::zip_equal(op->getResultTypes(), inferred),
                      [](auto pair) {
                        return knowsMore(std::get<0>(pair), std::get<1>(pair));
                      })) {
      return success();
    }
    OpBuilder builder(op);
    AssertingSizes sizes(builder, op.getLoc(), known);
    ReifiedRankedShapedTypeDims results;
    if (failed(op.buildSizes(sizes, results))) {
      return op->emitError("unsupported sizes that do not follow from operands "
                           "of known rank; fix inputs with --shape NAME=DIMS");
    }
    for (auto [type, found] : llvm::zip_equal(op->getResultTypes(), results)) {
      assertEqual(op, sizes, cast<RankedTensorType>(type), found);
    }
    ++numChecked;
    return success();
  }

  /// As early in the block of `op` as the sizes are known: what the declared
  /// type becomes part of may be computed before `op`.
  static void assertEqual(Operation *op, AssertingSizes &sizes,
                          RankedTensorType declared,
                          ArrayRef<OpFoldResult> found) {
    for (auto [i, size] : llvm::enumerate(found)) {
      if (!declared.isDynamicDim(i)) {
        OpBuilder &builder = sizes.getBuilder();
        OpBuilder::InsertionGuard guard(builder);
        auto value = dyn_cast<Value>(size);
        Operation *producer = value ? value.getDefiningOp() : nullptr;
        if (producer && producer->getBlock() == op->getBlock()) {
          builder.setInsertionPointAfter(producer);
        } else if (value) {
          builder.setInsertionPointToStart(op->getBlock());
        }
        sizes.requireEqual(size, sizes.number(declared.getDimSize(i)),
                           "a result has another size than the model declares");
      }
    }
  }

  /// Asserts what only the op around a body knows of the values it yields. A
  /// run that comes to one that cannot have that type ends before.
  void assertYielded(Operation *yield, TypeRange types) {
    for (auto [operand, declared] :
         llvm::zip_equal(yield->getOpOperands(), types)) {
      Value value = operand.get();
      bool isOther = contradicts(declared, value.getType());
      if (!isa<RankedTensorType>(value.getType()) ||
          !(isOther || knowsMore(declared, value.getType()))) {
        continue;
      }
      auto type = cast<RankedTensorType>(declared);
      assertValue(yield, value, type);
      if (isOther) {
        OpBuilder builder(yield);
        SmallVector<Value> sizes;
        for (int64_t i = 0; i < type.getRank(); ++i) {
          if (type.isDynamicDim(i)) {
            sizes.push_back(
                tensor::DimOp::create(builder, yield->getLoc(), value, i));
          }
        }
        operand.set(
            tensor::EmptyOp::create(builder, yield->getLoc(), type, sizes));
      }
    }
  }

  /// Has carried values leave `op` under the type that holds of all of them,
  /// and asserts behind it what the model declares of the last ones besides.
  void assertCarried(IE::BodyOpInterface op, ArrayRef<Type> types) {
    size_t first = types.size() - op->getNumResults();
    for (auto [argument, number] : op.getCarriedArguments()) {
      if (number < first) {
        continue;
      }
      OpResult result = op->getResult(number - first);
      Type declared = result.getType();
      if (!knowsMore(declared, types[number])) {
        continue;
      }
      result.setType(types[number]);
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      auto cast =
          tensor::CastOp::create(builder, op->getLoc(), declared, result);
      result.replaceAllUsesExcept(cast, cast);
      assertValue(cast, result, mlir::cast<RankedTensorType>(declared));
    }
  }

  /// Asserts that `value` has the sizes that `declared` knows, before `op`.
  void assertValue(Operation *op, Value value, RankedTensorType declared) {
    OpBuilder builder(op);
    AssertingSizes sizes(builder, op->getLoc(), known);
    SmallVector<OpFoldResult> found;
    for (int64_t i = 0; i < declared.getRank(); ++i) {
      found.push_back(sizes.getSize(value, i));
    }
    assertEqual(op, sizes, declared, found);
    ++numChecked;
  }

  /// Of results that sizes have been followed through.
  TracedSizes::Known known;
};
} // namespace
