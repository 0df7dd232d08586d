//===- Activation.cpp - Expansions: activation functions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions that are others with a bias or another name.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

static Value buildGelu(Expander &e, Value value, StringRef approximate) {
  return e.create<IE::GeluOp>({value}, {e.attr("approximate", approximate)});
}

static Value buildSwish(Expander &e, Value value, double alpha) {
  return e.create<IE::SwishOp>({value}, {e.attr("alpha", alpha)});
}

/// The second input, gated by the first; the two do not broadcast.
static void expandSwiGLU(Expander &e) {
  Value gate = e.getRequiredInput(0, "A"), value = e.getRequiredInput(1, "B");
  double alpha = e.takeFloat("alpha", 1);
  if (e.hasFailed()) {
    return;
  }
  if (failed(verifyCompatibleShape(e.getType(gate), e.getType(value)))) {
    return e.fail("expected 'A' and 'B' of the same shape");
  }
  if (!e.getType(gate).hasStaticShape() || !e.getType(value).hasStaticShape()) {
    // A run checks what is not known: a product would broadcast.
    Value areEqual = e.create<IE::EqualOp>(
        {e.create<IE::ShapeOp>({gate}), e.create<IE::ShapeOp>({value})});
    Value least = e.reduce<IE::ReduceMinOp>(e.cast(areEqual, e.getInt(32)), 0);
    value = e.create<IE::RequireOp>(
        {value, e.cast(least, e.getInt(1))},
        {e.attr("message", "expected 'A' and 'B' of the same shape")});
  }
  e.setResults(e.mul(buildSwish(e, gate, alpha), value));
}

static void expandQuickGelu(Expander &e) {
  Value value = e.getRequiredInput(0, "X");
  e.setResults(buildSwish(e, value, e.takeFloat("alpha", 1.702)));
}

static void expandGelu(Expander &e) {
  e.setResults(buildGelu(e, e.getRequiredInput(0, "X"), "none"));
}

static void expandFastGelu(Expander &e) {
  Value value = e.getRequiredInput(0, "X");
  if (Value bias = e.getInput(1)) {
    value = e.add(value, bias);
  }
  e.setResults(buildGelu(e, value, "tanh"));
}

static void expandBiasGelu(Expander &e) {
  Value value = e.add(e.getRequiredInput(0, "A"), e.getRequiredInput(1, "B"));
  e.setResults(buildGelu(e, value, "none"));
}

/// The first half of the channels, gated by the second.
static void expandBiasSplitGelu(Expander &e) {
  Value value =
      e.add(e.getRequiredInput(0, "X"), e.getRequiredInput(1, "bias"));
  int64_t last = e.getRank(value) - 1;
  int64_t half = e.getStaticDim(value, last, "X") / 2;
  Value gate = buildGelu(e, e.slice(value, last, half, 2 * half), "none");
  e.setResults(e.mul(e.slice(value, last, 0, half), gate));
}

static void expandBiasAdd(Expander &e) {
  Value value =
      e.add(e.getRequiredInput(0, "X"), e.getRequiredInput(1, "bias"));
  e.setResults(e.add(value, e.getRequiredInput(2, "skip")));
}

/// Softmax over all dimensions from `axis` on.
static void expandBiasSoftmax(Expander &e) {
  Value data = e.getRequiredInput(0, "data");
  Value bias = e.getRequiredInput(1, "bias");
  int64_t rank = e.getRank(data);
  int64_t axis = e.normalizeAxis(e.takeInt("axis", 1), rank);
  bool isInner = e.takeRequiredInt("is_inner_broadcast") != 0;
  if (!isInner || e.getRank(bias) != rank) {
    return e.reject("a bias that does not broadcast as ONNX's operators do");
  }
  Value sum = e.add(data, bias);
  SmallVector<int64_t> flat(axis, 0);
  flat.push_back(-1);
  Value softmax =
      e.create<IE::SoftmaxOp>({e.reshape(sum, flat)}, {e.attr("axis", axis)});
  e.setResults(e.reshapeLike(softmax, data));
}

ArrayRef<ExpansionEntry> onnx_import::getActivationExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "SwiGLU", expandSwiGLU},
      {"com.microsoft", "BiasAdd", expandBiasAdd},
      {"com.microsoft", "BiasGelu", expandBiasGelu},
      {"com.microsoft", "BiasSoftmax", expandBiasSoftmax},
      {"com.microsoft", "BiasSplitGelu", expandBiasSplitGelu},
      {"com.microsoft", "FastGelu", expandFastGelu},
      {"com.microsoft", "Gelu", expandGelu},
      {"com.microsoft", "QuickGelu", expandQuickGelu},
  };
  return kEntries;
}
