//===- ConditionEvaluator.h - Values known during import --------*- C++ -*-===//
//
// Exporters wrap in an If what depends on a tensor's rank: the branches then
// have results of different ranks, which no type holds. Such conditions follow
// from shapes, so that the importer can decide them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_CONDITIONEVALUATOR_H
#define NACRE_LIB_IMPORT_ONNX_CONDITIONEVALUATOR_H

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace nacre::onnx_import {

/// Finds out what follows from constants and static shapes. Nothing about the
/// IR changes.
class ConditionEvaluator {
public:
  /// The value of a small tensor, if it is known.
  std::optional<interpreter::Tensor> getValue(mlir::Value value);

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

#endif // NACRE_LIB_IMPORT_ONNX_CONDITIONEVALUATOR_H
