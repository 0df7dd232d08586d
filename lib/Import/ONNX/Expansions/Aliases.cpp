//===- Aliases.cpp - Expansions: operators under another name -------------===//
//
// Operators of other domains that mean what one of ONNX does.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

static void expandTrilu(Expander &e) {
  e.setResults(e.create<IE::TriluOp>(e.getInputs(), e.takeAttributes()));
}

static void expandGatherND(Expander &e) {
  e.setResults(e.create<IE::GatherNDOp>(
      {e.getRequiredInput(0, "data"),
       e.cast(e.getRequiredInput(1, "indices"), e.getInt(64))}));
}

static void expandExpandDims(Expander &e) {
  Value axis = e.getRequiredInput(1, "axis");
  // A conversion to 64 bits would hide a constant from type inference.
  std::optional<SmallVector<int64_t>> known = e.evaluateInts(axis);
  axis = known ? e.buildInts(*known) : e.cast(axis, e.getInt(64));
  e.setResults(e.create<IE::UnsqueezeOp>({e.getRequiredInput(0, "X"), axis}));
}

static void expandPad(Expander &e) {
  Value pads = e.getRequiredInput(1, "pads");
  if (e.getRank(pads) == 2) {
    // Also allowed: one row.
    pads = e.reshape(pads, -1);
  }
  e.setResults(e.create<IE::PadOp>(
      {e.getRequiredInput(0, "data"), pads, e.getInput(2), Value()},
      e.takeAttributes()));
}

static void expandRange(Expander &e) {
  Value start = e.getRequiredInput(0, "start");
  Value delta = e.getInput(2);
  if (!delta && start) {
    delta = e.buildScalar(1, e.getElement(start));
  }
  auto asScalar = [&](Value value) {
    return e.getRank(value) == 0 ? value : e.reshape(value, {});
  };
  e.setResults(e.create<IE::RangeOp>({asScalar(start),
                                      asScalar(e.getRequiredInput(1, "limit")),
                                      asScalar(delta)}));
}

ArrayRef<ExpansionEntry> onnx_import::getAliases() {
  static constexpr ExpansionEntry kEntries[] = {
      {"com.microsoft", "DequantizeLinear", expandDequantizeLinear},
      {"com.microsoft", "ExpandDims", expandExpandDims},
      {"com.microsoft", "GatherND", expandGatherND},
      {"com.microsoft", "Pad", expandPad},
      {"com.microsoft", "QuantizeLinear", expandQuantizeLinear},
      {"com.microsoft", "Range", expandRange},
      {"com.microsoft", "Trilu", expandTrilu},
  };
  return kEntries;
}
