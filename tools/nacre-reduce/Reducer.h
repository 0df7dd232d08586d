//===- Reducer.h - Makes a module small that is of interest -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's reducer deletes ranges of ops, which leaves their users without
// operands: of a graph, in which each op has users, it deletes none. This one
// gives the users something else to read.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TOOLS_NACRE_REDUCE_REDUCER_H
#define NACRE_TOOLS_NACRE_REDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Reducer/Tester.h"

namespace nacre {

/// Makes changes to a module one by one and keeps those after which a script
/// still finds it of interest.
class Reducer {
public:
  Reducer(mlir::OwningOpRef<mlir::ModuleOp> module, mlir::Tester tester)
      : module(std::move(module)), tester(std::move(tester)) {}

  /// Fails where the module is of no interest as it is.
  mlir::LogicalResult run();

  mlir::ModuleOp getModule() { return *module; }

private:
  /// Changes one op of a module; false where the change is not for it.
  using Change = llvm::function_ref<bool(mlir::Operation *)>;

  bool isInteresting(mlir::ModuleOp candidate) const;
  bool tryOn(size_t index, Change change);
  bool tryOnAll(Change change);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Tester tester;
};

} // namespace nacre

#endif // NACRE_TOOLS_NACRE_REDUCE_REDUCER_H
