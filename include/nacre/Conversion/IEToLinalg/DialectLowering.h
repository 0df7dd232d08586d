//===- DialectLowering.h - Kernels of other dialects' ops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a dialect of operators from outside brings its own software kernels.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_IETOLINALG_DIALECTLOWERING_H
#define NACRE_CONVERSION_IETOLINALG_DIALECTLOWERING_H

#include "mlir/IR/DialectInterface.h"

namespace mlir {
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace nacre {

/// Implemented by a dialect of operators (OperatorDialect.h) for
/// convert-ie-to-linalg, which asks every loaded dialect.
class IEToLinalgDialectInterface
    : public mlir::DialectInterface::Base<IEToLinalgDialectInterface> {
public:
  explicit IEToLinalgDialectInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Adds conversion patterns that replace the dialect's ops by ops of linalg,
  /// tensor, scf, math and arith on tensors. `converter` is an
  /// IEToLinalgTypeConverter.
  virtual void
  populateToLinalgPatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns) const = 0;
};

} // namespace nacre

#endif // NACRE_CONVERSION_IETOLINALG_DIALECTLOWERING_H
