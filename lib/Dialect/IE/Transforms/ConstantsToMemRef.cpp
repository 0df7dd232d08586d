//===- ConstantsToMemRef.cpp - The ie-constants-to-memref pass ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small constants as buffers filled element by element: the tutorial's first
// lowering.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nacre::IE {
#define GEN_PASS_DEF_CONSTANTSTOMEMREF
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// A buffer that lives as long as the block.
static Value allocateForBlock(Location loc, Block &block, MemRefType type) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Value buffer = memref::AllocOp::create(builder, loc, type);
  builder.setInsertionPoint(block.getTerminator());
  memref::DeallocOp::create(builder, loc, buffer);
  return buffer;
}

/// Stores each element at its index, in row-major order.
static void storeElements(OpBuilder &builder, Location loc,
                          DenseElementsAttr value, Value buffer) {
  ArrayRef<int64_t> shape = value.getType().getShape();
  // One constant per position that occurs.
  SmallVector<Value> positions;
  int64_t largest = shape.empty() ? 0 : *llvm::max_element(shape);
  for (int64_t i = 0; i < largest; ++i) {
    positions.push_back(arith::ConstantIndexOp::create(builder, loc, i));
  }
  SmallVector<int64_t> index(shape.size(), 0);
  for (TypedAttr element : value.getValues<TypedAttr>()) {
    SmallVector<Value> indices;
    for (int64_t i : index) {
      indices.push_back(positions[i]);
    }
    Value scalar = arith::ConstantOp::create(builder, loc, element);
    affine::AffineStoreOp::create(builder, loc, scalar, buffer, indices);
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d]) {
        break;
      }
      index[d] = 0;
    }
  }
}

namespace {
struct ConstantsToMemRefPass final
    : nacre::IE::impl::ConstantsToMemRefBase<ConstantsToMemRefPass> {
  using ConstantsToMemRefBase::ConstantsToMemRefBase;

  void runOnOperation() override {
    getOperation().walk([&](IE::ConstantOp op) {
      auto value = dyn_cast<DenseElementsAttr>(op.getValue());
      if (!value || value.getNumElements() > maxElements ||
          !value.getElementType().isSignlessIntOrFloat()) {
        return;
      }
      // The buffer is gone when the function returns.
      bool escapes = llvm::any_of(op->getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      });
      if (escapes) {
        return;
      }
      OpBuilder builder(op);
      auto type =
          MemRefType::get(value.getType().getShape(), value.getElementType());
      Value buffer = allocateForBlock(op.getLoc(), *op->getBlock(), type);
      storeElements(builder, op.getLoc(), value, buffer);
      if (!op->use_empty()) {
        op.replaceAllUsesWith(bufferization::ToTensorOp::create(
                                  builder, op.getLoc(), op.getType(), buffer,
                                  /*restrict=*/true)
                                  .getResult());
      }
      op.erase();
    });
  }
};
} // namespace
