//===- InitAllDialects.h - Dialects of nacre --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers nacre's dialects, the upstream dialects it uses, and the external
// models that make them work together.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INITALLDIALECTS_H
#define NACRE_INITALLDIALECTS_H

#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Pipelines/Dialects.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

namespace nacre {

inline void registerAllDialects(mlir::DialectRegistry &registry) {
  // First: of two models of one interface the earlier counts.
  registerPipelineDialects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  interpreter::registerExternalModels(registry);
}

} // namespace nacre

#endif // NACRE_INITALLDIALECTS_H
