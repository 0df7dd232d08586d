//===- KeepRules.h - What users keep f32 ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that quantization leaves alone because somebody has said so.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_KEEPRULES_H
#define NACRE_DIALECT_IE_TRANSFORMS_KEEPRULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include <string>
#include <vector>

namespace nacre::IE {

struct KeepOptions {
  /// Patterns of the names of nodes that stay f32, their kinds, as Conv, and
  /// the kinds that alone do not; without any, all may.
  std::vector<std::string> nodes, ops, onlyOps;
  /// Whether products stay f32 that no other one comes before, or after.
  bool keepsFirst = false, keepsLast = false;

  /// Reads the options of a pass. Fails, after an error, where a pattern of
  /// names is none.
  template <typename OptionsT>
  static mlir::FailureOr<KeepOptions> read(mlir::Location loc,
                                           const OptionsT &options) {
    KeepOptions result;
    result.nodes.assign(options.keepNodes.begin(), options.keepNodes.end());
    result.ops.assign(options.keepOps.begin(), options.keepOps.end());
    result.onlyOps.assign(options.onlyOps.begin(), options.onlyOps.end());
    result.keepsFirst = options.keepFirst;
    result.keepsLast = options.keepLast;
    return failed(result.verify(loc))
               ? mlir::FailureOr<KeepOptions>(mlir::failure())
               : result;
  }

private:
  mlir::LogicalResult verify(mlir::Location loc) const;
};

/// The rules for one function.
class KeepRules {
public:
  KeepRules(mlir::func::FuncOp function, const KeepOptions &options);

  /// What keeps an op f32, in words; empty where nothing does.
  std::string find(mlir::Operation *op) const;

private:
  const KeepOptions &options;
  /// What comes after, and before, products.
  llvm::DenseSet<mlir::Operation *> notFirst, notLast;
};

/// True for a convolution or a product of matrices.
bool isProduct(mlir::Operation *op);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_KEEPRULES_H
