//===- OperatorDialect.h - Dialects of operators ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE has the operators of ONNX. A dialect from outside, which a plugin brings,
// may have those of another domain, or newer ones of ONNX's own.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_OPERATORDIALECT_H
#define NACRE_DIALECT_IE_IR_OPERATORDIALECT_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OperationSupport.h"

#include <optional>

namespace nacre::IE {

/// Implemented by a dialect whose ops are operators of models, as those of IE
/// are: named as the operator, with its inputs in order and its attributes
/// under their names, pure, and with InferTypeOpInterface. The importer makes
/// nodes of the domain these ops, and the exporter the other way round.
class OperatorDialectInterface
    : public mlir::DialectInterface::Base<OperatorDialectInterface> {
public:
  explicit OperatorDialectInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// The domain of the nodes; empty for ONNX's own.
  virtual llvm::StringRef getDomain() const = 0;

  /// The newest version of the domain's operator set that the ops have the
  /// meaning of. A model of a newer one is refused.
  virtual int64_t getVersion() const = 0;
};

/// Registers a dialect of operators, which is loaded whenever IE is: the
/// importer looks for nodes' operators among loaded dialects.
template <typename DialectT>
void registerOperatorDialect(mlir::DialectRegistry &registry) {
  registry.insert<DialectT>();
  registry.addExtension(+[](mlir::MLIRContext *context, IEDialect *) {
    context->loadDialect<DialectT>();
  });
}

/// True for an op of IE, or of another dialect of operators.
bool isOperator(mlir::Operation *op);

/// The op that nodes of that domain and name become; nothing where no loaded
/// dialect has one. Of ONNX's own operators, IE's come first.
std::optional<mlir::RegisteredOperationName>
findOperator(mlir::MLIRContext *context, llvm::StringRef domain,
             llvm::StringRef name);

/// What the op's dialect says of its operators; null for ops of IE, and for
/// what is no operator.
const OperatorDialectInterface *getOperatorDialect(mlir::OperationName name);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_OPERATORDIALECT_H
