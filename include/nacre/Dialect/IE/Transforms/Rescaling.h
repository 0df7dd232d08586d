//===- Rescaling.h - Values whose channels were multiplied ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes in front of ie-quantize multiply channels of values and divide the
// weights that read them. Range profiles know the values as they were: an
// attribute, `nacre.rescaled`, of the op that computes a value tells the
// difference until ie-quantize has used it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_RESCALING_H
#define NACRE_DIALECT_IE_TRANSFORMS_RESCALING_H

#include "nacre/Dialect/IE/Transforms/KnownRanges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {

/// What a value was called and is now, and of what profiles know its channels
/// are multiples, by these factors; of nothing where the name is empty.
struct Rescaling {
  llvm::StringRef was, name, of;
  llvm::ArrayRef<float> factors;
};

/// Nothing for a value that is as it was.
std::optional<Rescaling> getRescaling(mlir::Value value);

/// Records that `value`, the first result of an op, called `was`, now is that
/// which profiles call `of` times these factors, or times these factors more
/// than it was.
void addRescaling(mlir::Value value, llvm::StringRef was, llvm::StringRef of,
                  llvm::ArrayRef<float> factors);

/// The name of a value that was called `was`.
std::string getRescaledName(llvm::StringRef was);

/// Forgets what was recorded in the function.
void dropRescalings(mlir::func::FuncOp function);

/// The ranges in the file at `path` for the values of a function, also for
/// those that were rescaled. Fails, after an error at the function.
mlir::FailureOr<std::shared_ptr<const KnownRanges>>
readRanges(mlir::func::FuncOp function, llvm::StringRef path,
           quantization::Rounding rounding);

/// What the function's values are, as far as a profile of what they were tells.
std::shared_ptr<const KnownRanges>
adjustRanges(mlir::func::FuncOp function,
             const std::shared_ptr<const KnownRanges> &ranges);

/// A change that a pass made for quantization to lose less.
struct Repair {
  /// As "equalize", the name of the value that it rescaled, and the node that
  /// reads it.
  std::string kind, value, node;
  /// By how many decibels the noise of the node's result is expected to fall.
  double decibels = 0;
};

/// Records repairs of a function, beside others, and tells them.
void recordRepairs(mlir::func::FuncOp function, llvm::ArrayRef<Repair> repairs);
std::vector<Repair> getRepairs(mlir::func::FuncOp function);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_RESCALING_H
