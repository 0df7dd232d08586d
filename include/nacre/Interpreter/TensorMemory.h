//===- TensorMemory.h - Memory that tensors need ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted before a tensor is made: a type may state any size, and a constant
// may stand for as many elements with one.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_TENSORMEMORY_H
#define NACRE_INTERPRETER_TENSORMEMORY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace nacre::interpreter {

/// Bytes of a tensor of a static type; nothing where they cannot be counted.
std::optional<int64_t> countBytes(mlir::RankedTensorType type);

/// Fails, after an error at `op`, where memory cannot hold a result of the
/// type.
mlir::LogicalResult requireMemory(mlir::Operation *op,
                                  mlir::RankedTensorType type);

/// Fails, after an error at `op`, where memory cannot hold the elements of a
/// constant of which one stands for all.
mlir::LogicalResult requireMemoryForConstant(mlir::Operation *op,
                                             mlir::ElementsAttr constant);

} // namespace nacre::interpreter

#endif // NACRE_INTERPRETER_TENSORMEMORY_H
