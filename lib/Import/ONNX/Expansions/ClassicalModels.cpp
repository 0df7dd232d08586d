//===- ClassicalModels.cpp - What the models of ai.onnx.ml share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

Value onnx_import::buildScores(Expander &e, Value samples, int64_t targets,
                               ArrayRef<double> coefficients,
                               ArrayRef<double> intercepts) {
  int64_t features = e.getStaticDim(samples, 1, "X");
  if (e.hasFailed()) {
    return {};
  }
  if (targets < 1 ||
      static_cast<int64_t>(coefficients.size()) != targets * features) {
    e.fail("expected " + Twine(targets) + " times " + Twine(features) +
           " coefficients, found " + Twine(coefficients.size()));
    return {};
  }
  Type element = e.getElement(samples);
  SmallVector<double> columns;
  for (int64_t i = 0; i < features; ++i) {
    for (int64_t j = 0; j < targets; ++j) {
      columns.push_back(coefficients[j * features + i]);
    }
  }
  Value scores =
      e.matmul(samples, e.buildTensor(columns, {features, targets}, element));
  if (intercepts.empty()) {
    return scores;
  }
  if (static_cast<int64_t>(intercepts.size()) != targets) {
    e.fail("expected " + Twine(targets) + " intercepts, found " +
           Twine(intercepts.size()));
    return {};
  }
  return e.add(scores, buildVector(e, intercepts, element));
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

/// sqrt(2) times the inverse of the error function at 2 x - 1, in ONNX
/// Runtime's approximation by logarithms.
static Value buildProbit(Expander &e, Value scores) {
  constexpr double kA = 0.147, kPi = 3.14159;
  Type element = e.getElement(scores);
  Value x = e.add(e.mul(scores, 2.0), -1.0);
  Value other = e.add(e.create<IE::NegOp>({e.mul(x, x)}), 1.0);
  Value log = e.create<IE::LogOp>({other});
  Value half = e.add(e.mul(log, 0.5), 2 / (kPi * kA));
  Value root =
      e.create<IE::SqrtOp>({e.sub(e.mul(half, half), e.mul(log, 1 / kA))});
  Value size = e.create<IE::SqrtOp>({e.sub(root, half)});
  Value isNegative = e.create<IE::LessOp>({x, e.buildScalar(0, element)});
  Value erfInverse = e.where(isNegative, e.create<IE::NegOp>({size}), size);
  return e.mul(erfInverse, 1.41421356);
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
  if (transform == "PROBIT") {
    return buildProbit(e, scores);
  }
  e.fail(
      "expected a post_transform of NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or "
      "PROBIT, found '" +
      transform + "'");
  return {};
}

Value Labels::build(Expander &e) const {
  return texts.empty() ? e.buildInts(numbers) : e.buildStrings(texts);
}

Value Labels::build(Expander &e, int64_t i) const {
  return texts.empty() ? e.buildInts(numbers[i]) : e.buildStrings(texts[i]);
}

Labels onnx_import::takeLabels(Expander &e, StringRef attribute) {
  Labels labels;
  labels.texts = e.takeStrings("classlabels_strings");
  labels.numbers = e.takeInts(attribute);
  return labels;
}

Value onnx_import::selectLabels(Expander &e, Value scores,
                                const Labels &labels) {
  Value best = e.create<IE::ArgMaxOp>(
      {scores}, {e.attr("axis", int64_t(1)), e.attr("keepdims", int64_t(0))});
  return e.gather(labels.build(e), best, 0);
}

Value onnx_import::selectBinaryLabels(Expander &e, Value condition,
                                      const Labels &labels) {
  return e.where(condition, labels.build(e, 1), labels.build(e, 0));
}
