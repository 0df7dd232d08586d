//===- Passes.h - Transformations of VPU ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes that choose an architecture and fit a module to it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_PASSES_H
#define NACRE_DIALECT_VPU_TRANSFORMS_PASSES_H

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/VPUDialect.h"

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace nacre::VPU {

#define GEN_PASS_DECL
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_PASSES_H
