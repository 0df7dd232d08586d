//===- SupportVectors.cpp - Expansions: support vector machines -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of ai.onnx.ml that compare samples with support vectors. Where ONNX
// leaves the classifier open, it does as ONNX Runtime.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

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

namespace {

/// A classifier; each pair of classes has a score.
class Classifier {
public:
  explicit Classifier(Expander &e)
      : e(e), samples(getSamples(e, e.getRequiredInput(0, "X"))),
        coefficients(e.takeFloats("coefficients")),
        vectors(e.takeFloats("support_vectors")), rho(e.takeFloats("rho")),
        probA(e.takeFloats("prob_a")), probB(e.takeFloats("prob_b")),
        perClass(e.takeInts("vectors_per_class")),
        transform(e.takeString("post_transform", "NONE")),
        labels(takeLabels(e, "classlabels_ints")) {}

  void build();

private:
  int64_t getNumClasses() const { return std::max<int64_t>(labels.size(), 1); }
  bool isConsistent(int64_t numVectors);
  Value buildPairScores(int64_t numVectors);
  Value countVotes(Value scores);
  Value buildProbabilities(Value scores);
  Value coupleProbabilities(ArrayRef<Value> columns);
  void finishLinear();
  void finishPairs(int64_t numVectors);
  Value addSecondScore(Value score);

  Expander &e;
  Value samples;
  SmallVector<double> coefficients, vectors, rho, probA, probB;
  SmallVector<int64_t> perClass;
  std::string transform;
  Labels labels;
};

} // namespace

bool Classifier::isConsistent(int64_t numVectors) {
  int64_t classes = getNumClasses(), pairs = classes * (classes - 1) / 2;
  int64_t features = e.getStaticDim(samples, 1, "X");
  if (e.hasFailed()) {
    return false;
  }
  if (static_cast<int64_t>(perClass.size()) != classes || classes < 2 ||
      llvm::any_of(perClass, [](int64_t count) { return count < 0; })) {
    e.fail("expected 'vectors_per_class' for each of two or more classes");
  } else if (static_cast<int64_t>(vectors.size()) != numVectors * features) {
    e.fail("expected " + Twine(numVectors) + " times " + Twine(features) +
           " numbers in 'support_vectors', found " + Twine(vectors.size()));
  } else if (static_cast<int64_t>(coefficients.size()) !=
             numVectors * (classes - 1)) {
    e.fail("expected " + Twine(numVectors * (classes - 1)) +
           " coefficients, found " + Twine(coefficients.size()));
  } else if (static_cast<int64_t>(rho.size()) != pairs) {
    e.fail("expected a 'rho' for each of " + Twine(pairs) +
           " pairs of classes, found " + Twine(rho.size()));
  } else if (!probA.empty() && (static_cast<int64_t>(probA.size()) != pairs ||
                                probA.size() != probB.size())) {
    e.fail("expected 'prob_a' and 'prob_b' for each of " + Twine(pairs) +
           " pairs of classes");
  }
  return !e.hasFailed();
}

/// A score (N, 1) for each pair of classes (i, j), i before j, side by side: a
/// product of the kernel, as a pair takes its coefficients from the vectors of
/// its classes only.
Value Classifier::buildPairScores(int64_t numVectors) {
  int64_t classes = getNumClasses(), pairs = classes * (classes - 1) / 2;
  if (!e.expectPlausible({numVectors, pairs})) {
    return {};
  }
  SmallVector<int64_t> start(1, 0);
  for (int64_t count : perClass) {
    start.push_back(start.back() + count);
  }
  SmallVector<double> matrix(numVectors * pairs, 0);
  int64_t pair = 0;
  for (int64_t i = 0; i < classes; ++i) {
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      for (int64_t v = start[i]; v < start[i + 1]; ++v) {
        matrix[v * pairs + pair] = coefficients[(j - 1) * numVectors + v];
      }
      for (int64_t v = start[j]; v < start[j + 1]; ++v) {
        matrix[v * pairs + pair] = coefficients[i * numVectors + v];
      }
    }
  }
  Type element = e.getElement(samples);
  Value kernel = buildKernel(e, samples, vectors, numVectors);
  Value sums =
      e.matmul(kernel, e.buildTensor(matrix, {numVectors, pairs}, element));
  return e.add(sums, buildVector(e, rho, element));
}

