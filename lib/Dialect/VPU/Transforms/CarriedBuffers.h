//===- CarriedBuffers.h - Buffers of branches and loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-shot bufferization wants to know where a loop's values live; this is
// where copies say so.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_CARRIEDBUFFERS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_CARRIEDBUFFERS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace nacre::VPU {

/// Makes every value that a loop carries stay in the buffer that it starts in,
/// and gives each result of a branch one buffer for both sides, by copies where
/// bufferization with `options` would use other buffers.
mlir::LogicalResult fixCarriedBuffers(
    mlir::ModuleOp module,
    const mlir::bufferization::OneShotBufferizationOptions &options);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_CARRIEDBUFFERS_H
