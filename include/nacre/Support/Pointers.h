//===- Pointers.h - How wide addresses of a machine are ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where addresses have 32 bits, an `index` still has 64: it counts what a model
// says, such as the end of a slice that is the largest int64, and products of
// sizes that do not fit memory. Only pointers are narrow, which a module's data
// layout says in MLIR's own way.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_POINTERS_H
#define NACRE_SUPPORT_POINTERS_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Triple;
} // namespace llvm

namespace nacre {

/// Gives the module a data layout if pointers of the machine have not the 64
/// bits that MLIR expects. One that it has already stays.
void recordPointers(mlir::ModuleOp module, const llvm::Triple &triple);

/// The bits of a pointer in the module that `op` is or is in.
unsigned getPointerBits(mlir::Operation *op);

/// The largest object of a machine with pointers of so many bits, in bytes:
/// half of the address space, so that differences of addresses have a sign.
int64_t getLargestObject(unsigned pointerBits);

} // namespace nacre

#endif // NACRE_SUPPORT_POINTERS_H
