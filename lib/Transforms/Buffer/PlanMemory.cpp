//===- PlanMemory.cpp - The plan-memory pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives buffer lifetimes from the order of ops and rewrites allocations into
// views of one arena. Blocks are planned from the inside out: a loop body's
// allocations form one buffer of the loop, alive only while it runs. A buffer
// of dynamic size has a place, too, if it is known how large
// it is at most: what is computed of the used part of a cache, say.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/Memory.h"
#include "nacre/Transforms/Buffer/MemoryPlanner.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace nacre {
#define GEN_PASS_DEF_PLANMEMORY
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// What a program can address at most.
static constexpr int64_t kMostBytes = int64_t(1) << 47;

static std::optional<int64_t> getConstantUpperBound(OpFoldResult bound);
static bool hasKnownCopies(memref::AllocOp alloc);

/// The sizes of a buffer, or the most that they are; nothing where one is not
/// known to have any bound.
static std::optional<SmallVector<int64_t>> getLargestShape(memref::AllocOp op) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : op.getMixedSizes()) {
    std::optional<int64_t> most = getConstantUpperBound(size);
    if (!most) {
      return std::nullopt;
    }
    shape.push_back(std::max<int64_t>(*most, 0));
  }
  return shape;
}

/// The bytes of a buffer with bounded sizes, at most; beyond what can be
/// addressed, some number of bytes that cannot, many of which can be added.
static int64_t getBytes(memref::AllocOp op) {
  unsigned bits = op.getType().getElementType().getIntOrFloatBitWidth();
  std::optional<int64_t> bytes =
      countBytes(*getLargestShape(op), llvm::divideCeil(bits, 8));
  return std::min(bytes.value_or(2 * kMostBytes), 2 * kMostBytes);
}

namespace {

/// What lives in one block: its own allocations and, per op with regions, the
/// allocations nested in it.
struct BlockPlan {
  struct Item {
    memref::AllocOp alloc;             // set for the block's own allocation
    Operation *owner = nullptr;        // else the op with the nested block
    std::unique_ptr<BlockPlan> nested; // and its plan
    int64_t copies = 1;                // of which as many exist at a time
    int64_t pitch = 0;                 // and are so many bytes apart

    /// Bytes of one of several iterations that run at the same time.
    int64_t getConcurrentBytes() const {
      return copies > 1 ? nested->memory.bytes : 0;
    }
  };
  SmallVector<Item> items;
  SmallVector<BufferLifetime> lifetimes; // one per item
  MemoryPlan memory;
};

class Planner {
public:
  Planner(func::FuncOp function, int64_t alignment, bool usesArena,
          int64_t limit)
      : aliases(function), alignment(alignment), usesArena(usesArena),
        limit(limit) {}

  FailureOr<BlockPlan> plan(Block &block);

  /// Replaces the planned allocations by views of `arena` at `base` (plus the
  /// dynamic `base` value inside concurrent iterations).
  void materialize(const BlockPlan &plan, Value arena, int64_t base,
                   Value dynamicBase);

private:
  BufferLifetime computeLifetime(memref::AllocOp alloc);
  bool leavesBlock(memref::AllocOp alloc);
  bool hasPlace(memref::AllocOp alloc);
  void freeAfterLastUse(memref::AllocOp alloc);
  LogicalResult requireMemory(const BlockPlan &plan);

  BufferViewFlowAnalysis aliases;
  llvm::DenseMap<Operation *, int64_t> steps;
  int64_t alignment;
  bool usesArena;
  int64_t limit;
};

} // namespace

BufferLifetime Planner::computeLifetime(memref::AllocOp alloc) {
  BufferLifetime lifetime;
  lifetime.bytes = getBytes(alloc);
  lifetime.first = std::numeric_limits<int64_t>::max();
  lifetime.last = std::numeric_limits<int64_t>::min();
  for (Value alias : aliases.resolve(alloc.getResult())) {
    for (Operation *user : alias.getUsers()) {
      Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
      lifetime.first = std::min(lifetime.first, steps.at(ancestor));
      lifetime.last = std::max(lifetime.last, steps.at(ancestor));
    }
  }
  if (lifetime.last < lifetime.first) {
    lifetime.first = lifetime.last = steps.at(alloc);
  }
  return lifetime;
}

