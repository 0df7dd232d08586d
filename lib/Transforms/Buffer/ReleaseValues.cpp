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

#include "nacre/Dialect/Runtime/IR/Runtime.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre {
#define GEN_PASS_DEF_RELEASEVALUES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// A value of the runtime.
static bool isHandle(Value value) {
  return isa<rt::ValueType>(value.getType());
}

/// True if the op of this use owns the value afterwards, in the block's place.
static bool isHandover(OpOperand &use) {
  return cast<rt::OwnershipOpInterface>(use.getOwner()).takesOver(use);
}

/// The use as what an op would change in place; null if it is none.
static rt::InPlaceOpInterface getUpdate(Operation *op, Value handle) {
  auto update = dyn_cast<rt::InPlaceOpInterface>(op);
  bool isOnlyUse = update && update.getUpdatedOperand().get() == handle &&
                   llvm::count(op->getOperands(), handle) == 1;
  return isOnlyUse ? update : rt::InPlaceOpInterface();
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
  explicit ValueReleaser(func::FuncOp function)
      : function(function), views(function) {}

  void run();

private:
  bool understandsAll();
  Uses findUses(Value handle, Block &block);
  void addUses(Value view, Block &block, Uses &uses);
  void release(Value handle, Block &block);

  func::FuncOp function;
  BufferViewFlowAnalysis views;
};

struct ReleaseValuesPass final
    : nacre::impl::ReleaseValuesBase<ReleaseValuesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isExternal()) {
        ValueReleaser(function).run();
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
                return hasHandles && !isa<rt::OwnershipOpInterface>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Adds the uses of a view of the elements.
void ValueReleaser::addUses(Value view, Block &block, Uses &uses) {
  for (Value alias : views.resolve(view)) {
    for (Operation *user : alias.getUsers()) {
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

Uses ValueReleaser::findUses(Value handle, Block &block) {
  Uses uses;
  for (OpOperand &use : handle.getUses()) {
    Operation *user = use.getOwner();
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    if (!uses.last || uses.last->isBeforeInBlock(ancestor)) {
      uses.last = ancestor;
    }
    if (isHandover(use)) {
      (user == ancestor ? uses.handovers : uses.innerHandovers).push_back(user);
    }
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      addUses(view.getViewDest(), block, uses);
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
    rt::KeepOp::create(builder, handle.getLoc(), handle);
  }
  // The last handover passes the block's own ownership on, if nothing comes
  // after it; every other one needs another.
  bool passesOn = !uses.escapes && uses.last && !uses.isUsedAtLast;
  if (passesOn) {
    uses.handovers.erase(llvm::find(uses.handovers, uses.last));
  }
  for (Operation *op : uses.handovers) {
    builder.setInsertionPoint(op);
    rt::KeepOp::create(builder, handle.getLoc(), handle);
  }
  if (passesOn || uses.escapes) {
    return;
  }
  if (!uses.last) {
    builder.setInsertionPointAfterValue(handle);
    rt::DropOp::create(builder, handle.getLoc(), handle);
    return;
  }
  if (rt::InPlaceOpInterface update = getUpdate(uses.last, handle)) {
    update.setInPlace(true);
    return;
  }
  builder.setInsertionPointAfter(uses.last);
  rt::DropOp::create(builder, handle.getLoc(), handle);
}

void ValueReleaser::run() {
  if (!understandsAll()) {
    return;
  }
  SmallVector<std::pair<Value, Block *>> owned;
  SmallVector<Value> chosen;
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
      for (OpResult result : op.getResults()) {
        if (!isHandle(result)) {
          continue;
        }
        owned.emplace_back(result, block);
        if (!cast<rt::OwnershipOpInterface>(op).addsOwner(result)) {
          chosen.push_back(result);
        }
      }
    }
  });
  for (auto [handle, block] : owned) {
    release(handle, *block);
  }
  // Of values that others own, the block becomes an owner, too.
  for (Value value : chosen) {
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(value);
    rt::KeepOp::create(builder, value.getLoc(), value);
  }
}
