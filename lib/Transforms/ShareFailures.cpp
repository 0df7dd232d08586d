//===- ShareFailures.cpp - The share-failures pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run ends by a jump to where it began, which must not leave a region that
// threads share: only the thread that began it could, and the others wait for
// it there.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"

namespace nacre {
#define GEN_PASS_DEF_SHAREFAILURES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// True for functions of the runtime: by their own names or the ones that
/// code generation replaces by them.
static bool isOfRuntime(LLVM::LLVMFuncOp function) {
  return function.isExternal() &&
         (function.getName().starts_with("nacre_") ||
          function.getName() == "_mlir_memref_to_llvm_alloc");
}

namespace {
struct ShareFailuresPass final
    : nacre::impl::ShareFailuresBase<ShareFailuresPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<omp::LoopNestOp> loops;
    llvm::DenseMap<Operation *, bool> known;
    getOperation().walk([&](omp::LoopNestOp loop) {
      if (loop->getParentOfType<omp::ParallelOp>() &&
          mayFail(loop, symbols, known)) {
        loops.push_back(loop);
      }
    });
    // Inner ones first: what is outlined stays as it is.
    for (omp::LoopNestOp loop : loops) {
      outline(loop, symbols);
    }
  }

private:
  /// True if `op`, a function or a loop, calls the runtime.
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

  LLVM::LLVMFuncOp declare(SymbolTable &symbols, StringRef name, Type result,
                           ArrayRef<Type> arguments) {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name)) {
      return known;
    }
    OpBuilder builder(&getContext());
    auto function = LLVM::LLVMFuncOp::create(
        builder, getOperation().getLoc(), name,
        LLVM::LLVMFunctionType::get(result, arguments));
    symbols.insert(function);
    return function;
  }

  /// Makes the body of the loop a function of a struct of what it uses, which
  /// the runtime calls.
  void outline(omp::LoopNestOp loop, SymbolTable &symbols) {
    IRRewriter rewriter(&getContext());
    Location loc = loop.getLoc();
    auto ptr = LLVM::LLVMPointerType::get(&getContext());
    auto none = LLVM::LLVMVoidType::get(&getContext());
    Region &body = loop.getRegion();
    auto captured =
        makeRegionIsolatedFromAbove(rewriter, body, [](Operation *op) {
          return op->hasTrait<OpTrait::ConstantLike>();
        });
    Block *first = &body.front();
    auto frameType = LLVM::LLVMStructType::getLiteral(
        &getContext(), llvm::to_vector(first->getArgumentTypes()));
    auto getField = [&](Value frame, int32_t index) -> Value {
      return LLVM::GEPOp::create(rewriter, loc, ptr, frameType, frame,
                                 ArrayRef<LLVM::GEPArg>{0, index});
    };

    auto part = LLVM::LLVMFuncOp::create(rewriter, loc, "part",
                                         LLVM::LLVMFunctionType::get(none, ptr),
                                         LLVM::Linkage::Internal);
    symbols.insert(part);
    unsigned numIndices = loop.getNumLoops();
    SmallVector<Type> indices(
        ValueRange(first->getArguments()).take_front(numIndices).getTypes());
    part.getBody().takeBody(body);
    Operation *end = part.getBody().back().getTerminator();
    rewriter.setInsertionPoint(end);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    rewriter.eraseOp(end);
    Block *entry = rewriter.createBlock(first, ptr, loc);
    SmallVector<Value> fields;
    for (auto [index, type] : llvm::enumerate(first->getArgumentTypes())) {
      fields.push_back(LLVM::LoadOp::create(
          rewriter, loc, type, getField(entry->getArgument(0), index)));
    }
    rewriter.inlineBlockBefore(first, entry, entry->end(), fields);

    auto parallel = loop->getParentOfType<omp::ParallelOp>();
    rewriter.setInsertionPoint(parallel);
    Value whole =
        LLVM::CallOp::create(rewriter, loc,
                             declare(symbols, "nacre_run_current", ptr, {}),
                             ValueRange())
            .getResult();
    rewriter.setInsertionPointAfter(parallel);
    LLVM::CallOp::create(rewriter, loc,
                         declare(symbols, "nacre_run_join", none, ptr), whole);

    rewriter.setInsertionPointToStart(&parallel.getRegion().front());
    Value one = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                         rewriter.getI32IntegerAttr(1));
    Value frame = LLVM::AllocaOp::create(rewriter, loc, ptr, frameType, one);
    Block *call = rewriter.createBlock(&loop.getRegion(), {}, indices,
                                       SmallVector<Location>(numIndices, loc));
    SmallVector<Value> given(call->getArguments());
    llvm::append_range(given, captured);
    for (auto [index, value] : llvm::enumerate(given)) {
      LLVM::StoreOp::create(rewriter, loc, value, getField(frame, index));
    }
    Value address = LLVM::AddressOfOp::create(rewriter, loc, part);
    LLVM::CallOp::create(
        rewriter, loc,
        declare(symbols, "nacre_run_part", none, {ptr, ptr, ptr}),
        ValueRange{whole, address, frame});
    omp::YieldOp::create(rewriter, loc);
    ++numShared;
  }
};
} // namespace