/// True for a buffer that is used behind the op with its block.
bool Planner::leavesBlock(memref::AllocOp alloc) {
  for (Value alias : aliases.resolve(alloc.getResult())) {
    for (Operation *user : alias.getUsers()) {
      Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor || ancestor->hasTrait<OpTrait::IsTerminator>()) {
        return true;
      }
    }
  }
  return false;
}

/// True for a buffer of known size, or of one that is bounded and could all be
/// used.
bool Planner::hasPlace(memref::AllocOp alloc) {
  return alloc.getType().hasStaticShape() ||
         (getLargestShape(alloc) && getBytes(alloc) <= limit &&
          hasKnownCopies(alloc));
}

/// A buffer that leaves its block, as a loop's result say, lives until the run
/// ends.
void Planner::freeAfterLastUse(memref::AllocOp alloc) {
  if (leavesBlock(alloc)) {
    return;
  }
  Operation *last = alloc;
  for (Value alias : aliases.resolve(alloc.getResult())) {
    for (Operation *user : alias.getUsers()) {
      Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(ancestor)) {
        last = ancestor;
      }
    }
  }
  OpBuilder builder(alloc->getContext());
  builder.setInsertionPointAfter(last);
  memref::DeallocOp::create(builder, alloc.getLoc(), alloc.getResult());
}

/// The most that a size or a bound of a loop over clusters can be of which a
/// run chooses the least or the largest of several.
static std::optional<int64_t> getConstantUpperBound(OpFoldResult bound) {
  if (std::optional<int64_t> known = getConstantIntValue(bound)) {
    return known;
  }
  Operation *op = cast<Value>(bound).getDefiningOp();
  if (isa_and_present<arith::DivUIOp, arith::CeilDivUIOp>(op)) {
    return getConstantUpperBound(op->getOperand(0));
  }
  if (auto choice = dyn_cast_if_present<arith::SelectOp>(op)) {
    std::optional<int64_t> a = getConstantUpperBound(choice.getTrueValue());
    std::optional<int64_t> b = getConstantUpperBound(choice.getFalseValue());
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  if (isa_and_present<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp,
                      arith::MaxUIOp>(op)) {
    std::optional<int64_t> a = getConstantUpperBound(op->getOperand(0));
    std::optional<int64_t> b = getConstantUpperBound(op->getOperand(1));
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
      return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
    }
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  auto least = dyn_cast_if_present<affine::AffineMinOp>(op);
  auto largest = dyn_cast_if_present<affine::AffineMaxOp>(op);
  if (!least && !largest) {
    return std::nullopt;
  }
  AffineMap map = least ? least.getMap() : largest.getMap();
  std::optional<int64_t> most;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> one;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      one = constant.getValue();
    } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      one = getConstantUpperBound(op->getOperand(dim.getPosition()));
    } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      one = getConstantUpperBound(
          op->getOperand(map.getNumDims() + symbol.getPosition()));
    }
    if (largest) {
      if (!one) {
        return std::nullopt;
      }
      most = std::max(most.value_or(*one), *one);
    } else if (one) {
      most = std::min(most.value_or(*one), *one);
    }
  }
  return most;
}

/// True where another of the loops' bounds is what is left of some number of
/// iterations after division by `bound`: together they have that number.
static bool isShareOfAnother(OpFoldResult bound,
                             ArrayRef<OpFoldResult> others) {
  return llvm::any_of(others, [&](OpFoldResult other) {
    auto value = dyn_cast<Value>(other);
    auto quotient = value ? value.getDefiningOp<arith::DivUIOp>() : nullptr;
    return quotient && OpFoldResult(quotient.getRhs()) == bound;
  });
}

