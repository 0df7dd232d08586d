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

#include "nacre/Dialect/IE/IR/GettingStarted.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"
#include "nacre/Dialect/VPU/IR/VPUDialect.h"
#include "nacre/Dialect/VPU/Transforms/BufferizableOpInterfaceImpl.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Support/ValueBounds.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

namespace nacre {

inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registerOpaqueSelects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<abi::NacreDialect, IE::IEDialect, VPU::VPUDialect,
                  rt::RuntimeDialect>();
  abi::registerLLVMTranslation(registry);
  IE::registerGettingStartedExternalModels(registry);
  rt::registerOwnershipExternalModels(registry);
  VPU::registerBufferizableOpInterfaceExternalModels(registry);
  interpreter::registerExternalModels(registry);
}

} // namespace nacre

#endif // NACRE_INITALLDIALECTS_H
