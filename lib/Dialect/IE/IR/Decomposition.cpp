//===- Decomposition.cpp - When composite ops are taken apart -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;

std::string IE::explainWrongKeep(MLIRContext *context,
                                 ArrayRef<std::string> names) {
  auto *dialect = context->getOrLoadDialect<IE::IEDialect>();
  SmallVector<StringRef> possible;
  for (RegisteredOperationName name :
       context->getRegisteredOperationsByDialect(dialect->getNamespace())) {
    if (name.hasTrait<IE::WholeInGraph>()) {
      possible.push_back(name.stripDialect());
    }
  }
  for (const std::string &name : names) {
    if (!llvm::is_contained(possible, StringRef(name))) {
      return "field 'keep': expected composite operations (" +
             llvm::join(possible, ", ") + "), found '" + name + "'";
    }
  }
  return "";
}
