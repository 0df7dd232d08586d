//===- InterpretableOpInterface.h - Evaluation of one op --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the interfaces through which the interpreter evaluates an op.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_H
#define NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace nacre::interpreter {
class Datum;
class Tensor;
/// Runs a region of one block on arguments and gives what the block yields.
using RegionRunner = llvm::function_ref<llvm::LogicalResult(
    mlir::Region &, llvm::ArrayRef<Datum>, llvm::SmallVectorImpl<Datum> &)>;
} // namespace nacre::interpreter

#include "nacre/Interpreter/InterpretableOpInterface.h.inc"

#endif // NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_H
