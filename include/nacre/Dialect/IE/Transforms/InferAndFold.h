//===- InferAndFold.h - What constants decide -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_INFERANDFOLD_H
#define NACRE_DIALECT_IE_TRANSFORMS_INFERANDFOLD_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace nacre::IE {

/// Adds the passes on a function after which every shape that follows from
/// constants is one. Constants decide shapes and shapes decide constants
/// (Shape → Gather → Concat → Reshape), once more for each layer whose shape
/// the layer before it decides.
void addInferAndFold(mlir::OpPassManager &function);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_INFERANDFOLD_H
