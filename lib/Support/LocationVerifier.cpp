//===- LocationVerifier.cpp - Where ops come from -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/LocationVerifier.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace nacre;

bool nacre::isTraceable(Location loc) {
  return loc
      ->walk([](Location part) {
        auto file = dyn_cast<FileLineColLoc>(part);
        // The model as a whole is a file without a line.
        bool leads = isa<NameLoc>(part) || (file && file.getLine() > 0);
        return leads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A constant, or an empty tensor, as one without elements is written.
static bool isValue(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         (op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
          isMemoryEffectFree(op));
}

static bool needsNode(Operation *op) {
  return !isValue(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<ModuleOp, SymbolOpInterface, UnrealizedConversionCastOp>(op);
}

namespace {

using Ops = llvm::SetVector<Operation *>;

class LocationVerifier final : public PassInstrumentation {
public:
  explicit LocationVerifier(bool &hasFailed) : hasFailed(hasFailed) {}

  void runBeforePass(Pass *, Operation *op) override {
    known.emplace_back();
    collect(op, known.back());
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    Ops before = std::move(known.back());
    known.pop_back();
    // A nest of passes makes nothing by itself.
    if (pass->getArgument().empty()) {
      return;
    }
    Ops after;
    collect(op, after);
    for (Operation *made : after) {
      if (!before.contains(made)) {
        report(*pass, made);
      }
    }
    // Passes that this one runs in are not to blame, too.
    for (Ops &ops : known) {
      ops.insert_range(after);
    }
  }

  void runAfterPassFailed(Pass *, Operation *) override { known.pop_back(); }

private:
  static void collect(Operation *root, Ops &ops) {
    root->walk([&](Operation *op) {
      if (needsNode(op) && !isTraceable(op->getLoc())) {
        ops.insert(op);
      }
    });
  }

  void report(Pass &pass, Operation *op) {
    hasFailed = true;
    op->emitError() << "expected a location that leads to a node of the model; "
                    << pass.getArgument() << " made " << op->getName()
                    << " without one";
  }

  bool &hasFailed;
  /// The ops without a node before each of the passes that are running, which
  /// are inside of each other.
  SmallVector<Ops> known;
};

} // namespace

std::unique_ptr<PassInstrumentation>
nacre::createLocationVerifier(bool &hasFailed) {
  return std::make_unique<LocationVerifier>(hasFailed);
}
