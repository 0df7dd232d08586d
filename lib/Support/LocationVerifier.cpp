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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

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

/// What ops without a node are told apart by: an address may be that of an op
/// which the same pass has erased.
using Kind = std::pair<OperationName, Location>;
using Counts = llvm::DenseMap<Kind, size_t>;
using OrderedCounts = llvm::MapVector<Kind, size_t>;

class LocationVerifier final : public PassInstrumentation {
public:
  explicit LocationVerifier(bool &hasFailed) : hasFailed(hasFailed) {}

  void runBeforePass(Pass *, Operation *op) override {
    Counts &counts = known.emplace_back();
    for (auto &[kind, number] : count(op)) {
      counts[kind] = number;
    }
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    Counts before = std::move(known.back());
    known.pop_back();
    // A nest of passes makes nothing by itself.
    if (pass->getArgument().empty()) {
      return;
    }
    for (auto &[kind, number] : count(op)) {
      size_t numBefore = before.lookup(kind);
      if (number <= numBefore) {
        continue;
      }
      size_t numMade = number - numBefore;
      report(*pass, kind, numMade);
      // Passes that this one runs in are not to blame, too.
      for (Counts &counts : known) {
        counts[kind] += numMade;
      }
    }
  }

  void runAfterPassFailed(Pass *, Operation *) override { known.pop_back(); }

private:
  static OrderedCounts count(Operation *root) {
    OrderedCounts counts;
    root->walk([&](Operation *op) {
      if (needsNode(op) && !isTraceable(op->getLoc())) {
        ++counts[{op->getName(), op->getLoc()}];
      }
    });
    return counts;
  }

  /// Which of several ops of a kind are new is not known.
  void report(Pass &pass, const Kind &kind, size_t numMade) {
    hasFailed = true;
    emitError(kind.second)
        << "expected locations that lead to nodes of the model; "
        << pass.getArgument() << " made " << numMade << " " << kind.first
        << " without one";
  }

  bool &hasFailed;
  /// How many ops without a node there were before each of the passes that are
  /// running, which are inside of each other.
  SmallVector<Counts> known;
};

} // namespace

std::unique_ptr<PassInstrumentation>
nacre::createLocationVerifier(bool &hasFailed) {
  return std::make_unique<LocationVerifier>(hasFailed);
}
