//===- ValueEvaluator.h - Values known during import ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer must know before anything is computed: the conditions
// around branches of different ranks, which no type holds, and operands that
// decide which ops an operator expands to. They follow from constants and
// shapes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_VALUEEVALUATOR_H
#define NACRE_LIB_IMPORT_ONNX_VALUEEVALUATOR_H

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace nacre::onnx_import {

/// Finds out what follows from constants and static shapes. Nothing about the
/// IR changes.
class ValueEvaluator {
public:
  /// The value of a small tensor, if it is known.
  std::optional<interpreter::Tensor> getValue(mlir::Value value);

  /// To be called where ops are erased, whose addresses others may get.
  void forget();

private:
  /// The type of a value, with static dimensions as far as they are known.
  mlir::Type getType(mlir::Value value);
  /// Copies `op` into `block`: its operands are constants where they are known,
  /// else arguments of the block. Null when its types cannot be inferred.
  mlir::Operation *copyInto(mlir::Block &block, mlir::Operation *op);

  llvm::DenseMap<mlir::Value, mlir::Type> types;
  llvm::DenseMap<mlir::Value, std::optional<interpreter::Tensor>> values;
};

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_VALUEEVALUATOR_H