/// How many pairs each class wins, (N, classes): the first of a pair where the
/// score is positive.
Value Classifier::countVotes(Value scores) {
  int64_t classes = getNumClasses(), pairs = classes * (classes - 1) / 2;
  Type element = e.getElement(scores);
  SmallVector<double> first(pairs * classes, 0), second(pairs * classes, 0);
  int64_t pair = 0;
  for (int64_t i = 0; i < classes; ++i) {
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      first[pair * classes + i] = 1;
      second[pair * classes + j] = 1;
    }
  }
  Value wins = e.create<IE::GreaterOp>({scores, e.buildScalar(0, element)});
  Value losses = e.create<IE::NotOp>({wins});
  return e.add(e.matmul(e.cast(wins, element),
                        e.buildTensor(first, {pairs, classes}, element)),
               e.matmul(e.cast(losses, element),
                        e.buildTensor(second, {pairs, classes}, element)));
}

/// Platt's probabilities of the pairs, joined to one for each class.
Value Classifier::buildProbabilities(Value scores) {
  Type element = e.getElement(scores);
  Value argument = e.add(e.mul(scores, buildVector(e, probA, element)),
                         buildVector(e, probB, element));
  Value wins = e.create<IE::SigmoidOp>({e.create<IE::NegOp>({argument})});
  constexpr double kLeast = 1e-7;
  wins = e.clip(wins, e.buildScalar(kLeast, element),
                e.buildScalar(1 - kLeast, element));
  int64_t classes = getNumClasses(), pairs = classes * (classes - 1) / 2;
  // Sample by sample: what loops carry has a known size.
  return e.mapRows(wins, classes, [&](Value row) -> Value {
    SmallVector<Value> columns =
        e.split(e.reshape(row, {1, pairs}), 1, SmallVector<int64_t>(pairs, 1));
    return e.hasFailed() ? Value()
                         : e.reshape(coupleProbabilities(columns), {classes});
  });
}

/// Wu, Lin and Weng's second method, as libsvm iterates it: the vector p of sum
/// 1 that minimises the squares of r[j][i] p[i] - r[i][j] p[j].
Value Classifier::coupleProbabilities(ArrayRef<Value> columns) {
  int64_t classes = getNumClasses();
  Type element = e.getElement(columns.front());
  // r[i][j], (N, 1).
  SmallVector<SmallVector<Value>> r(classes, SmallVector<Value>(classes));
  const Value *next = columns.begin();
  for (int64_t i = 0; i < classes; ++i) {
    for (int64_t j = i + 1; j < classes; ++j) {
      r[i][j] = *next++;
      r[j][i] = e.add(e.create<IE::NegOp>({r[i][j]}), 1.0);
    }
  }
  // Rows of Q, (N, classes), and its diagonal, (N, 1).
  SmallVector<Value> rows, diagonal;
  for (int64_t i = 0; i < classes; ++i) {
    Value sum;
    SmallVector<Value> row(classes);
    for (int64_t j = 0; j < classes; ++j) {
      if (j == i) {
        continue;
      }
      Value square = e.mul(r[j][i], r[j][i]);
      sum = sum ? e.add(sum, square) : square;
      row[j] = e.create<IE::NegOp>({e.mul(r[j][i], r[i][j])});
    }
    row[i] = sum;
    diagonal.push_back(sum);
    rows.push_back(e.concat(row, 1));
  }
  Value matrix = e.concat(
      llvm::map_to_vector(rows, [&](Value row) { return e.unsqueeze(row, 1); }),
      1);
  Value start =
      e.add(e.mul(rows.front(), 0.0), 1.0 / static_cast<double>(classes));
  double bound = 0.005 / static_cast<double>(classes);
  constexpr int64_t kMaxIterations = 100;
  return e.repeat(kMaxIterations, start, [&](Value before) {
    Value p = before;
    // (N, classes) and (N, 1).
    Value product =
        e.reshape(e.matmul(matrix, e.unsqueeze(p, 2)), {0, classes});
    Value total = e.reduce<IE::ReduceSumOp>(e.mul(p, product), 1);
    Value error = e.reduce<IE::ReduceMaxOp>(
        e.create<IE::AbsOp>({e.sub(product, total)}), 1);
    Value isDone = e.create<IE::LessOp>({error, e.buildScalar(bound, element)});
    for (int64_t i = 0; i < classes; ++i) {
      Value own = e.slice(product, 1, i, i + 1);
      Value step = e.div(e.sub(total, own), diagonal[i]);
      SmallVector<double> unit(classes, 0);
      unit[i] = 1;
      Value scale = e.add(step, 1.0);
      p = e.div(e.add(p, e.mul(step, buildVector(e, unit, element))), scale);
      Value growth = e.add(e.mul(step, diagonal[i]), e.mul(own, 2.0));
      total = e.div(e.div(e.add(total, e.mul(step, growth)), scale), scale);
      product = e.div(e.add(product, e.mul(step, rows[i])), scale);
    }
    return e.where(isDone, before, p);
  });
}

