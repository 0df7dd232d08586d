//===- Passes.h - Passes between bufferization and LLVM ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes on buffers and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_PASSES_H
#define NACRE_TRANSFORMS_PASSES_H

#include "nacre/Support/HugePages.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace nacre {

#define GEN_PASS_DECL
#include "nacre/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nacre/Transforms/Passes.h.inc"

} // namespace nacre

#endif // NACRE_TRANSFORMS_PASSES_H
