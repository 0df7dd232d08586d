//===- Passes.h - Conversions between dialects ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the conversion passes and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_PASSES_H
#define NACRE_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace nacre {

#define GEN_PASS_DECL
#include "nacre/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nacre/Conversion/Passes.h.inc"

} // namespace nacre

#endif // NACRE_CONVERSION_PASSES_H
