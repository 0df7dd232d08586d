//===- StringConversion.h - Numbers as text ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What IE.Cast does from and to strings.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_INTERPRETER_STRINGCONVERSION_H
#define NACRE_LIB_INTERPRETER_STRINGCONVERSION_H

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Operation.h"

namespace nacre::interpreter {

/// Fills `texts` with `numbers` as NumPy writes them.
void writeNumbers(const Tensor &numbers, Tensor &texts);

/// Fills `numbers` with what `texts` say; an error of `op` where one of them is
/// no number.
mlir::LogicalResult readNumbers(mlir::Operation *op, const Tensor &texts,
                                Tensor &numbers);

} // namespace nacre::interpreter

#endif // NACRE_LIB_INTERPRETER_STRINGCONVERSION_H
