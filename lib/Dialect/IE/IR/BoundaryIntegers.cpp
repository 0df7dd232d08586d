//===- BoundaryIntegers.cpp - Integers that a model takes or gives --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/BoundaryIntegers.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

/// What integers of these parameters stand for; null where they are not one
/// constant each.
static abi::IntegersAttr build(Type integer, Value scale, Value zeroPoint) {
  constexpr unsigned kByte = 8, kWord = 16;
  bool isSmall = integer.isInteger(kByte) || integer.isInteger(kWord);
  auto type = cast<RankedTensorType>(scale.getType());
  if (!isSmall || !type.getElementType().isF32() || !type.hasStaticShape() ||
      type.getNumElements() != 1) {
    return {};
  }
  auto scales = IE::getConstantFloats(scale);
  auto zeros = zeroPoint ? IE::getConstantInts(zeroPoint)
                         : std::optional(SmallVector<int64_t>{0});
  if (!scales || !zeros || zeros->size() != 1 ||
      !std::isfinite(scales->front()) || scales->front() <= 0) {
    return {};
  }
  Builder builder(scale.getContext());
  auto number =
      FloatAttr::get(builder.getF32Type(), static_cast<float>(scales->front()));
  return abi::IntegersAttr::get(builder.getContext(), number, zeros->front());
}

abi::IntegersAttr IE::getIntegers(QuantizeLinearOp op) {
  return build(getElementTypeOrSelf(op.getOutput().getType()), op.getScale(),
               op.getZeroPoint());
}

abi::IntegersAttr IE::getIntegers(DequantizeLinearOp op) {
  return build(getElementTypeOrSelf(op.getInput().getType()), op.getScale(),
               op.getZeroPoint());
}

/// What an argument stands for by all that read it; null where they differ.
static abi::IntegersAttr getIntegersOfArgument(BlockArgument argument) {
  abi::IntegersAttr common;
  for (OpOperand &use : argument.getUses()) {
    auto op = dyn_cast<IE::DequantizeLinearOp>(use.getOwner());
    abi::IntegersAttr integers =
        op && op.getInput() == use.get() ? IE::getIntegers(op) : nullptr;
    if (!integers || (common && common != integers)) {
      return {};
    }
    common = integers;
  }
  return common;
}

void IE::noteIntegers(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    abi::IntegersAttr integers = getIntegersOfArgument(argument);
    if (integers && !abi::getOfArgument<abi::Integers>(function, number)) {
      abi::setOfArgument<abi::Integers>(function, number, integers);
    }
  }
  Operation *end = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    auto op = value.getDefiningOp<QuantizeLinearOp>();
    abi::IntegersAttr integers = op ? getIntegers(op) : nullptr;
    auto result = static_cast<unsigned>(number);
    if (integers && !abi::getOfResult<abi::Integers>(function, result)) {
      abi::setOfResult<abi::Integers>(function, result, integers);
    }
  }
}
