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
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace nacre::IE {

struct KeepOptions {
  /// Patterns of the names of nodes that stay f32, their kinds, as Conv, and
  /// the kinds that alone do not; without any, all may.
  std::vector<std::string> nodes, ops, onlyOps;
  /// FIRST:LAST, names of values between which all stays f32.
  std::vector<std::string> between;
  /// Whether products stay f32 that no other one comes before, or after.
  bool keepsFirst = false, keepsLast = false;

  /// Fails, after an error, where a pattern of names is none.
  static mlir::FailureOr<KeepOptions>
  make(mlir::Location loc, llvm::ArrayRef<std::string> nodes,
       llvm::ArrayRef<std::string> ops, llvm::ArrayRef<std::string> onlyOps,
       llvm::ArrayRef<std::string> between, bool keepsFirst, bool keepsLast);
  /// The same, of the options of a pass.
  template <typename OptionsT>
  static mlir::FailureOr<KeepOptions> read(mlir::Location loc,
                                           const OptionsT &options) {
    return make(loc, options.keepNodes, options.keepOps, options.onlyOps,
                options.keepBetween, options.keepFirst, options.keepLast);
  }
};

/// The rules for one function.
class KeepRules {
public:
  KeepRules(mlir::func::FuncOp function, const KeepOptions &options);

  /// Fails, after an error, where options name values that the function has
  /// not, or between which nothing is.
  static mlir::LogicalResult verify(mlir::func::FuncOp function,
                                    const KeepOptions &options);

  /// What keeps an op f32, in words; empty where nothing does.
  std::string find(mlir::Operation *op) const;

private:
  const KeepOptions &options;
  /// What comes after, and before, products.
  llvm::DenseSet<mlir::Operation *> notFirst, notLast;
  /// What is between two values, which these words name.
  llvm::DenseMap<mlir::Operation *, std::string> between;
};

/// True for a convolution or a product of matrices.
bool isProduct(mlir::Operation *op);

/// What --ops and --only call products of two values.
inline constexpr llvm::StringLiteral kMatMulActivations = "MatMulActivations";

/// True for a product of matrices of which neither is a constant.
bool isProductOfValues(mlir::Operation *op);

/// The products of a function that have no obstacle.
llvm::SmallVector<mlir::Operation *> findProducts(
    mlir::func::FuncOp function, const KeepOptions &options,
    llvm::function_ref<std::string(mlir::Operation *, const KeepRules &)>
        findObstacle);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_KEEPRULES_H