/// The scores of both classes from that of their pair.
Value Classifier::addSecondScore(Value score) {
  Value other = e.create<IE::NegOp>({score});
  if (transform == "PROBIT") {
    e.reject("post_transform 'PROBIT' of one score for two classes");
    return {};
  }
  if (transform == "NONE" || transform == "LOGISTIC") {
    return transformScores(e, e.concat({other, score}, 1), transform);
  }
  return e.concat({e.add(other, 1.0), score}, 1);
}

/// Without support vectors: a linear score for each class, and one intercept.
void Classifier::finishLinear() {
  e.ignore({"kernel_type", "kernel_params"});
  if (rho.empty()) {
    return e.fail("expected 'rho'");
  }
  Type element = e.getElement(samples);
  Value scores = e.add(
      buildScores(e, samples, getNumClasses(), coefficients, {}), rho.front());
  Value label = selectLabels(e, scores, labels);
  if (labels.size() == 2) {
    // The score decides for the second class, whosever it is.
    bool isPositive =
        llvm::all_of(coefficients, [](double value) { return value >= 0; });
    Value most = e.reduce<IE::ReduceMaxOp>(scores, 1, /*keepDims=*/false);
    Value isSecond =
        isPositive ? e.create<IE::GreaterOrEqualOp>(
                         {most, e.buildScalar(0.5, element)})
                   : e.create<IE::GreaterOp>({most, e.buildScalar(0, element)});
    label = e.where(isSecond, labels.build(e, 1), label);
  }
  e.setResults(
      {label, e.cast(transformScores(e, scores, transform), e.getF32())});
}

void Classifier::finishPairs(int64_t numVectors) {
  if (!isConsistent(numVectors)) {
    return;
  }
  Value scores = buildPairScores(numVectors);
  Value label = selectLabels(e, countVotes(scores), labels);
  Value result;
  if (!probA.empty()) {
    result = transformScores(e, buildProbabilities(scores), transform);
  } else if (getNumClasses() == 2) {
    result = addSecondScore(scores);
  } else {
    result = transformScores(e, scores, transform);
  }
  e.setResults({label, e.cast(result, e.getF32())});
}

void Classifier::build() {
  if (e.hasFailed()) {
    return;
  }
  if (labels.empty()) {
    return e.fail("expected labels of classes");
  }
  int64_t numVectors = 0;
  for (int64_t count : perClass) {
    numVectors += count;
  }
  if (numVectors > 0) {
    finishPairs(numVectors);
  } else {
    finishLinear();
  }
}

static void expandSVMClassifier(Expander &e) { Classifier(e).build(); }

ArrayRef<ExpansionEntry> onnx_import::getSupportVectorExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "SVMClassifier", expandSVMClassifier},
      {"ai.onnx.ml", "SVMRegressor", expandSVMRegressor},
  };
  return kEntries;
}
