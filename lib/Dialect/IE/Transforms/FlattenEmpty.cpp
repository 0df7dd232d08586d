//===- FlattenEmpty.cpp - The ie-flatten-empty pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors without elements leave the boundary of a function as vectors: a
// memref of several dimensions, one of them 0, has no strides, and thus no
// plain pointer to stand for it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FLATTENEMPTY
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The type as a vector where the tensor has no elements; else null, as for
/// elements of which tensors are values that know their shape.
static RankedTensorType getEmptyVector(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() != 0 ||
      isa<IE::StringType>(tensor.getElementType()) ||
      IE::isPacked(tensor.getElementType())) {
    return {};
  }
  return RankedTensorType::get({0}, tensor.getElementType());
}

static Value buildEmpty(OpBuilder &builder, Location loc, Type type) {
  return IE::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(type),
                             ArrayRef<Attribute>()));
}

namespace {
struct FlattenEmptyPass final
    : nacre::IE::impl::FlattenEmptyBase<FlattenEmptyPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    Block &block = function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    for (BlockArgument argument : block.getArguments()) {
      RankedTensorType vector = getEmptyVector(argument.getType());
      if (!vector) {
        continue;
      }
      if (!argument.use_empty()) {
        argument.replaceAllUsesWith(
            buildEmpty(builder, argument.getLoc(), argument.getType()));
      }
      argument.setType(vector);
    }
    auto terminator = cast<func::ReturnOp>(block.getTerminator());
    builder.setInsertionPoint(terminator);
    for (OpOperand &operand : terminator->getOpOperands()) {
      if (RankedTensorType vector = getEmptyVector(operand.get().getType())) {
        operand.set(buildEmpty(builder, terminator.getLoc(), vector));
      }
    }
    function.setType(FunctionType::get(&getContext(), block.getArgumentTypes(),
                                       terminator.getOperandTypes()));
  }
};
} // namespace
