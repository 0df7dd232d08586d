//===- ShareLoops.cpp - The share-loops pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime decides while a model runs which thread does which iteration. All
// that it needs is a function.
//
//===----------------------------------------------------------------------===//

#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Target/RuntimeObjects.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace nacre {
#define GEN_PASS_DEF_SHARELOOPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// True for functions of the runtime: by their own names or the ones that
/// code generation replaces by them.
static bool isOfRuntime(LLVM::LLVMFuncOp function) {
  return function.isExternal() &&
         (llvm::is_contained(llvm::make_first_range(getRuntimeFunctions()),
                             function.getName()) ||
          function.getName() == "_mlir_memref_to_llvm_alloc");
}

static bool isConstant(Operation *op) {
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// True for what describes a buffer: a part builds it again for less than the
/// fields of a frame cost, of which a model with many steps would have very
/// many.
static bool isDescription(Operation *op) {
  return isConstant(op) ||
         isa<LLVM::AddressOfOp, LLVM::ExtractValueOp, LLVM::GEPOp,
             LLVM::InsertValueOp, LLVM::PoisonOp, LLVM::UndefOp>(op);
}

/// The loop that the threads of `parallel` share; null unless it is all that
/// they do.
static omp::LoopNestOp getSharedLoop(omp::ParallelOp parallel) {
  if (parallel->getNumOperands() != 0 || !parallel.getRegion().hasOneBlock()) {
    return {};
  }
  Block &body = parallel.getRegion().front();
  auto loop = dyn_cast<omp::WsloopOp>(body.front());
  if (body.getNumArguments() != 0 || !loop || loop->getNumOperands() != 0 ||
      !llvm::hasSingleElement(body.without_terminator())) {
    return {};
  }
  auto nest = dyn_cast<omp::LoopNestOp>(loop.getWrappedLoop());
  return nest && !nest.getLoopInclusive() ? nest : omp::LoopNestOp();
}

namespace {

/// Integers of the LLVM dialect, of as many bits as the runtime counts with.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value, unsigned bits = 64) {
    return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits),
                                    value);
  }
  Value widen(Value value) {
    return value.getType().isInteger(64)
               ? value
               : LLVM::SExtOp::create(builder, loc, builder.getI64Type(), value)
                     .getResult();
  }
  /// As many as a loop's counter has.
  Value narrow(Value value, Type type) {
    return value.getType() == type
               ? value
               : LLVM::TruncOp::create(builder, loc, type, value).getResult();
  }
  template <typename Op> Value compute(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  /// Iterations of a loop.
  Value count(Value lower, Value upper, Value step) {
    Value extent = compute<LLVM::SubOp>(widen(upper), widen(lower));
    Value wide = widen(step);
    Value rounded =
        compute<LLVM::AddOp>(extent, compute<LLVM::SubOp>(wide, constant(1)));
    return LLVM::SMaxOp::create(
        builder, loc, compute<LLVM::SDivOp>(rounded, wide), constant(0));
  }
};

struct ShareLoopsPass final : nacre::impl::ShareLoopsBase<ShareLoopsPass> {
  using ShareLoopsBase::ShareLoopsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<std::pair<omp::ParallelOp, bool>> regions;
    llvm::DenseMap<Operation *, bool> known;
    getOperation().walk([&](omp::ParallelOp parallel) {
      regions.push_back({parallel, mayFail(parallel, symbols, known)});
    });
    // Inner ones first: what is outlined stays as it is.
    for (auto [parallel, fails] : regions) {
      if (failed(share(parallel, fails, symbols))) {
        return signalPassFailure();
      }
    }
  }

