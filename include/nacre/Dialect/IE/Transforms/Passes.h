//===- Passes.h - Transformations of IE -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the graph-level passes and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_PASSES_H
#define NACRE_DIALECT_IE_TRANSFORMS_PASSES_H

#include "nacre/Quantization/Options.h"

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace nacre::IE {

/// How handle-getting-started rewrites; see docs/Tutorial.md.
enum class GettingStartedVariant { walk, greedy, conversion };

#define GEN_PASS_DECL
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_PASSES_H
