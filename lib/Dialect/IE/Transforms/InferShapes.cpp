//===- InferShapes.cpp - The ie-infer-shapes pass -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagates static shapes forward through a function. A branch that these show
// to be for other shapes does no harm unless a run takes it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/BranchUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {
#define GEN_PASS_DEF_INFERSHAPES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The meet of two compatible types: each dimension static if either is.
static Type refine(Type present, Type inferred) {
  auto lhs = dyn_cast<RankedTensorType>(present);
  auto rhs = dyn_cast<RankedTensorType>(inferred);
  if (!lhs || !rhs || lhs.getRank() != rhs.getRank()) {
    return present;
  }
  SmallVector<int64_t> shape(lhs.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, rhs.getShape())) {
    if (ShapedType::isDynamic(dim)) {
      dim = other;
    }
  }
  return lhs.clone(shape);
}

/// `isInLoop`, if given, is set where it fails for a loop's body, of which
/// there may be no run.
static LogicalResult inferBlock(Block &block, bool *isInLoop = nullptr);

/// Infers the result types of an op whose regions are done.
static LogicalResult inferResults(InferTypeOpInterface op) {
  SmallVector<Type> inferred;
  if (failed(op.inferReturnTypes(
          op->getContext(), op.getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), inferred))) {
    return failure();
  }
  if (!op.isCompatibleReturnTypes(inferred, op->getResultTypes())) {
    return op->emitError("expected result types compatible with ")
           << TypeRange(inferred) << ", found " << op->getResultTypes();
  }
  for (auto [result, type] : llvm::zip_equal(op->getResults(), inferred)) {
    result.setType(refine(result.getType(), type));
  }
  return success();
}

/// Assumes that carried values keep the shapes that they start with, and gives
/// the assumption up, dimension by dimension, where the body's results differ.
/// Null when it cannot be kept.
static OwningOpRef<Operation *> inferSpeculatively(IE::BodyOpInterface op,
                                                   ArrayRef<Type> entryTypes) {
  ScopedDiagnosticHandler ignored(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  SmallVector<Type> types(entryTypes);
  while (true) {
    OwningOpRef<Operation *> copy(op->clone());
    Block &body = copy->getRegion(0).front();
    for (auto [argument, type] : llvm::zip_equal(body.getArguments(), types)) {
      argument.setType(type);
    }
    if (failed(inferBlock(body))) {
      return {};
    }
    bool isStable = true;
    for (auto [argument, number] : op.getCarriedArguments()) {
      Type next = body.getTerminator()->getOperand(number).getType();
      Type joined = IE::joinTypes(types[argument], next);
      if (!joined) {
        return {};
      }
      isStable &= joined == types[argument];
      types[argument] = joined;
    }
    if (isStable) {
      return copy;
    }
  }
}

static LogicalResult inferBody(IE::BodyOpInterface op) {
  Region &body = op->getRegion(0);
  SmallVector<Type> types = op.getEntryTypes();
  for (auto [type, present] : llvm::zip_equal(types, body.getArgumentTypes())) {
    type = refine(present, type);
  }
  if (TypeRange(types) != TypeRange(body.getArgumentTypes())) {
    OwningOpRef<Operation *> copy = inferSpeculatively(op, types);
    // New ops that say nothing new would keep the passes from an end.
    if (copy && copy->getRegion(0).getArgumentTypes() !=
                    TypeRange(body.getArgumentTypes())) {
      body.takeBody(copy->getRegion(0));
      return success();
    }
  }
  return inferBlock(body.front());
}

namespace {
/// Whether a branch fits the types inferred. One with a loop whose body does
/// not may be right to take, if there is no run of that.
enum class Fit { yes, no, unknown };
} // namespace

/// Infers a branch, and finds what of it does not fit.
static Fit inferBranch(Region &branch) {
  bool isInLoop = false;
  bool fits = succeeded(inferBlock(branch.front(), &isInLoop));
  if (fits) {
    branch.walk([&](Operation *op) {
      fits = succeeded(op->getName().verifyInvariants(op));
      for (Operation *in = op->getParentOp();
           !fits && in != branch.getParentOp(); in = in->getParentOp()) {
        isInLoop |= isa<IE::BodyOpInterface>(in);
      }
      return fits ? WalkResult::advance() : WalkResult::interrupt();
    });
  }
  return fits ? Fit::yes : isInLoop ? Fit::unknown : Fit::no;
}

/// Infers an If. Where one branch does not fit, the other one takes its place
/// and the run ends if it would not take that; then the If is gone.
static LogicalResult inferIf(IE::IfOp op) {
  std::vector<Diagnostic> diagnostics;
  auto infer = [&](Region &branch) {
    ScopedDiagnosticHandler collect(
        op.getContext(), [&](Diagnostic &diagnostic) {
          diagnostics.push_back(std::move(diagnostic));
        });
    return inferBranch(branch);
  };
  Fit fitsThen = infer(op.getThenBranch());
  Fit fitsElse = infer(op.getElseBranch());
  if ((fitsThen == Fit::yes && fitsElse == Fit::no) ||
      (fitsThen == Fit::no && fitsElse == Fit::yes)) {
    FailureOr<SmallVector<Value>> results =
        IE::requireFittingBranch(op, fitsThen == Fit::yes, diagnostics);
    if (succeeded(results)) {
      for (auto [old, value] : llvm::zip_equal(op.getResults(), *results)) {
        value.setType(refine(old.getType(), value.getType()));
      }
      op->replaceAllUsesWith(*results);
      op.erase();
      return success();
    }
  }
  for (Diagnostic &diagnostic : diagnostics) {
    op.getContext()->getDiagEngine().emit(std::move(diagnostic));
  }
  return fitsThen == Fit::yes && fitsElse == Fit::yes ? inferResults(op)
                                                      : failure();
}

static LogicalResult inferBlock(Block &block, bool *isInLoop) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto branches = dyn_cast<IE::IfOp>(op)) {
      if (failed(inferIf(branches))) {
        return failure();
      }
      continue;
    }
    if (auto wrapped = dyn_cast<IE::BodyOpInterface>(op)) {
      if (failed(inferBody(wrapped))) {
        if (isInLoop) {
          *isInLoop = true;
        }
        return failure();
      }
    } else {
      for (Region &region : op.getRegions()) {
        for (Block &nested : region) {
          if (failed(inferBlock(nested, isInLoop))) {
            return failure();
          }
        }
      }
    }
    auto inferable = dyn_cast<InferTypeOpInterface>(op);
    if (inferable && failed(inferResults(inferable))) {
      return failure();
    }
  }
  return success();
}

namespace {
struct InferShapesPass final
    : nacre::IE::impl::InferShapesBase<InferShapesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    for (Block &block : function.getBody()) {
      if (failed(inferBlock(block))) {
        return signalPassFailure();
      }
    }
    // The signature follows the values it returns.
    Operation *terminator = function.getBody().back().getTerminator();
    function.setType(FunctionType::get(&getContext(),
                                       function.getArgumentTypes(),
                                       terminator->getOperandTypes()));
  }
};
} // namespace
