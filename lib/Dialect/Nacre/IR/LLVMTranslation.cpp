//===- LLVMTranslation.cpp - The nacre dialect and LLVM IR ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of arguments and results end with MLIR: without an interface that
// says so the translation warns of each.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

using namespace mlir;
using namespace nacre;

void abi::registerLLVMTranslation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, NacreDialect *dialect) {
    dialect->addInterfaces<LLVMTranslationDialectInterface>();
  });
}
