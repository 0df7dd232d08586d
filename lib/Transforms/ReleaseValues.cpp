//===- ReleaseValues.cpp - The release-values pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run owns the values of the runtime that it makes. This says when it no
// longer needs them: each value that compiled code gets is owned by the block
// that gets it, which passes it on to what it branches to, or drops it after
// its last use.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

namespace nacre {
#define GEN_PASS_DEF_RELEASEVALUES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// A value of the runtime, and no address of a text.
static bool isHandle(Value value) {
  return isa<LLVM::LLVMPointerType>(value.getType()) &&
         !value.getDefiningOp<LLVM::AddressOfOp>();
}

static func::CallOp getRuntimeCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getCallee().starts_with("nacre_") ? call : func::CallOp();
}

/// What takes its operands over: they belong to others afterwards.
static bool consumes(Operation *op) {
  return isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp,
             func::ReturnOp>(op);
}

/// The function that does the same to a sequence that nobody uses any more.
static StringRef getInPlace(StringRef callee) {
  return llvm::StringSwitch<StringRef>(callee)
      .Case("nacre_sequence_append", "nacre_sequence_append_in_place")
      .Case("nacre_sequence_insert", "nacre_sequence_insert_in_place")
      .Case("nacre_sequence_erase", "nacre_sequence_erase_in_place")
      .Case("nacre_sequence_erase_last", "nacre_sequence_erase_last_in_place")
      .Default("");
}

namespace {

/// The uses of a handle, seen from the block that owns it.
struct Uses {
  /// Each operand in this block through which it is handed over.
  SmallVector<Operation *> handovers;
  /// Each operand in a block further in that is handed over, which takes an
  /// owner of its own.
  SmallVector<Operation *> innerHandovers;
  /// The last op of this block at which anything uses it; null without uses.
  Operation *last = nullptr;
  /// The last op of this block at which a view of its elements is used.
  Operation *lastOfViews = nullptr;
  /// Whether something but a handover uses it at `last`.
  bool isUsedAtLast = false;
  /// A view of its elements leaves the block.
  bool escapes = false;
};

class ValueReleaser {
public:
  ValueReleaser(func::FuncOp function, RuntimeCalls &calls)
      : function(function), calls(calls), views(function) {}

  void run();

private:
  bool understandsAll();
  Uses findUses(Value handle, Block &block);
  void addViews(func::CallOp call, Block &block, Uses &uses);
  void release(Value handle, Block &block);
  void buildCall(StringRef name, Value handle, OpBuilder &builder) {
    calls.call(builder, handle.getLoc(), name, handle, {});
  }

  func::FuncOp function;
  RuntimeCalls &calls;
  BufferViewFlowAnalysis views;
};

struct ReleaseValuesPass final
    : nacre::impl::ReleaseValuesBase<ReleaseValuesPass> {
  void runOnOperation() override {
    RuntimeCalls calls(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!function.isExternal()) {
        ValueReleaser(function, calls).run();
      }
    }
  }
};

} // namespace

/// Where a handle goes a way that is not known here, the run keeps all.
bool ValueReleaser::understandsAll() {
  return !function
              .walk([](Operation *op) {
                bool hasHandles = llvm::any_of(op->getOperands(), isHandle) ||
                                  llvm::any_of(op->getResults(), isHandle);
                bool isKnown = consumes(op) || getRuntimeCall(op) ||
                               isa<scf::IfOp, arith::SelectOp>(op);
                return hasHandles && !isKnown ? WalkResult::interrupt()
                                              : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Adds the uses of what a call gives a view of its operand's elements.
void ValueReleaser::addViews(func::CallOp call, Block &block, Uses &uses) {
  for (Value result : call.getResults()) {
    if (!isa<BaseMemRefType>(result.getType())) {
      continue;
    }
    for (Value view : views.resolve(result)) {
      for (Operation *user : view.getUsers()) {
        Operation *ancestor = block.findAncestorOpInBlock(*user);
        // Beyond the terminator, a view may be used at any time.
        if (!ancestor || ancestor == block.getTerminator()) {
          uses.escapes = true;
          return;
        }
        if (!uses.lastOfViews || uses.lastOfViews->isBeforeInBlock(ancestor)) {
          uses.lastOfViews = ancestor;
        }
      }
    }
  }
}

Uses ValueReleaser::findUses(Value handle, Block &block) {
  Uses uses;
  for (Operation *user : handle.getUsers()) {
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    if (!uses.last || uses.last->isBeforeInBlock(ancestor)) {
      uses.last = ancestor;
    }
    if (consumes(user)) {
      (user == ancestor ? uses.handovers : uses.innerHandovers).push_back(user);
    }
    if (auto call = getRuntimeCall(user)) {
      addViews(call, block, uses);
    }
  }
  if (uses.lastOfViews && uses.last->isBeforeInBlock(uses.lastOfViews)) {
    uses.last = uses.lastOfViews;
  }
  uses.isUsedAtLast =
      uses.last && (uses.last == uses.lastOfViews ||
                    !llvm::is_contained(uses.handovers, uses.last) ||
                    llvm::any_of(handle.getUsers(), [&](Operation *user) {
                      return user != uses.last &&
                             uses.last->isProperAncestor(user);
                    }));
  return uses;
}

void ValueReleaser::release(Value handle, Block &block) {
  OpBuilder builder(function.getContext());
  Uses uses = findUses(handle, block);
  for (Operation *op : uses.innerHandovers) {
    builder.setInsertionPoint(op);
    buildCall("nacre_keep", handle, builder);
  }
  // The last handover passes the block's own ownership on, if nothing comes
  // after it; every other one needs another.
  bool passesOn = !uses.escapes && uses.last && !uses.isUsedAtLast;
  if (passesOn) {
    uses.handovers.erase(llvm::find(uses.handovers, uses.last));
  }
  for (Operation *op : uses.handovers) {
    builder.setInsertionPoint(op);
    buildCall("nacre_keep", handle, builder);
  }
  if (passesOn || uses.escapes) {
    return;
  }
  if (!uses.last) {
    builder.setInsertionPointAfterValue(handle);
    buildCall("nacre_drop", handle, builder);
    return;
  }
  auto call = getRuntimeCall(uses.last);
  StringRef inPlace = call ? getInPlace(call.getCallee()) : StringRef();
  if (!inPlace.empty() && call.getOperand(0) == handle &&
      llvm::count(call.getOperands(), handle) == 1) {
    calls.declare(inPlace, call.getCalleeType());
    call.setCallee(inPlace);
    return;
  }
  builder.setInsertionPointAfter(uses.last);
  buildCall("nacre_drop", handle, builder);
}

void ValueReleaser::run() {
  if (!understandsAll()) {
    return;
  }
  SmallVector<std::pair<Value, Block *>> owned;
  function.walk([&](Block *block) {
    // What the function gets is its caller's.
    if (block->getParentOp() != function) {
      for (BlockArgument argument : block->getArguments()) {
        if (isHandle(argument)) {
          owned.emplace_back(argument, block);
        }
      }
    }
    for (Operation &op : *block) {
      for (Value result : op.getResults()) {
        if (isHandle(result)) {
          owned.emplace_back(result, block);
        }
      }
    }
  });
  for (auto [handle, block] : owned) {
    release(handle, *block);
  }
  // One of two that others own.
  function.walk([&](arith::SelectOp op) {
    if (isHandle(op.getResult())) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      buildCall("nacre_keep", op.getResult(), builder);
    }
  });
}
