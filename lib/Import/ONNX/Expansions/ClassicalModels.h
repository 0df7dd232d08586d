//===- ClassicalModels.h - What the models of ai.onnx.ml share --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels and transformed scores, which all classifiers have.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_CLASSICALMODELS_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_CLASSICALMODELS_H

#include "Expander.h"

namespace nacre::onnx_import {

/// Samples as rows of floats.
mlir::Value getSamples(Expander &e, mlir::Value input);

/// A rank-1 constant.
mlir::Value buildVector(Expander &e, llvm::ArrayRef<double> values,
                        mlir::Type element);

/// The samples times coefficients, a row for each of `targets`, plus
/// intercepts.
mlir::Value buildScores(Expander &e, mlir::Value samples, int64_t targets,
                        llvm::ArrayRef<double> coefficients,
                        llvm::ArrayRef<double> intercepts);

/// One of NONE, SOFTMAX, SOFTMAX_ZERO, LOGISTIC and PROBIT of the scores of
/// each row.
mlir::Value transformScores(Expander &e, mlir::Value scores,
                            llvm::StringRef transform);

/// The names of classes: words if there are any, else numbers.
struct Labels {
  llvm::SmallVector<int64_t> numbers;
  llvm::SmallVector<std::string> texts;

  int64_t size() const {
    return static_cast<int64_t>(texts.empty() ? numbers.size() : texts.size());
  }
  bool empty() const { return size() == 0; }
  /// All of them, or one, as a vector.
  mlir::Value build(Expander &e) const;
  mlir::Value build(Expander &e, int64_t i) const;
};

/// Labels from `attribute`, which has numbers, or from `classlabels_strings`.
Labels takeLabels(Expander &e, llvm::StringRef attribute);

/// The label of the first of the largest scores of each row.
mlir::Value selectLabels(Expander &e, mlir::Value scores, const Labels &labels);
/// The second label of two where a condition (N) holds, else the first.
mlir::Value selectBinaryLabels(Expander &e, mlir::Value condition,
                               const Labels &labels);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_CLASSICALMODELS_H
