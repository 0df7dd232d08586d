//===- Reducer.cpp - Makes a module small that is of interest -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes, from those that take the most away to those that clean up.
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;

static size_t countOps(ModuleOp module) {
  size_t count = 0;
  module->walk([&](Operation *) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Leaves an op out that computes something like its operand.
static bool forwardOperand(Operation *op) {
  if (op->getNumResults() != 1) {
    return false;
  }
  for (Value operand : op->getOperands()) {
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      op->erase();
      return true;
    }
  }
  return false;
}

/// Makes zeros of what an op computes, and of weights.
static bool replaceByZeros(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat()) {
    return false;
  }
  DenseElementsAttr value;
  if (matchPattern(op, m_Constant(&value)) && value.isSplat()) {
    return false;
  }
  OpBuilder builder(op);
  auto zeros =
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType()));
  // Constants of IE have the types that arith has not.
  Value constant =
      IE::isOperator(op)
          ? IE::ConstantOp::create(builder, op->getLoc(), zeros)->getResult(0)
          : arith::ConstantOp::create(builder, op->getLoc(), zeros)
                ->getResult(0);
  op->getResult(0).replaceAllUsesWith(constant);
  op->erase();
  return true;
}

/// Drops what computes nothing for others.
static bool eraseWithoutResults(Operation *op) {
  if (op->getNumResults() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<ModuleOp>(op)) {
    return false;
  }
  op->erase();
  return true;
}

/// Has a function return all but one of its values.
static bool dropResult(Operation *op) {
  auto terminator = dyn_cast<func::ReturnOp>(op);
  if (!terminator || terminator.getNumOperands() < 2) {
    return false;
  }
  unsigned last = terminator.getNumOperands() - 1;
  terminator->eraseOperand(last);
  return succeeded(
      terminator->getParentOfType<func::FuncOp>().eraseResult(last));
}

/// Drops an argument that nobody reads.
static bool dropArgument(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || function.isExternal()) {
    return false;
  }
  for (BlockArgument argument : function.getArguments()) {
    if (argument.use_empty()) {
      return succeeded(function.eraseArgument(argument.getArgNumber()));
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Reducer
//===----------------------------------------------------------------------===//

bool Reducer::isInteresting(ModuleOp candidate) const {
  return tester.isInteresting(candidate).first == Tester::Interestingness::True;
}

/// Changes the op of this index in a copy, which takes the module's place if it
/// is of interest.
bool Reducer::tryOn(size_t index, Change change) {
  OwningOpRef<ModuleOp> candidate = module->clone();
  Operation *found = nullptr;
  size_t next = 0;
  candidate->walk([&](Operation *op) {
    found = next++ == index ? op : found;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found || !change(found)) {
    return false;
  }
  // What nobody reads and nobody would miss.
  IRRewriter rewriter(candidate->getContext());
  (void)runRegionDCE(rewriter, (*candidate)->getRegions());
  // What is no module any more is of no interest, and no news.
  ScopedDiagnosticHandler quiet(candidate->getContext(), [](Diagnostic &) {});
  if (failed(verify(*candidate)) || !isInteresting(*candidate)) {
    return false;
  }
  module = std::move(candidate);
  return true;
}

/// Tries a change on each op, users before what they read.
bool Reducer::tryOnAll(Change change) {
  bool changed = false;
  for (size_t index = countOps(*module); index-- > 0;) {
    // The same place again: an op may take several changes.
    while (tryOn(index, change)) {
      changed = true;
      llvm::errs() << "nacre-reduce: " << countOps(*module) << " ops\n";
    }
  }
  return changed;
}

LogicalResult Reducer::run() {
  if (!isInteresting(*module)) {
    return failure();
  }
  static constexpr bool (*changes[])(Operation *) = {
      dropResult,          replaceByZeros, forwardOperand,
      eraseWithoutResults, dropArgument,
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto *change : changes) {
      changed |= tryOnAll(change);
    }
  }
  return success();
}
