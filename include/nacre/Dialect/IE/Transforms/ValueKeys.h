//===- ValueKeys.h - Names that tell values apart ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes that measure ranges and those that use them call values.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_VALUEKEYS_H
#define NACRE_DIALECT_IE_TRANSFORMS_VALUEKEYS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace nacre::IE {

/// The f32 tensors of a function that runs may decide, or those of any element
/// type, without those in regions, each with a name of its own: the model's, or
/// the node's with a number where the model has none or, of several ops that a
/// node became, the last has it. An f32 tensor that is rounded to integers has
/// the same name as the one that is not. What was rescaled has a name that says
/// so.
class ValueKeys {
public:
  explicit ValueKeys(mlir::func::FuncOp function, bool allTypes = false);

  /// In the order of the function.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// Empty for a value that is none of these.
  llvm::StringRef get(mlir::Value value) const;

private:
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, std::string> keys;
};

/// What differs where the graph of two functions does: ops and the keys of what
/// they compute, without weights and sizes.
std::string getGraphDigest(const ValueKeys &keys);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_VALUEKEYS_H
