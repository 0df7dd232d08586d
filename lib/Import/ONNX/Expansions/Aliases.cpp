//===- Aliases.cpp - Expansions: operators under another name -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of other domains that mean what one of ONNX does.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/IR/Selection.h"
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

/// With the names that ONNX's had before 20.
static void expandGridSample(Expander &e) {
  std::string mode = e.takeString("mode", "bilinear");
  mode = mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode;
  SmallVector<NamedAttribute> attributes = e.takeAttributes();
  attributes.push_back(e.attr("mode", StringRef(mode)));
  e.setResults(e.create<IE::GridSampleOp>(
      {e.getRequiredInput(0, "X"), e.getRequiredInput(1, "Grid")}, attributes));
}

/// In the order of the input, and without where each is first.
static void expandUnique(Expander &e) {
  Value input = e.getRequiredInput(0, "x");
  if (e.expectRank(input, 1, "x")) {
    SmallVector<Value> results =
        e.createAll<IE::UniqueOp>({input}, {e.attr("sorted", int64_t(0))});
    results.erase(results.begin() + 1);
    e.setResults(results);
  }
}

/// A function in models that nacre exports (lib/Export/ONNX): as an op it has
/// its message and needs no index that is out of range.
static void expandRequire(Expander &e) {
  std::string message = e.takeString("message", "expected what a node needs");
  e.setResults(e.create<IE::RequireOp>(
      {e.getRequiredInput(0, "x"), e.getRequiredInput(1, "condition")},
      {e.attr("message", StringRef(message))}));
}

ArrayRef<ExpansionEntry> onnx_import::getAliases() {
  static constexpr ExpansionEntry kEntries[] = {
      {"com.microsoft", "DequantizeLinear", expandDequantizeLinear},
      {"com.microsoft", "ExpandDims", expandExpandDims},
      {"com.microsoft", "GatherND", expandGatherND},
      {"com.microsoft", "GridSample", expandGridSample},
      {"com.microsoft", "Pad", expandPad},
      {"com.microsoft", "QuantizeLinear", expandQuantizeLinear},
      {"com.microsoft", "Range", expandRange},
      {"com.microsoft", "Trilu", expandTrilu},
      {"com.microsoft", "Unique", expandUnique},
      {"nacre", "Require", expandRequire},
  };
  return kEntries;
}
