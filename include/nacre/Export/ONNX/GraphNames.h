//===- GraphNames.h - What is exported, under which names -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX knows values by their names alone, which no two may share within a graph
// and what its subgraphs see.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EXPORT_ONNX_GRAPHNAMES_H
#define NACRE_EXPORT_ONNX_GRAPHNAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace nacre::onnx_export {

/// The names of the values and nodes of a function, and which of them are part
/// of its model: what nothing uses and the model does not name is left over
/// from rewrites or from the import.
class GraphNames {
public:
  explicit GraphNames(mlir::func::FuncOp function);

  /// True for nodes, and for constants, that are part of the model.
  bool isKept(mlir::Operation *op) const { return kept.contains(op); }
  /// True for what a node uses, or a graph gives.
  bool isUsed(mlir::Value value) const { return used.contains(value); }
  /// Empty for a result that nothing uses and the model does not name.
  std::string getName(mlir::Value value) const { return values.lookup(value); }
  std::string getNodeName(mlir::Operation *op) const {
    return nodes.lookup(op);
  }

  /// The names of the function's arguments and results.
  static std::string getArgumentName(mlir::func::FuncOp function, unsigned i);
  static std::string getResultName(mlir::func::FuncOp function, unsigned i);

  /// A name for a value that is no value of the module: NODE#k.
  std::string makeName(mlir::Operation *op);

private:
  void nameInterface(mlir::func::FuncOp function);
  /// What the names of an op and of its values begin with where the model has
  /// none: a constant that is of no node belongs to the first that uses it.
  llvm::StringRef getStem(mlir::Operation *op) const;
  /// From the end, so that the users of a value come before it, and of several
  /// values of one name the last has it.
  void collect(mlir::Block &block);
  void collectValues(mlir::Operation &op);
  bool claim(mlir::Value value, llvm::StringRef name);
  /// Gives names to what collect() has left without one, in their order.
  void nameRest(mlir::Block &block);
  std::string makeUnique(llvm::StringSet<> &taken, llvm::StringRef stem);

  llvm::DenseSet<mlir::Operation *> kept;
  llvm::DenseSet<mlir::Value> used;
  /// Of constants.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> firstUsers;
  llvm::DenseMap<mlir::Value, std::string> values;
  llvm::DenseMap<mlir::Operation *, std::string> nodes;
  llvm::StringSet<> takenByValues, takenByNodes;
  /// How many names have been made of each stem.
  llvm::StringMap<unsigned> counts;
};

} // namespace nacre::onnx_export

#endif // NACRE_EXPORT_ONNX_GRAPHNAMES_H
