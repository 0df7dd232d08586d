//===- Pipelines.h - Named pass pipelines -----------------------*- C++ -*-===//
//
// The pipelines of the compiler as option structs. Each nests the previous
// levels' and is registered under its name with nacre-opt.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_PIPELINES_PIPELINES_H
#define NACRE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace nacre {

/// `ie-optimize`: graph-level clean-up and optimisation on IE.
struct IEOptimizeOptions : public mlir::PassPipelineOptions<IEOptimizeOptions> {
};

/// `reference-sw`: IE to the LLVM dialect, every op alone, nothing fused or
/// tiled.
struct ReferenceSWOptions
    : public mlir::PassPipelineOptions<ReferenceSWOptions> {};

void buildIEOptimizePipeline(mlir::OpPassManager &pm,
                             const IEOptimizeOptions &options);
void buildReferenceSWPipeline(mlir::OpPassManager &pm,
                              const ReferenceSWOptions &options);

/// Registers every pipeline by name.
void registerPipelines();

} // namespace nacre

#endif // NACRE_PIPELINES_PIPELINES_H
