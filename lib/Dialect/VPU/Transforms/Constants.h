//===- Constants.h - Constant weights ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes that rewrite weights at compile time share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace nacre::VPU {

/// The nearest bf16 number's bits, ties to even.
uint16_t roundToBFloat16(float value);

/// The elements of a constant as they lie in memory, at any address: a single
/// one where all are the same. Nothing when `value` is no constant, or has no
/// data any more.
std::optional<llvm::ArrayRef<char>> getConstantBytes(mlir::Value value);

/// The elements of a constant of f32 or bf16, in `storage` where the attribute
/// has no array of floats; nothing when `value` is no such constant.
std::optional<llvm::ArrayRef<float>>
getConstantFloats(mlir::Value value, llvm::SmallVectorImpl<float> &storage);

/// A constant of f32 or bf16, in a resource of this name.
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::RankedTensorType type,
                          llvm::ArrayRef<float> values, llvm::StringRef name);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H
