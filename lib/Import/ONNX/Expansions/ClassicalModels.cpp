//===- ClassicalModels.cpp - What the models of ai.onnx.ml share ----------===//
//
// Labels and transformed scores, which all classifiers have.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Value onnx_import::getSamples(Expander &e, Value input) {
  if (e.getRank(input) == 1) {
    input = e.unsqueeze(input, 0);
  }
  if (!e.expectRank(input, 2, "X")) {
    return {};
  }
  return e.getElement(input).isF64() ? input : e.cast(input, e.getF32());
}

Value onnx_import::buildVector(Expander &e, ArrayRef<double> values,
                               Type element) {
  return e.buildTensor(values, static_cast<int64_t>(values.size()), element);
}

/// A softmax of the scores that are not zero, which stay so.
static Value buildSoftmaxZero(Expander &e, Value scores) {
  // ONNX Runtime's bound of what counts as zero.
  constexpr double kZero = 1e-7;
  Type element = e.getElement(scores);
  Value most = e.reduce<IE::ReduceMaxOp>(scores, 1);
  Value exponentials = e.create<IE::ExpOp>({e.sub(scores, most)});
  Value smallest = e.create<IE::ExpOp>({e.create<IE::NegOp>({most})});
  Value isZero = e.create<IE::LessOrEqualOp>(
      {e.create<IE::AbsOp>({scores}), e.buildScalar(kZero, element)});
  Value terms = e.where(isZero, e.mul(scores, smallest), exponentials);
  return e.div(terms, e.reduce<IE::ReduceSumOp>(terms, 1));
}

Value onnx_import::transformScores(Expander &e, Value scores,
                                   StringRef transform) {
  if (transform == "NONE") {
    return scores;
  }
  if (transform == "LOGISTIC") {
    return e.create<IE::SigmoidOp>({scores});
  }
  if (transform == "SOFTMAX") {
    return e.create<IE::SoftmaxOp>({scores}, {e.attr("axis", int64_t(1))});
  }
  if (transform == "SOFTMAX_ZERO") {
    return buildSoftmaxZero(e, scores);
  }
  e.reject("post_transform '" + transform + "'");
  return {};
}

SmallVector<int64_t> onnx_import::takeLabels(Expander &e, StringRef attribute) {
  if (e.has("classlabels_strings") &&
      !e.takeStrings("classlabels_strings").empty()) {
    e.reject("labels that are strings; export the model with integers");
  }
  return e.takeInts(attribute);
}

Value onnx_import::selectLabels(Expander &e, Value scores,
                                ArrayRef<int64_t> labels) {
  Value best = e.create<IE::ArgMaxOp>(
      {scores}, {e.attr("axis", int64_t(1)), e.attr("keepdims", int64_t(0))});
  return e.gather(e.buildInts(labels), best, 0);
}

Value onnx_import::selectLabels(Expander &e, Value condition, int64_t first,
                                int64_t second) {
  // Labels may need all of their bits.
  return e.where(condition, e.buildInts(second), e.buildInts(first));
}
