//===- Dialects.h - What the pipelines are made of --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs nacre's pipelines needs fewer dialects than MLIR has.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_PIPELINES_DIALECTS_H
#define NACRE_PIPELINES_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nacre {

/// Registers the dialects of all that the pipelines pass through, from a model
/// to LLVM IR, nacre's and MLIR's, with the interfaces that their passes ask
/// for. The others of MLIR take more memory than the code of a small model is
/// generated in; nacre/InitAllDialects.h registers all.
void registerPipelineDialects(mlir::DialectRegistry &registry);

} // namespace nacre

#endif // NACRE_PIPELINES_DIALECTS_H
