//===- ReleaseWeights.cpp - The release-weights pass ----------------------===//
//
// Weights are read once in a run. Most of a large model's need not be in memory
// at the same time.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Runtime/Calls.h"
#include "nacre/Runtime/Embedded.h"
#include "nacre/Support/HugePages.h"
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

namespace {
/// Bytes of the weights.
struct ByteRange {
  int64_t begin;
  int64_t end;
};
} // namespace

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

/// Adds to disjoint ascending ranges. What separates two is less than what
/// weights are aligned to.
static void insert(SmallVectorImpl<ByteRange> &ranges, ByteRange added) {
  constexpr int64_t kGap = 64;
  auto *position = llvm::lower_bound(
      ranges, added,
      [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  position = ranges.insert(position, added);
  auto *next = std::next(position);
  if (next != ranges.end() && next->begin < position->end + kGap) {
    position->end = std::max(position->end, next->end);
    ranges.erase(next);
  }
  if (position == ranges.begin()) {
    return;
  }
  auto *previous = std::prev(position);
  if (position->begin < previous->end + kGap) {
    previous->end = std::max(previous->end, position->end);
    ranges.erase(position);
  }
}

/// The whole huge pages of a range, which is empty where there is none.
static ByteRange getPages(ByteRange range) {
  int64_t begin = llvm::divideCeilSigned(range.begin, kHugePage) * kHugePage;
  int64_t end = range.end / kHugePage * kHugePage;
  return {begin, std::max(begin, end)};
}

/// Takes the whole huge pages out of `ranges`. What is left waits for its
/// neighbours.
static SmallVector<ByteRange> takePages(SmallVectorImpl<ByteRange> &ranges) {
  SmallVector<ByteRange> taken, left;
  for (ByteRange range : ranges) {
    ByteRange pages = getPages(range);
    if (pages.begin == pages.end) {
      left.push_back(range);
      continue;
    }
    taken.push_back(pages);
    for (ByteRange rest : {ByteRange{range.begin, pages.begin},
                           ByteRange{pages.end, range.end}}) {
      if (rest.begin < rest.end) {
        left.push_back(rest);
      }
    }
  }
  ranges.assign(left.begin(), left.end());
  return taken;
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
    if (!hasRuntime || !main || !main.getBody().hasOneBlock() ||
        !module->hasAttr("nacre.weights")) {
      return;
    }
    auto type = main.getNumArguments() == 0
                    ? MemRefType()
                    : dyn_cast<MemRefType>(main.getArgumentTypes().back());
    if (!type || type.getRank() != 1 || !type.hasStaticShape() ||
        !type.getElementType().isInteger(8)) {
      module.emitError("expected weights as the last argument of main");
      return signalPassFailure();
    }
    if (type.getNumElements() >= least) {
      release(main.getArguments().back(), main.front());
    }
  }

private:
  /// Calls the runtime where the block has read enough of the weights.
  void release(BlockArgument weights, Block &block) {
    DenseMap<Operation *, SmallVector<ByteRange>> lastRead;
    for (Operation *user : weights.getUsers()) {
      auto view = dyn_cast<memref::ViewOp>(user);
      std::optional<int64_t> begin =
          view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      Operation *last = begin ? getLastUse(view, block) : nullptr;
      if (last) {
        MemRefType type = view.getType();
        lastRead[last].push_back(
            {*begin, *begin + type.getNumElements() *
                                  type.getElementTypeBitWidth() / 8});
      }
    }
    RuntimeCalls calls(getOperation());
    SmallVector<ByteRange> done;
    int64_t bytes = 0;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      bool isLast = op.hasTrait<OpTrait::IsTerminator>();
      for (ByteRange range : lastRead.lookup(&op)) {
        insert(done, range);
        bytes += range.end - range.begin;
      }
      if (bytes < window && !isLast) {
        continue;
      }
      OpBuilder builder(&op);
      if (!isLast) {
        builder.setInsertionPointAfter(&op);
      }
      for (ByteRange pages : takePages(done)) {
        buildCall(builder, op.getLoc(), weights, pages, calls);
      }
      bytes = 0;
    }
  }

  void buildCall(OpBuilder &builder, Location loc, Value weights,
                 ByteRange pages, RuntimeCalls &calls) {
    auto offset = arith::ConstantIndexOp::create(builder, loc, pages.begin);
    auto size =
        arith::ConstantIndexOp::create(builder, loc, pages.end - pages.begin);
    // Pointers of the runtime are of this type.
    auto type = MemRefType::get({1}, builder.getI8Type());
    Value begin = memref::ViewOp::create(builder, loc, type, weights, offset,
                                         ValueRange());
    calls.call(builder, loc, "nacre_release_weights", {begin, size}, {});
    ++numReleases;
  }
};
} // namespace
