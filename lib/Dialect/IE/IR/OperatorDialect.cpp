//===- OperatorDialect.cpp - Dialects of operators ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the ops of IE and of dialects from outside by the operators that they
// are.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/OperatorDialect.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

const OperatorDialectInterface *IE::getOperatorDialect(OperationName name) {
  Dialect *dialect = name.getDialect();
  return dialect ? dialect->getRegisteredInterface<OperatorDialectInterface>()
                 : nullptr;
}

bool IE::isOperator(Operation *op) {
  return isa_and_present<IEDialect>(op->getDialect()) ||
         getOperatorDialect(op->getName());
}

std::optional<RegisteredOperationName>
IE::findOperator(MLIRContext *context, StringRef domain, StringRef name) {
  auto lookup = [&](StringRef prefix) {
    return RegisteredOperationName::lookup((prefix + "." + name).str(),
                                           context);
  };
  if (domain.empty()) {
    if (auto own = lookup(IEDialect::getDialectNamespace())) {
      return own;
    }
  }
  for (Dialect *dialect : context->getLoadedDialects()) {
    auto *operators =
        dialect->getRegisteredInterface<OperatorDialectInterface>();
    if (!operators || operators->getDomain() != domain) {
      continue;
    }
    if (auto found = lookup(dialect->getNamespace())) {
      return found;
    }
  }
  return std::nullopt;
}