/// True where it is known how many iterations of the loops around a buffer may
/// run at the same time.
static bool hasKnownCopies(memref::AllocOp alloc) {
  auto loop = alloc->getParentOfType<scf::ForallOp>();
  while (loop && llvm::all_of(loop.getMixedUpperBound(), [](auto bound) {
           return getConstantUpperBound(bound).has_value();
         })) {
    loop = loop->getParentOfType<scf::ForallOp>();
  }
  return !loop;
}

/// Iterations of `op` that may run at the same time.
static FailureOr<int64_t> countConcurrentIterations(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  if (!forall) {
    return int64_t(1);
  }
  int64_t count = 1;
  for (auto [lower, upper, step] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    std::optional<int64_t> l = getConstantIntValue(lower);
    std::optional<int64_t> u = getConstantUpperBound(upper);
    std::optional<int64_t> s = getConstantIntValue(step);
    if (!l || !u || !s) {
      return op->emitError("expected constant bounds around allocations");
    }
    bool isKnown = getConstantIntValue(upper).has_value();
    if (!isKnown && (*l != 0 || *s != 1)) {
      return op->emitError(
          "expected a loop from 0 in steps of 1, as its bound is "
          "dynamic");
    }
    if (isKnown || !isShareOfAnother(upper, forall.getMixedUpperBound())) {
      count *= llvm::divideCeil(*u - *l, *s);
    }
  }
  return count;
}

/// A plan in which the iterations of all loops whose iterations take `sizes`
/// have the same places, `pitch` bytes apart.
static MemoryPlan planPlaces(const BlockPlan &plan, ArrayRef<int64_t> sizes,
                             int64_t pitch, int64_t alignment,
                             SmallVectorImpl<BufferLifetime> &places) {
  for (auto [item, lifetime] : llvm::zip_equal(plan.items, plan.lifetimes)) {
    if (!llvm::is_contained(sizes, item.getConcurrentBytes())) {
      places.push_back(lifetime);
      continue;
    }
    for (int64_t copy : llvm::seq(item.copies)) {
      places.push_back({item.nested->memory.bytes, lifetime.first,
                        lifetime.last, copy * pitch, true});
    }
  }
  return planMemory(places, alignment);
}

/// What a core wrote stays in its cache, and another that writes there has to
/// fetch it first. So iterations that run at the same time, which are cores,
/// keep their places from loop to loop, the largest first, as long as the arena
/// does not grow.
static void keepPlacesOfIterations(BlockPlan &plan, int64_t alignment) {
  SmallVector<int64_t> sizes;
  for (const BlockPlan::Item &item : plan.items) {
    if (item.getConcurrentBytes() > 0) {
      sizes.push_back(item.getConcurrentBytes());
    }
  }
  llvm::sort(sizes, std::greater<int64_t>());
  sizes.erase(llvm::unique(sizes), sizes.end());
  // Each costs another plan, and small ones move few lines.
  constexpr size_t kMostSizes = 16;
  sizes.truncate(std::min(sizes.size(), kMostSizes));
  SmallVector<int64_t> kept;
  SmallVector<BufferLifetime> best;
  for (int64_t size : sizes) {
    kept.push_back(size);
    SmallVector<BufferLifetime> places;
    MemoryPlan memory = planPlaces(plan, kept, kept.front(), alignment, places);
    if (memory.bytes > plan.memory.bytes) {
      kept.pop_back();
      continue;
    }
    plan.memory = memory;
    best = std::move(places);
  }
  if (kept.empty()) {
    return;
  }
  const BufferLifetime *place = best.begin();
  for (auto [item, lifetime] : llvm::zip_equal(plan.items, plan.lifetimes)) {
    lifetime.offset = place->offset;
    if (llvm::is_contained(kept, item.getConcurrentBytes())) {
      item.pitch = kept.front();
      place += item.copies;
    } else {
      ++place;
    }
  }
}

