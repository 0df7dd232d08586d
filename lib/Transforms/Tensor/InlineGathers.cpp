//===- InlineGathers.cpp - The inline-gathers pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that broadcasts a tensor of dynamic sizes reads it element by element,
// which no pattern fuses with what computes it. The rows that a mask
// has for each of the heads that share keys would be stored, one after the
// other.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace nacre {
#define GEN_PASS_DEF_INLINEGATHERS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

/// True for an op that finds each of its elements elsewhere, by the indices of
/// its loops.
static bool isGather(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumDpsInputs() == 0 &&
         op.getNumDpsInits() == 1 &&
         op.getNumLoops() == op.getNumParallelLoops() &&
         op.getIndexingMapsArray().front().isIdentity() &&
         op.getBody()->getArgument(0).use_empty() &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return isa<linalg::IndexOp, tensor::ExtractOp>(inner) ||
                  (isa<arith::ArithDialect>(inner.getDialect()) &&
                   isSpeculatable(&inner));
         });
}

namespace {
struct InlineGathersPass final
    : nacre::impl::InlineGathersBase<InlineGathersPass> {
  void runOnOperation() override {
    llvm::MapVector<Operation *, SmallVector<tensor::ExtractOp>> reads;
    getOperation()->walk([&](tensor::ExtractOp read) {
      auto gather = read.getTensor().getDefiningOp<linalg::GenericOp>();
      if (isGather(gather)) {
        reads[gather].push_back(read);
      }
    });
    for (auto &[gather, readers] : reads) {
      // Or it is stored in any case.
      bool isAll = llvm::all_of(gather->getUsers(), [](Operation *user) {
        return isa<tensor::DimOp>(user) ||
               (isa<tensor::ExtractOp>(user) &&
                isa<linalg::GenericOp>(user->getParentOp()));
      });
      if (!isAll) {
        continue;
      }
      for (tensor::ExtractOp read : readers) {
        inlineInto(read, cast<linalg::GenericOp>(gather));
      }
      ++numInlined;
    }
  }

private:
  static void inlineInto(tensor::ExtractOp read, linalg::GenericOp gather) {
    IRMapping mapping;
    OpBuilder builder(read);
    for (Operation &inner : gather.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        mapping.map(index.getResult(), read.getIndices()[index.getDim()]);
      } else {
        builder.clone(inner, mapping);
      }
    }
    Value found = gather.getBody()->getTerminator()->getOperand(0);
    read.replaceAllUsesWith(mapping.lookupOrDefault(found));
    read.erase();
  }
};
} // namespace
