//===- ConstantBytes.h - Bytes of a model's constants -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What constants take before quantization and after it. One that several ops
// read is left out when all of them read something else.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CONSTANTBYTES_H
#define NACRE_LIB_DRIVER_CONSTANTBYTES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace nacre::driver {

class ConstantBytes {
public:
  explicit ConstantBytes(mlir::func::FuncOp function) : function(function) {}

  /// Has a use read a new constant of so many bytes.
  void replace(mlir::OpOperand &use, int64_t bytes) {
    replaced.insert(&use);
    added += bytes;
  }
  bool isReplaced(mlir::OpOperand &use) const {
    return replaced.contains(&use);
  }

  int64_t countBefore() const { return count(/*isAfter=*/false); }
  int64_t countAfter() const { return count(/*isAfter=*/true) + added; }

private:
  /// The bytes of the function's constants, or of those that stay.
  int64_t count(bool isAfter) const;

  mlir::func::FuncOp function;
  llvm::SmallPtrSet<mlir::OpOperand *, 16> replaced;
  int64_t added = 0;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CONSTANTBYTES_H
