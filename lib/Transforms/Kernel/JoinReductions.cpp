//===- JoinReductions.cpp - Rows reduced where they are computed ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax sums the exponentials that the loop before has stored. A loop that
// does both has them in registers, and adds them up while it computes others.
//
//===----------------------------------------------------------------------===//

#include "JoinReductions.h"

#include "nacre/Dialect/VPU/Transforms/StoredRows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace nacre;

/// One op in place of both.
static void join(RewriterBase &rewriter, const VPU::StoredRows &pair) {
  linalg::GenericOp producer = pair.producer, reduction = pair.reduction;
  MLIRContext *context = rewriter.getContext();
  SmallVector<AffineExpr> loops =
      llvm::map_to_vector(pair.loops, [&](unsigned loop) {
        return getAffineDimExpr(loop, context);
      });
  SmallVector<Value> inputs(producer.getInputs());
  SmallVector<AffineMap> maps;
  for (AffineMap map : producer.getIndexingMapsArray()) {
    maps.push_back(map.replaceDimsAndSymbols(loops, {}, reduction.getNumLoops(),
                                             /*numResultSyms=*/0));
  }
  AffineMap storedMap = maps.pop_back_val();
  for (auto [i, input] : llvm::enumerate(reduction.getInputs())) {
    if (i != pair.input) {
      inputs.push_back(input);
      maps.push_back(reduction.getIndexingMapsArray()[i]);
    }
  }
  Value outputs[] = {producer.getDpsInits()[0], reduction.getDpsInits()[0]};
  maps.push_back(storedMap);
  maps.push_back(reduction.getIndexingMapsArray().back());
  rewriter.setInsertionPoint(reduction);
  linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({producer.getLoc(), reduction.getLoc()}),
      inputs, outputs, maps, reduction.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        size_t own = producer.getNumDpsInputs();
        mapping.map(producer.getRegionInputArgs(), arguments.take_front(own));
        for (Operation &op : producer.getBody()->without_terminator()) {
          b.clone(op, mapping);
        }
        Value element = mapping.lookupOrDefault(
            producer.getBody()->getTerminator()->getOperand(0));
        size_t next = own;
        for (auto [i, argument] :
             llvm::enumerate(reduction.getRegionInputArgs())) {
          mapping.map(argument, i == pair.input ? element : arguments[next++]);
        }
        mapping.map(reduction.getRegionOutputArgs()[0], arguments.back());
        for (Operation &op : reduction.getBody()->without_terminator()) {
          b.clone(op, mapping);
        }
        Value total = mapping.lookupOrDefault(
            reduction.getBody()->getTerminator()->getOperand(0));
        linalg::YieldOp::create(b, loc, {element, total});
      });
  rewriter.eraseOp(reduction);
  rewriter.eraseOp(producer);
}

FailureOr<int64_t> nacre::joinReductions(RewriterBase &rewriter,
                                         Operation *root) {
  if (failed(VPU::verifyJoins(root))) {
    return failure();
  }
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (VPU::isJoined(op)) {
      ops.push_back(op);
    }
  });
  for (linalg::GenericOp op : ops) {
    // As verified.
    std::optional<VPU::StoredRows> rows = VPU::StoredRows::find(op);
    assert(rows && "expected a loop that stores what the op reduces");
    join(rewriter, *rows);
  }
  return static_cast<int64_t>(ops.size());
}
