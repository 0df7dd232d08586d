//===- Pipelines.h - Named pass pipelines -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines of the compiler as option structs. Each nests the previous
// levels' and is registered under its name with nacre-opt.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_PIPELINES_PIPELINES_H
#define NACRE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace nacre {

// The help of options that several pipelines have.
inline constexpr llvm::StringLiteral kArchHelp =
    "Architecture descriptor: a name or a file; the module's own when empty";
inline constexpr llvm::StringLiteral kAccuracyLevelHelp =
    "What products with weights of few bits may round their rows to where the "
    "model does not say: 0 and 1 f32, 2 f16, 3 bf16, 4 bytes";

/// `ie-optimize`: graph-level clean-up and optimisation on IE.
struct IEOptimizeOptions : public mlir::PassPipelineOptions<IEOptimizeOptions> {
  Option<bool> releaseConstants{
      *this, "release-constants",
      llvm::cl::desc("Free weights once they have been replaced; the context "
                     "must hold no other module to be compiled"),
      llvm::cl::init(false)};
  Option<bool> splitsBatches{
      *this, "split-batches",
      llvm::cl::desc("Run samples of unknown number one by one, which suits "
                     "nacre's own kernels alone"),
      llvm::cl::init(true)};
};

/// `lower-to-llvm`: kernels on buffers to the LLVM dialect.
struct LowerToLLVMOptions
    : public mlir::PassPipelineOptions<LowerToLLVMOptions> {
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Most threads that may share an scf.forall"),
      llvm::cl::init(1)};
};

/// `reference-sw`: IE to the LLVM dialect, every op alone, nothing fused or
/// tiled.
struct ReferenceSWOptions
    : public mlir::PassPipelineOptions<ReferenceSWOptions> {
  Option<std::string> arch{*this, "vpu-arch", llvm::cl::desc(kArchHelp),
                           llvm::cl::init("")};
};

/// `reference-hw`: IE through VPU to the LLVM dialect, every op alone, on the
/// engine where that has it: nothing fused or distributed, and tiled only where
/// it must be.
struct ReferenceHWOptions
    : public mlir::PassPipelineOptions<ReferenceHWOptions> {
  Option<std::string> arch{*this, "vpu-arch", llvm::cl::desc(kArchHelp),
                           llvm::cl::init("")};
  Option<int64_t> accuracyLevel{*this, "accuracy-level",
                                llvm::cl::desc(kAccuracyLevelHelp),
                                llvm::cl::init(0)};
};

/// `default-hw`: IE through VPU to the LLVM dialect.
struct DefaultHWOptions : public mlir::PassPipelineOptions<DefaultHWOptions> {
  Option<std::string> arch{*this, "vpu-arch", llvm::cl::desc(kArchHelp),
                           llvm::cl::init("")};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Largest number of threads the artifact can use"),
      llvm::cl::init(1)};
  Option<bool> winograd{
      *this, "winograd",
      llvm::cl::desc("Compute 3x3 convolutions by Winograd's algorithm where "
                     "that is faster"),
      llvm::cl::init(true)};
  Option<bool> bf16{
      *this, "bf16",
      llvm::cl::desc("Store activations and weights of NCE ops as bf16"),
      llvm::cl::init(false)};
  Option<int64_t> accuracyLevel{*this, "accuracy-level",
                                llvm::cl::desc(kAccuracyLevelHelp),
                                llvm::cl::init(0)};
  Option<std::string> strategies{
      *this, "strategies",
      llvm::cl::desc("A file of strategies that some ops take instead of those "
                     "that would be chosen"),
      llvm::cl::init("")};
  Option<std::string> dumpStrategies{
      *this, "dump-strategies",
      llvm::cl::desc("Write the strategies of all ops to this file"),
      llvm::cl::init("")};
  Option<bool> profile{
      *this, "profile",
      llvm::cl::desc("Call nacre_profile_step between kernels"),
      llvm::cl::init(false)};
  Option<bool> hooks{
      *this, "hooks",
      llvm::cl::desc("Call the caller's hooks before and after kernels"),
      llvm::cl::init(false)};
  Option<bool> report{
      *this, "report",
      llvm::cl::desc("Remark on what the engine does not compute, and why"),
      llvm::cl::init(false)};
  Option<bool> releaseConstants{
      *this, "release-constants",
      llvm::cl::desc("Free forms of the weights that are no longer needed; the "
                     "context must hold no other module to be compiled"),
      llvm::cl::init(false)};
};

void buildIEOptimizePipeline(mlir::OpPassManager &pm,
                             const IEOptimizeOptions &options);

/// `ie-prepare`, the first part of `ie-optimize`: after it the values are those
/// that the backends compute. Ranges are of these, whoever measures or uses
/// them.
void buildIEPreparePipeline(mlir::OpPassManager &pm,
                            const IEOptimizeOptions &options);

/// `ie-quantization`, also a part of `ie-optimize`: composite operators become
/// simpler ones, and operators between DequantizeLinear and QuantizeLinear
/// compute on integers. This decides how results round, so that every backend
/// runs it.
void buildIEQuantizationPipeline(mlir::OpPassManager &pm);

/// What the graph keeps whole becomes simpler ops, once the architecture is
/// known, but for what that keeps for its engine.
void buildLateDecompositionPipeline(mlir::OpPassManager &pm);

/// After bufferization: results become arguments, and values of the runtime are
/// released. `onEngine` checks and drops where an engine's operands lie.
void buildResultsPipeline(mlir::OpPassManager &pm, bool onEngine);

void buildLowerToLLVMPipeline(mlir::OpPassManager &pm,
                              const LowerToLLVMOptions &options);
void buildReferenceSWPipeline(mlir::OpPassManager &pm,
                              const ReferenceSWOptions &options);
void buildReferenceHWPipeline(mlir::OpPassManager &pm,
                              const ReferenceHWOptions &options);
void buildDefaultHWPipeline(mlir::OpPassManager &pm,
                            const DefaultHWOptions &options);

/// The prefixes of `default-hw` after which a reader may want to stop:
/// `hw-vpu` ends on VPU and linalg tensors, `hw-loops` on kernels of loops over
/// buffers.
void buildHWToVPUPipeline(mlir::OpPassManager &pm,
                          const DefaultHWOptions &options);
void buildHWToLoopsPipeline(mlir::OpPassManager &pm,
                            const DefaultHWOptions &options);

/// `vpu-loops`: from where `hw-vpu` ends to where `hw-loops` does.
void buildVPUToLoopsPipeline(mlir::OpPassManager &pm,
                             const DefaultHWOptions &options);

/// Where in `default-hw` or another way down a module is that one of the named
/// pipelines has left.
enum class Level { IE, VPU, Loops, LLVM };
Level getLevel(mlir::ModuleOp module);

/// Registers every pipeline by name.
void registerPipelines();

} // namespace nacre

#endif // NACRE_PIPELINES_PIPELINES_H
