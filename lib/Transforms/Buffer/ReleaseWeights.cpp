//===- ReleaseWeights.cpp - The release-weights pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are read once in a run. Most of a large model's need not be in memory
// at the same time.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/HugePages.h"
#include "nacre/Target/RuntimeObjects.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"

namespace nacre {
#define GEN_PASS_DEF_RELEASEWEIGHTS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The last op of the block in which anything reads `view`, or a view of it.
/// Null where nothing does.
static Operation *getLastUse(Value view, Block &block) {
  Operation *last = nullptr;
  SmallVector<Value> views = {view};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(views, user->getResults());
        continue;
      }
      Operation *step = block.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(step)) {
        last = step;
      }
    }
  }
  return last;
}

namespace {
struct ReleaseWeightsPass final
    : nacre::impl::ReleaseWeightsBase<ReleaseWeightsPass> {
  using ReleaseWeightsBase::ReleaseWeightsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto arch =
        module->getAttrOfType<VPU::ArchAttr>(VPU::ArchAttr::moduleAttrName);
    bool hasRuntime = arch && getRuntimeObject(llvm::Triple(arch.getTriple()));
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!hasRuntime || !main || !main.getBody().hasOneBlock()) {
      return;
    }
    BlockArgument weights = abi::findArgument(main, abi::Role::Weights);
    auto type =
        weights ? dyn_cast<MemRefType>(weights.getType()) : MemRefType();
    if (type && type.hasStaticShape() && type.getNumElements() >= least) {
      release(weights, main.front());
    }
  }

private:
  /// Calls the runtime where the block has read enough of the weights.
  void release(BlockArgument weights, Block &block) {
    auto readers = getLastReaders(weights, block);
    DenseMap<Operation *, SmallVector<int64_t>> pages;
    for (auto [page, reader] : llvm::enumerate(readers)) {
      if (reader) {
        pages[reader].push_back(page);
      }
    }
    RuntimeCalls calls(getOperation());
    SmallVector<int64_t> done;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      bool isLast = op.hasTrait<OpTrait::IsTerminator>();
      llvm::append_range(done, pages.lookup(&op));
      if (static_cast<int64_t>(done.size()) * kHugePage < window && !isLast) {
        continue;
      }
      OpBuilder builder(&op);
      if (!isLast) {
        builder.setInsertionPointAfter(&op);
      }
      llvm::sort(done);
      for (size_t first = 0, end; first < done.size(); first = end) {
        end = first + 1;
        while (end < done.size() && done[end] == done[end - 1] + 1) {
          ++end;
        }
        buildCall(builder, op.getLoc(), weights, done[first] * kHugePage,
                  static_cast<int64_t>(end - first) * kHugePage, calls);
      }
      done.clear();
    }
  }

  /// For each whole page of the weights: the last op of the block that reads
  /// some of it, null where there is none.
  static SmallVector<Operation *> getLastReaders(BlockArgument weights,
                                                 Block &block) {
    auto all = cast<MemRefType>(weights.getType());
    SmallVector<Operation *> readers(all.getNumElements() / kHugePage, nullptr);
    for (Operation *user : weights.getUsers()) {
      auto view = dyn_cast<memref::ViewOp>(user);
      std::optional<int64_t> begin =
          view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      Operation *last = begin ? getLastUse(view, block) : nullptr;
      if (!last) {
        continue;
      }
      MemRefType type = view.getType();
      int64_t end = *begin + llvm::divideCeil(type.getNumElements() *
                                                  type.getElementTypeBitWidth(),
                                              8);
      for (int64_t page = *begin / kHugePage;
           page * kHugePage < end && page < int64_t(readers.size()); ++page) {
        if (!readers[page] || readers[page]->isBeforeInBlock(last)) {
          readers[page] = last;
        }
      }
    }
    return readers;
  }

  void buildCall(OpBuilder &builder, Location loc, Value weights, int64_t from,
                 int64_t bytes, RuntimeCalls &calls) {
    auto offset = arith::ConstantIndexOp::create(builder, loc, from);
    auto size = arith::ConstantIndexOp::create(builder, loc, bytes);
    // Pointers of the runtime are of this type.
    auto type = MemRefType::get({1}, builder.getI8Type());
    Value begin = memref::ViewOp::create(builder, loc, type, weights, offset,
                                         ValueRange());
    calls.call(builder, loc, names::kReleaseWeights, {begin, size}, {});
    ++numReleases;
  }
};
} // namespace
