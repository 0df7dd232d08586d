//===- StoreBoolsAsBytes.cpp - The store-bools-as-bytes pass --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bool takes a byte in memory, but LLVM's loop vectoriser leaves loops alone
// that load or store one bit. So memory is read and written by bytes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace nacre {
#define GEN_PASS_DEF_STOREBOOLSASBYTES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

/// Loads the byte; true is whatever is not 0.
static void widenLoad(LLVM::LoadOp load) {
  OpBuilder builder(load.getContext());
  builder.setInsertionPointAfter(load);
  load.getResult().setType(builder.getI8Type());
  Value zero = LLVM::ConstantOp::create(builder, load.getLoc(),
                                        builder.getI8IntegerAttr(0));
  Value isSet = LLVM::ICmpOp::create(
      builder, load.getLoc(), LLVM::ICmpPredicate::ne, load.getResult(), zero);
  load.getResult().replaceAllUsesExcept(isSet, isSet.getDefiningOp());
}

static void widenStore(LLVM::StoreOp store) {
  OpBuilder builder(store);
  Value byte = LLVM::ZExtOp::create(builder, store.getLoc(),
                                    builder.getI8Type(), store.getValue());
  store.getValueMutable().assign(byte);
}

namespace {
struct StoreBoolsAsBytesPass final
    : nacre::impl::StoreBoolsAsBytesBase<StoreBoolsAsBytesPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op);
          load && load.getResult().getType().isInteger(1)) {
        widenLoad(load);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
                 store && store.getValue().getType().isInteger(1)) {
        widenStore(store);
      }
    });
  }
};
} // namespace
