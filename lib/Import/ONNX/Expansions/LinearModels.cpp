//===- LinearModels.cpp - Expansions: linear models and SVMs --------------===//
//
// Models of ai.onnx.ml that are a matrix product, or products with support
// vectors.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// The samples times coefficients, a row for each of `targets`, plus
/// intercepts.
static Value buildScores(Expander &e, Value samples, int64_t targets,
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

static void expandLinearRegressor(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  SmallVector<double> coefficients = e.takeFloats("coefficients");
  SmallVector<double> intercepts = e.takeFloats("intercepts");
  std::string transform = e.takeString("post_transform", "NONE");
  Value scores = buildScores(e, samples, e.takeInt("targets", 1), coefficients,
                             intercepts);
  e.setResults(e.cast(transformScores(e, scores, transform), e.getF32()));
}

static void expandLinearClassifier(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  SmallVector<double> coefficients = e.takeFloats("coefficients");
  SmallVector<double> intercepts = e.takeFloats("intercepts");
  std::string transform = e.takeString("post_transform", "NONE");
  SmallVector<int64_t> labels = takeLabels(e, "classlabels_ints");
  // Says how the model was trained.
  e.ignore({"multi_class"});
  int64_t features = e.getStaticDim(samples, 1, "X");
  if (e.hasFailed()) {
    return;
  }
  int64_t targets = static_cast<int64_t>(coefficients.size()) /
                    std::max<int64_t>(features, 1);
  Value scores = buildScores(e, samples, targets, coefficients, intercepts);
  if (targets == 1 && labels.size() == 2) {
    // The score is that of the second class.
    Value isSecond = e.create<IE::GreaterOp>(
        {e.reshape(scores, -1), e.buildScalar(0, e.getElement(scores))});
    Value label = selectLabels(e, isSecond, labels[0], labels[1]);
    Value other = e.create<IE::NegOp>({scores});
    if (transform == "LOGISTIC") {
      scores = transformScores(e, e.concat({other, scores}, 1), transform);
    } else {
      scores = e.concat({e.add(other, 1.0), scores}, 1);
    }
    return e.setResults({label, e.cast(scores, e.getF32())});
  }
  if (static_cast<int64_t>(labels.size()) != targets) {
    return e.fail("expected a label for each of " + Twine(targets) +
                  " classes, found " + Twine(labels.size()));
  }
  Value label = selectLabels(e, scores, labels);
  e.setResults(
      {label, e.cast(transformScores(e, scores, transform), e.getF32())});
}

/// The kernel of each sample with each of the rows of `vectors`, a constant of
/// `count` rows.
static Value buildKernel(Expander &e, Value samples, ArrayRef<double> vectors,
                         int64_t count) {
  std::string kind = e.takeString("kernel_type", "LINEAR");
  SmallVector<double> parameters = e.takeFloats("kernel_params");
  parameters.resize(3, 0);
  double gamma = parameters[0], offset = parameters[1], degree = parameters[2];
  int64_t features = e.getStaticDim(samples, 1, "X");
  Type element = e.getElement(samples);
  if (e.hasFailed()) {
    return {};
  }
  if (kind == "RBF") {
    Value table = e.buildTensor(vectors, {count, features}, element);
    Value difference = e.sub(e.unsqueeze(samples, 1), table);
    Value distance =
        e.reduce<IE::ReduceSumSquareOp>(difference, 2, /*keepDims=*/false);
    return e.create<IE::ExpOp>({e.mul(distance, -gamma)});
  }
  Value products = buildScores(e, samples, count, vectors, {});
  if (kind == "LINEAR") {
    return products;
  }
  Value argument = e.add(e.mul(products, gamma), offset);
  if (kind == "POLY") {
    return e.create<IE::PowOp>({argument, e.buildScalar(degree, element)});
  }
  if (kind == "SIGMOID") {
    return e.create<IE::TanhOp>({argument});
  }
  e.fail("expected a kernel_type of LINEAR, POLY, RBF or SIGMOID, found '" +
         kind + "'");
  return {};
}

static void expandSVMRegressor(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  SmallVector<double> coefficients = e.takeFloats("coefficients");
  SmallVector<double> vectors = e.takeFloats("support_vectors");
  SmallVector<double> rho = e.takeFloats("rho");
  int64_t count = e.takeInt("n_supports", 0);
  bool isOneClass = e.takeInt("one_class", 0) != 0;
  std::string transform = e.takeString("post_transform", "NONE");
  int64_t features = e.getStaticDim(samples, 1, "X");
  Type element = e.getElement(samples);
  if (e.hasFailed()) {
    return;
  }
  if (rho.empty()) {
    return e.fail("expected 'rho'");
  }
  Value scores;
  if (count > 0) {
    if (static_cast<int64_t>(vectors.size()) != count * features ||
        static_cast<int64_t>(coefficients.size()) != count) {
      return e.fail("expected " + Twine(count) +
                    " support vectors with coefficients");
    }
    Value kernel = buildKernel(e, samples, vectors, count);
    scores = e.matmul(kernel, e.buildTensor(coefficients, {count, 1}, element));
  } else {
    // Coefficients of features: a linear model.
    e.ignore({"kernel_type", "kernel_params"});
    scores = buildScores(e, samples, 1, coefficients, {});
  }
  scores = e.add(scores, rho.front());
  if (isOneClass) {
    Value isInside =
        e.create<IE::GreaterOp>({scores, e.buildScalar(0, element)});
    scores = e.where(isInside, e.buildScalar(1, element),
                     e.buildScalar(-1, element));
  }
  e.setResults(e.cast(transformScores(e, scores, transform), e.getF32()));
}

ArrayRef<ExpansionEntry> onnx_import::getLinearModelExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "LinearClassifier", expandLinearClassifier},
      {"ai.onnx.ml", "LinearRegressor", expandLinearRegressor},
      {"ai.onnx.ml", "SVMRegressor", expandSVMRegressor},
  };
  return kEntries;
}
