//===- Reduction.cpp - Expansions: reductions -----------------------------===//
//
// Reductions of element types that IE's do not have.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// ReduceMax or ReduceMin of bools, as numbers that are 0 or 1.
void onnx_import::expandBoolReduction(Expander &e) {
  Value input = e.getRequiredInput(0, "data");
  SmallVector<Value> operands(e.getInputs());
  operands.front() = e.cast(input, e.getInt(8, /*isUnsigned=*/true));
  Value reduced =
      e.createByName("IE." + e.getOpType().str(), operands, e.takeAttributes())
          .front();
  e.setResults(e.cast(reduced, e.getElement(input)));
}
