//===- AssertionsToLLVM.h - Assertions that end the run ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What convert-all-to-llvm makes of cf.assert.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_LLVM_ASSERTIONSTOLLVM_H
#define NACRE_LIB_TRANSFORMS_LLVM_ASSERTIONSTOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace nacre {

/// Turns each `cf.assert` into a branch to the runtime's `nacre_fail`, whose
/// message names the node that the assertion was made for. The branch is an
/// `scf.if`: an assertion may be in a loop, whose body is one block.
void lowerAssertions(mlir::ModuleOp module);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_LLVM_ASSERTIONSTOLLVM_H