static memref::AllocOp findLargest(const BlockPlan &plan) {
  memref::AllocOp largest;
  for (const BlockPlan::Item &item : plan.items) {
    memref::AllocOp alloc =
        item.nested ? findLargest(*item.nested) : item.alloc;
    if (!largest || getBytes(alloc) > getBytes(largest)) {
      largest = alloc;
    }
  }
  return largest;
}

LogicalResult Planner::requireMemory(const BlockPlan &plan) {
  if (plan.memory.bytes <= limit) {
    return success();
  }
  memref::AllocOp largest = findLargest(plan);
  InFlightDiagnostic diagnostic =
      largest.emitError("what is computed at a time needs ")
      << plan.memory.bytes << " bytes, " << getBytes(largest) << " of them for "
      << largest.getType() << ", but there are " << limit << " bytes of memory";
  markAsMemoryError(diagnostic);
  return diagnostic;
}

FailureOr<BlockPlan> Planner::plan(Block &block) {
  for (auto [step, op] : llvm::enumerate(block)) {
    steps[&op] = step;
  }
  BlockPlan result;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (!alloc.getType().getLayout().isIdentity()) {
        return alloc.emitError("expected a contiguous buffer, found ")
               << alloc.getType();
      }
      if (isa<func::FuncOp>(block.getParentOp()) &&
          alloc.getType().hasStaticShape() && leavesBlock(alloc)) {
        return alloc.emitError(
            "expected a buffer that does not leave its block");
      }
      // What a branch of another size than its alternative gives leaves its
      // block, too.
      if (!usesArena || !hasPlace(alloc) || leavesBlock(alloc)) {
        freeAfterLastUse(alloc);
        continue;
      }
      result.items.push_back({alloc, nullptr, nullptr});
      result.lifetimes.push_back(computeLifetime(alloc));
      continue;
    }
    for (Region &region : op.getRegions()) {
      for (Block &inner : region) {
        FailureOr<BlockPlan> nested = plan(inner);
        if (failed(nested)) {
          return failure();
        }
        if (nested->items.empty()) {
          continue;
        }
        FailureOr<int64_t> copies = countConcurrentIterations(&op);
        if (failed(copies)) {
          return failure();
        }
        int64_t step = steps.at(&op), pitch = nested->memory.bytes;
        result.lifetimes.push_back({pitch * *copies, step, step});
        result.items.push_back({memref::AllocOp(), &op,
                                std::make_unique<BlockPlan>(std::move(*nested)),
                                *copies, pitch});
      }
    }
  }
  result.memory = planMemory(result.lifetimes, alignment);
  if (failed(requireMemory(result))) {
    return failure();
  }
  keepPlacesOfIterations(result, alignment);
  return result;
}

/// The position of the current iteration among all iterations of `forall`.
static OpFoldResult buildIterationNumber(OpBuilder &builder,
                                         scf::ForallOp forall) {
  MLIRContext *context = builder.getContext();
  OpFoldResult number = builder.getIndexAttr(0);
  AffineExpr acc = getAffineSymbolExpr(0, context);
  AffineExpr iv = getAffineSymbolExpr(1, context);
  for (auto [value, lower, upper, step] :
       llvm::zip_equal(forall.getInductionVars(), forall.getMixedLowerBound(),
                       forall.getMixedUpperBound(), forall.getMixedStep())) {
    int64_t l = *getConstantIntValue(lower);
    int64_t s = *getConstantIntValue(step);
    std::optional<int64_t> known = getConstantIntValue(upper);
    if (!known && isConstantIntValue(number, 0)) {
      number = value;
      continue;
    }
    if (!known) {
      // As many as the run has, so that the numbers have no gaps.
      Value before = arith::MulIOp::create(
          builder, forall.getLoc(),
          getValueOrCreateConstantIndexOp(builder, forall.getLoc(), number),
          cast<Value>(upper));
      number = arith::AddIOp::create(builder, forall.getLoc(), before, value)
                   .getResult();
      continue;
    }
    int64_t u = *known;
    AffineExpr expr = acc * static_cast<int64_t>(llvm::divideCeil(u - l, s)) +
                      (iv - l).floorDiv(s);
    number = affine::makeComposedFoldedAffineApply(
        builder, forall.getLoc(), expr, {number, OpFoldResult(value)});
  }
  return number;
}

