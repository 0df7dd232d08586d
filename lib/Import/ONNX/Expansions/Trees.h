//===- Trees.h - Ensembles of decision trees ---------------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operators that evaluate ensembles read from their attributes, and
// what evaluates it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_TREES_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_TREES_H

#include "Expander.h"

namespace nacre::onnx_import {

/// How a node compares a feature with its value. In the order of operator set
/// 5's numbers.
enum class TreeMode {
  LessOrEqual,
  Less,
  GreaterOrEqual,
  Greater,
  Equal,
  NotEqual,
  Member,
  Leaf
};

struct TreeNode {
  TreeMode mode = TreeMode::Leaf;
  int64_t feature = 0;
  double value = 0;
  /// Where NaN goes.
  bool missingIsTrue = false;
  int64_t ifTrue = 0, ifFalse = 0;
};

/// What a leaf adds to a target or class.
struct LeafWeight {
  int64_t leaf, target;
  double weight;
};

struct Ensemble {
  std::vector<TreeNode> nodes;
  llvm::SmallVector<int64_t> roots;
  std::vector<LeafWeight> weights;
  int64_t targets = 1;
  std::string aggregate = "SUM", transform = "NONE";
  llvm::SmallVector<double> baseValues;
};

/// The aggregated weights of each sample: (samples, targets).
mlir::Value evaluateEnsemble(Expander &e, const Ensemble &ensemble,
                             mlir::Value samples);

/// TreeEnsemble, whose attributes are other than those of the operators before.
void expandTreeEnsemble(Expander &e);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_TREES_H
