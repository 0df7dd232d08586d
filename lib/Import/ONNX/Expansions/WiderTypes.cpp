//===- WiderTypes.cpp - Expansions: operators on other types --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of element types that those of IE do not have, computed on wider
// ones.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// Bools are numbers that are 0 or 1. What is cut off to an integer afterwards
/// jumps there, hence doubles.
static Type getWiderType(Expander &e, Type element) {
  if (element.isInteger(1)) {
    return e.getInt(8, /*isUnsigned=*/true);
  }
  return IE::isSmallNumber(element) ? e.getF32()
                                    : Float64Type::get(element.getContext());
}

/// Curves leave the range of the elements that they go through: the nearest
/// number within, as image libraries have it. Doubles hold no bounds of 64
/// bits.
static Value roundToRange(Expander &e, Value value, IntegerType element) {
  unsigned bits = element.getWidth();
  bool isUnsigned = element.isUnsigned();
  llvm::APInt low = isUnsigned ? llvm::APInt::getMinValue(bits)
                               : llvm::APInt::getSignedMinValue(bits);
  llvm::APInt high = isUnsigned ? llvm::APInt::getMaxValue(bits)
                                : llvm::APInt::getSignedMaxValue(bits);
  Type wide = e.getElement(value);
  return e.clip(e.create<IE::RoundOp>({value}),
                e.buildScalar(low.roundToDouble(!isUnsigned), wide),
                e.buildScalar(high.roundToDouble(!isUnsigned), wide));
}

void onnx_import::expandOnWiderType(Expander &e) {
  Value input = e.getRequiredInput(0, "the first operand");
  if (e.hasFailed()) {
    return;
  }
  Type element = e.getElement(input), wide = getWiderType(e, element);
  SmallVector<Value> operands(e.getInputs());
  operands.front() = e.cast(input, wide);
  SmallVector<NamedAttribute> attributes = e.takeAttributes();
  bool isCurve = e.getOpType() == "Resize" &&
                 llvm::is_contained(attributes, e.attr("mode", "cubic"));
  Value result =
      e.createByName("IE." + e.getOpType().str(), operands, attributes).front();
  auto integer = dyn_cast<IntegerType>(element);
  if (isCurve && integer && integer.getWidth() < 64 && !e.hasFailed()) {
    result = roundToRange(e, result, integer);
  }
  // What tells elements apart gives bools.
  e.setResults(e.getElement(result) == wide ? e.cast(result, element) : result);
}