void Planner::materialize(const BlockPlan &plan, Value arena, int64_t base,
                          Value dynamicBase) {
  for (auto [item, lifetime] : llvm::zip_equal(plan.items, plan.lifetimes)) {
    int64_t offset = base + lifetime.offset;
    if (item.nested) {
      Value nestedBase = dynamicBase;
      if (auto forall = dyn_cast<scf::ForallOp>(item.owner)) {
        OpBuilder builder = OpBuilder::atBlockBegin(forall.getBody());
        AffineExpr number = builder.getAffineSymbolExpr(0);
        AffineExpr expr = number * item.pitch;
        SmallVector<OpFoldResult> operands = {
            buildIterationNumber(builder, forall)};
        if (dynamicBase) {
          expr = expr + builder.getAffineSymbolExpr(1);
          operands.push_back(dynamicBase);
        }
        nestedBase = getValueOrCreateConstantIndexOp(
            builder, forall.getLoc(),
            affine::makeComposedFoldedAffineApply(builder, forall.getLoc(),
                                                  expr, operands));
      }
      materialize(*item.nested, arena, offset, nestedBase);
      continue;
    }
    memref::AllocOp alloc = item.alloc;
    OpBuilder builder(alloc);
    Location loc = alloc.getLoc();
    Value shift = arith::ConstantIndexOp::create(builder, loc, offset);
    if (dynamicBase) {
      shift = arith::AddIOp::create(builder, loc, dynamicBase, shift);
    }
    MemRefType type = alloc.getType();
    MemRefType plain = MemRefType::get(type.getShape(), type.getElementType());
    auto place = memref::ViewOp::create(builder, loc, plain, arena, shift,
                                        alloc.getDynamicSizes());
    if (!plain.hasStaticShape()) {
      abi::setNumber<abi::MostBytes>(place, getBytes(alloc));
    }
    Value view = place;
    if (plain != type) {
      view = memref::MemorySpaceCastOp::create(builder, loc, type, view);
    }
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
}

namespace {
struct PlanMemoryPass final : nacre::impl::PlanMemoryBase<PlanMemoryPass> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    int64_t bytes = 0, lowerBound = 0;
    int64_t limit =
        abi::getNumber<abi::MemoryLimit>(getOperation(), kMostBytes);
    abi::remove<abi::MemoryLimit>(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.isPublic()) {
        continue;
      }
      if (!function.getBody().hasOneBlock()) {
        function.emitError("expected a function of one block");
        return signalPassFailure();
      }
      function.walk([](memref::DeallocOp op) { op.erase(); });
      Planner planner(function, alignment, arena, limit);
      FailureOr<BlockPlan> plan = planner.plan(function.getBody().front());
      if (failed(plan)) {
        return signalPassFailure();
      }
      MLIRContext *context = &getContext();
      auto arenaType =
          MemRefType::get({plan->memory.bytes}, IntegerType::get(context, 8));
      unsigned position = function.getNumArguments();
      if (failed(function.insertArgument(
              position, arenaType, abi::buildRole(context, abi::Role::Arena),
              function.getLoc()))) {
        return signalPassFailure();
      }
      planner.materialize(*plan, function.getArgument(position), 0, Value());
      bytes = std::max(bytes, plan->memory.bytes);
      lowerBound = std::max(lowerBound, plan->memory.lowerBound);
    }
    abi::setNumber<abi::ArenaBytes>(getOperation(), bytes);
    abi::setNumber<abi::ArenaLowerBound>(getOperation(), lowerBound);
  }
};
} // namespace
