//===- WiderTypes.cpp - Expansions: operators on other types --------------===//
//
// Operators of element types that those of IE do not have, computed on wider
// ones.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

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

void onnx_import::expandOnWiderType(Expander &e) {
  Value input = e.getRequiredInput(0, "the first operand");
  if (e.hasFailed()) {
    return;
  }
  Type element = e.getElement(input), wide = getWiderType(e, element);
  SmallVector<Value> operands(e.getInputs());
  operands.front() = e.cast(input, wide);
  Value result =
      e.createByName("IE." + e.getOpType().str(), operands, e.takeAttributes())
          .front();
  // What tells elements apart gives bools.
  e.setResults(e.getElement(result) == wide ? e.cast(result, element) : result);
}
