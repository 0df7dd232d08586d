//===- NarrowWeights.h - Weights of f32 in 16 bits --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_NARROWWEIGHTS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_NARROWWEIGHTS_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace nacre::VPU {

/// Stores weights of f32 in 16 bits where those hold all of them exactly and
/// the architecture extends them, but weights that are to be transformed.
/// Returns the number of constants.
int64_t narrowWeights(mlir::ModuleOp module, ArchAttr arch,
                      mlir::RewriterBase::Listener *listener);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_NARROWWEIGHTS_H
