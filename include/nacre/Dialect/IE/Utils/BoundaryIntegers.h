//===- BoundaryIntegers.h - Integers at a model's ends ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What integers of inputs and outputs stand for, as far as the ops beside them
// tell it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_BOUNDARYINTEGERS_H
#define NACRE_DIALECT_IE_UTILS_BOUNDARYINTEGERS_H

#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::IE {

/// What the integers of an op stand for, where scale and zero point are one
/// constant each, and the integers have 8 or 16 bits; null elsewhere.
abi::IntegersAttr getIntegers(QuantizeLinearOp op);
abi::IntegersAttr getIntegers(DequantizeLinearOp op);

/// Notes as `nacre.integers` what arguments stand for that are dequantized, all
/// the same, and what results stand for that are quantized.
void noteIntegers(mlir::func::FuncOp function);

/// What `nacre.integers` says of arguments and results that have names, as
/// text, which files have under that name in the model's metadata; empty where
/// it says nothing.
std::string printIntegers(mlir::func::FuncOp function);
/// Notes what such a text says of those that the function has, where nothing is
/// noted yet. Warns of what does not fit, which is left out, and of what the
/// ops beside them contradict, whose scales may have become parts of others.
void parseIntegers(mlir::func::FuncOp function, llvm::StringRef text);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_BOUNDARYINTEGERS_H
