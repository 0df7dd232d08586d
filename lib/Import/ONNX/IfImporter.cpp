//===- IfImporter.cpp - ONNX's If -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An If gives what one of its branches gives. Where these have no common type,
// as values of two ranks have none, what follows the If becomes a part of each
// branch, which knows what it works on; a branch that what follows does not
// fit ends the run.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/BranchUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

// Each copies what follows it, so several in a row do so again and again.
static constexpr unsigned kMaxContinued = 32;

/// Emits what has been held back, for a failure.
static LogicalResult emitAll(MLIRContext &context,
                             MutableArrayRef<Diagnostic> diagnostics) {
  for (Diagnostic &diagnostic : diagnostics) {
    context.getDiagEngine().emit(std::move(diagnostic));
  }
  return failure();
}

/// Erases what an attempt has appended to a block.
static void eraseBehind(Block &block, Operation *last) {
  while (!block.empty() && &block.back() != last) {
    block.back().dropAllDefinedValueUses();
    block.back().erase();
  }
}

LogicalResult GraphImporter::importIf(const onnx::NodeProto &proto,
                                      ValueRange inputs, Scope &scope,
                                      unsigned depth) {
  Location loc = getNodeLocation(proto);
  if (!findGraph(proto, "then_branch") || !findGraph(proto, "else_branch") ||
      inputs.size() != 1 || !inputs[0]) {
    return emitError(loc)
           << "expected a condition, a then_branch and an else_branch of If";
  }
  if (!getElementTypeOrSelf(inputs[0]).isInteger(1)) {
    return emitError(loc) << "expected a condition of type bool, found "
                          << inputs[0].getType();
  }
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  std::vector<Diagnostic> errors;
  for (bool goesOn : {false, true}) {
    errors.clear();
    isUnsettled = false;
    FailureOr<SmallVector<Value>> values = failure();
    {
      ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
        errors.push_back(std::move(diagnostic));
      });
      // A decided condition leaves one branch, whose results may be of any
      // rank.
      std::optional<interpreter::Tensor> known = conditions.getValue(inputs[0]);
      values = known ? importBranch(proto, known->getInt(0) != 0, scope, depth,
                                    goesOn)
                     : importBranches(proto, inputs[0], scope, depth, goesOn);
    }
    if (succeeded(values)) {
      (void)emitAll(context, errors); // warnings
      if (!goesOn) {
        return defineAll(scope, proto, *values, loc);
      }
      scope.rest = {};
      scope.results = std::move(*values);
      return success();
    }
    if (!isUnsettled || numContinued == kMaxContinued) {
      break;
    }
    if (!goesOn) {
      ++numContinued;
      isUnsupported = false;
      eraseBehind(*block, last);
      builder.setInsertionPointToEnd(block);
      conditions.forget();
    }
  }
  return emitAll(context, errors);
}

FailureOr<SmallVector<Value>>
GraphImporter::importBranch(const onnx::NodeProto &proto, bool isThen,
                            const Scope &scope, unsigned depth, bool goesOn) {
  return importSubgraph(
      *findGraph(proto, isThen ? "then_branch" : "else_branch"), {}, scope,
      depth, goesOn ? &proto : nullptr);
}

FailureOr<SmallVector<Value>>
GraphImporter::importBranches(const onnx::NodeProto &proto, Value condition,
                              const Scope &scope, unsigned depth, bool goesOn) {
  Location loc = getNodeLocation(proto);
  const Scope &last = goesOn ? scope.getLast() : scope;
  SmallVector<StringRef> names = goesOn ? last.outputs : getOutputNames(proto);
  size_t numResults =
      goesOn ? names.size() : findGraph(proto, "then_branch")->output_size();
  SmallVector<Type> placeholders(numResults, getPlaceholderType(&context));
  auto op = IE::IfOp::create(builder, loc, placeholders, condition);
  OpBuilder::InsertionGuard guard(builder);
  // A branch that does not fit the sizes or ranks at hand does no harm unless a
  // run takes it: its error waits until the other branch is known to be one.
  std::vector<Diagnostic> errors;
  Region *unfit = nullptr;
  for (Region *region : {&op.getThenBranch(), &op.getElseBranch()}) {
    builder.createBlock(region);
    FailureOr<SmallVector<Value>> values = failure();
    {
      ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
        errors.push_back(std::move(diagnostic));
      });
      values = importBranch(proto, region == &op.getThenBranch(), scope, depth,
                            goesOn);
    }
    if (succeeded(values)) {
      IE::YieldOp::create(builder, loc, *values);
      continue;
    }
    if (!isMisfit || unfit) {
      return emitAll(context, errors);
    }
    isMisfit = false;
    unfit = region;
    conditions.forget();
  }
  if (unfit) {
    bool isThen = unfit == &op.getElseBranch();
    FailureOr<SmallVector<Value>> results =
        IE::requireFittingBranch(op, isThen, errors);
    if (failed(results)) {
      return emitAll(context, errors);
    }
    op.erase();
    conditions.forget();
    return results;
  }
  (void)emitAll(context, errors); // warnings
  for (auto [lhs, rhs, output] :
       llvm::zip(op.getThenBranch().front().getTerminator()->getOperandTypes(),
                 op.getElseBranch().front().getTerminator()->getOperandTypes(),
                 names)) {
    if (IE::joinTypes(lhs, rhs)) {
      continue;
    }
    FailureOr<SmallVector<Value>> settled = settleRanks(op, names, last);
    if (succeeded(settled)) {
      return settled;
    }
    isUnsettled = true;
    return unsupported(loc)
           << "unsupported If: its branches give " << lhs << " and " << rhs
           << ", the condition is only known at run time, and nothing says "
              "which of them '"
           << output
           << "' is; where the condition follows from shapes, fix them with "
              "--shape NAME=DIMS, else declare the shape of '"
           << output << "' in the model";
  }
  if (failed(inferResults(op, names, last))) {
    return failure();
  }
  return SmallVector<Value>(op.getResults());
}
