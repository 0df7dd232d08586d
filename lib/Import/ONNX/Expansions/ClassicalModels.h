//===- ClassicalModels.h - What the models of ai.onnx.ml share --*- C++ -*-===//
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

/// One of NONE, SOFTMAX, SOFTMAX_ZERO and LOGISTIC of the scores of each row.
mlir::Value transformScores(Expander &e, mlir::Value scores,
                            llvm::StringRef transform);

/// The integers that name classes, of attribute `attribute`; words are refused.
llvm::SmallVector<int64_t> takeLabels(Expander &e, llvm::StringRef attribute);

/// The label of the first of the largest scores of each row.
mlir::Value selectLabels(Expander &e, mlir::Value scores,
                         llvm::ArrayRef<int64_t> labels);
/// The second label of two where a condition (N) holds, else the first.
mlir::Value selectLabels(Expander &e, mlir::Value condition, int64_t first,
                         int64_t second);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_CLASSICALMODELS_H