private:
  /// True if `op`, a function or a region, calls the runtime.
  static bool mayFail(Operation *op, SymbolTable &symbols,
                      llvm::DenseMap<Operation *, bool> &known) {
    auto [it, isNew] = known.insert({op, false});
    if (!isNew) {
      return it->second;
    }
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    bool result = function && isOfRuntime(function);
    op->walk([&](LLVM::CallOp call) {
      auto callee =
          symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee().value_or(""));
      if (callee && mayFail(callee, symbols, known)) {
        result = true;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return known[op] = result;
  }

  LLVM::LLVMFuncOp declare(SymbolTable &symbols, StringRef name,
                           ArrayRef<Type> arguments) {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name)) {
      return known;
    }
    OpBuilder builder(&getContext());
    auto function = LLVM::LLVMFuncOp::create(
        builder, getOperation().getLoc(), name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    arguments));
    symbols.insert(function);
    return function;
  }

  /// Where the fields of a frame, a struct of values of these types, lie. Only
  /// the loop and its part see it: a bool may be one bit there, in scalar code.
  static Value getField(OpBuilder &builder, Location loc, Value frame,
                        Type frameType, size_t index) {
    return LLVM::GEPOp::create(
        builder, loc, frame.getType(), frameType, frame,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
  }

  /// Makes the body of `loop` a function of a frame with the values in
  /// `captured` and of the number of an iteration.
  LLVM::LLVMFuncOp outline(omp::LoopNestOp loop, SymbolTable &symbols,
                           llvm::SetVector<Value> &captured, Type &frameType) {
    IRRewriter rewriter(&getContext());
    Location loc = loop.getLoc();
    auto ptr = LLVM::LLVMPointerType::get(&getContext());
    Region &body = loop.getRegion();
    SmallVector<Value> used =
        makeRegionIsolatedFromAbove(rewriter, body, isDescription);
    captured.insert_range(used);
    for (auto [index, bound] : llvm::enumerate(getBounds(loop))) {
      // How far the slowest counter goes says the number of the iteration.
      if (index != 1 && !isConstant(bound.getDefiningOp())) {
        captured.insert(bound);
      }
    }
    frameType = LLVM::LLVMStructType::getLiteral(
        &getContext(),
        llvm::to_vector(ValueRange(captured.getArrayRef()).getTypes()));
    auto part = LLVM::LLVMFuncOp::create(
        rewriter, loc, "part",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    {ptr, rewriter.getI64Type()}),
        LLVM::Linkage::Internal);
    symbols.insert(part);
    Block *first = &body.front();
    part.getBody().takeBody(body);
    Operation *end = part.getBody().back().getTerminator();
    rewriter.setInsertionPoint(end);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    rewriter.eraseOp(end);

    Block *entry =
        rewriter.createBlock(first, {ptr, rewriter.getI64Type()}, {loc, loc});
    auto rebuild = [&](Value value) -> Value {
      if (isConstant(value.getDefiningOp())) {
        return rewriter.clone(*value.getDefiningOp())->getResult(0);
      }
      size_t index =
          std::distance(captured.begin(), llvm::find(captured, value));
      return LLVM::LoadOp::create(
          rewriter, loc, value.getType(),
          getField(rewriter, loc, entry->getArgument(0), frameType, index));
    };
    SmallVector<Value> values =
        buildCounters(rewriter, loop, entry->getArgument(1), rebuild);
    llvm::append_range(values, llvm::map_range(used, rebuild));
    rewriter.inlineBlockBefore(first, entry, entry->end(), values);
    return part;
  }

  /// Lower and upper bound and step of each loop of a nest.
  static SmallVector<Value> getBounds(omp::LoopNestOp loop) {
    SmallVector<Value> bounds;
    for (auto [lower, upper, step] :
         llvm::zip_equal(loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                         loop.getLoopSteps())) {
      llvm::append_values(bounds, lower, upper, step);
    }
    return bounds;
  }

  /// The counters of iteration `number` of a nest; the last is the fastest.
  static SmallVector<Value>
  buildCounters(OpBuilder &builder, omp::LoopNestOp loop, Value number,
                llvm::function_ref<Value(Value)> rebuild) {
    Arithmetic math{builder, loop.getLoc()};
    SmallVector<Value> bounds = getBounds(loop);
    SmallVector<Value> counters(loop.getNumLoops());
    for (size_t i = counters.size(); i-- > 0;) {
      Value lower = rebuild(bounds[3 * i]), step = rebuild(bounds[3 * i + 2]);
      Value position = number;
      if (i > 0) {
        Value count = math.count(lower, rebuild(bounds[3 * i + 1]), step);
        position = math.compute<LLVM::URemOp>(number, count);
        number = math.compute<LLVM::UDivOp>(number, count);
      }
      Value counter = math.compute<LLVM::AddOp>(
          math.widen(lower),
          math.compute<LLVM::MulOp>(position, math.widen(step)));
      counters[i] = math.narrow(counter, lower.getType());
    }
    return counters;
  }

  LogicalResult share(omp::ParallelOp parallel, bool fails,
                      SymbolTable &symbols) {
    omp::LoopNestOp loop = getSharedLoop(parallel);
    if (!loop) {
      return parallel.emitError("expected a region that is one shared loop");
    }
    OpBuilder builder(parallel);
    Location loc = parallel.getLoc();
    Arithmetic math{builder, loc};
    Value total;
    for (auto [lower, upper, step] :
         llvm::zip_equal(loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                         loop.getLoopSteps())) {
      Value count = math.count(lower, upper, step);
      total = total ? math.compute<LLVM::MulOp>(total, count) : count;
    }
    llvm::SetVector<Value> captured;
    Type frameType;
    LLVM::LLVMFuncOp part = outline(loop, symbols, captured, frameType);

    auto ptr = LLVM::LLVMPointerType::get(&getContext());
    Value frame = allocateFrame(parallel, frameType);
    for (auto [index, value] : llvm::enumerate(captured)) {
      LLVM::StoreOp::create(builder, loc, value,
                            getField(builder, loc, frame, frameType, index));
    }
    SmallVector<Type> types = {ptr, ptr, ptr, builder.getI64Type(),
                               builder.getI32Type()};
    LLVM::LLVMFuncOp callee = declare(symbols, names::kShare, types);
    Value address = LLVM::AddressOfOp::create(builder, loc, part);
    SmallVector<Value> arguments = {address, address, frame, total,
                                    math.constant(threads, 32)};
    if (fails) {
      // It tells nacre_share itself which step that is.
      arguments.front() = LLVM::AddressOfOp::create(builder, loc, callee);
      callee = declare(symbols, names::kRunShare, types);
      ++numFallible;
    }
    LLVM::CallOp::create(builder, loc, callee, arguments);
    parallel.erase();
    ++numShared;
    return success();
  }

  /// Memory for a frame, once for all iterations of a loop around it.
  static Value allocateFrame(omp::ParallelOp parallel, Type type) {
    auto function = parallel->getParentOfType<LLVM::LLVMFuncOp>();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Location loc = parallel.getLoc();
    Value one = Arithmetic{builder, loc}.constant(1, 32);
    return LLVM::AllocaOp::create(
        builder, loc, LLVM::LLVMPointerType::get(type.getContext()), type, one);
  }
};
} // namespace
