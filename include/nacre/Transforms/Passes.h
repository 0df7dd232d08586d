//===- Passes.h - Passes that belong to no dialect --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes of lib/Transforms, in folders by what they run on, and
// their registration.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_PASSES_H
#define NACRE_TRANSFORMS_PASSES_H

#include "nacre/Dialect/VPU/Cost/Constants.h"
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
