//===- Constants.h - Constant weights ---------------------------*- C++ -*-===//
//
// What the passes that rewrite weights at compile time share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H

#include "mlir/IR/Value.h"
#include <optional>

namespace nacre::VPU {

/// The elements of a constant of f32, in `storage` where the attribute has no
/// array of them; nothing when `value` is no such constant.
std::optional<llvm::ArrayRef<float>>
getConstantFloats(mlir::Value value, llvm::SmallVectorImpl<float> &storage);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_CONSTANTS_H
