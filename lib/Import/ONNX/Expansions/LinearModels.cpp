//===- LinearModels.cpp - Expansions: linear models -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of ai.onnx.ml that are a matrix product.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

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
  Labels labels = takeLabels(e, "classlabels_ints");
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
    Value label = selectBinaryLabels(e, isSecond, labels);
    Value other = e.create<IE::NegOp>({scores});
    if (transform == "LOGISTIC") {
      scores = transformScores(e, e.concat({other, scores}, 1), transform);
    } else {
      scores = e.concat({e.add(other, 1.0), scores}, 1);
    }
    return e.setResults({label, e.cast(scores, e.getF32())});
  }
  if (labels.size() != targets) {
    return e.fail("expected a label for each of " + Twine(targets) +
                  " classes, found " + Twine(labels.size()));
  }
  Value label = selectLabels(e, scores, labels);
  e.setResults(
      {label, e.cast(transformScores(e, scores, transform), e.getF32())});
}

ArrayRef<ExpansionEntry> onnx_import::getLinearModelExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "LinearClassifier", expandLinearClassifier},
      {"ai.onnx.ml", "LinearRegressor", expandLinearRegressor},
  };
  return kEntries;
}
