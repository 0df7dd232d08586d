//===- EinsumUtils.h - Equations of Einsum ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves an Einsum equation against the shapes of its operands: ellipses
// become letters of their own. Type inference, interpreter and decomposition
// all work on the resolved form.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_EINSUMUTILS_H
#define NACRE_DIALECT_IE_UTILS_EINSUMUTILS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeRange.h"
#include <optional>

namespace nacre::IE {

/// Letters are numbered: each is an index into `sizes`.
struct EinsumEquation {
  /// The letters of each operand's dimensions; a letter may occur repeatedly.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands;
  /// The letters of the result's dimensions, each of them once.
  llvm::SmallVector<int64_t> result;
  /// The sizes of the letters. An operand's dimension of 1 broadcasts.
  llvm::SmallVector<int64_t> sizes;

  /// The shape of the result.
  llvm::SmallVector<int64_t> getResultShape() const;
};

/// Resolves `equation`. Emits an error at `location` where it is malformed or
/// does not fit the operands.
mlir::FailureOr<EinsumEquation>
resolveEinsum(std::optional<mlir::Location> location, llvm::StringRef equation,
              mlir::TypeRange operands);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_EINSUMUTILS_H
