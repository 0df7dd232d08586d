//===- Optimization.cpp - LLVM's passes for kernels -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's default pipelines are made for what frontends of programming languages
// write: functions that call each other, exceptions, indirect calls, and
// branches that are hard to predict. A module of kernels has none of them. What
// such a pipeline has for them, and its repetitions of what follows inlining,
// took a quarter of LLVM's time for optimising and left the same loops.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Optimization.h"

#include "nacre/Emit/LoopAddresses.h"
#include "nacre/Emit/ScalarStores.h"
#include "nacre/Emit/StreamStores.h"
#include "nacre/Emit/VectorizeLoops.h"
#include "nacre/Support/Stage.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace nacre;

using llvm::cantFail;

// The texts of passes are the compiler's own: one that LLVM does not know is a
// mistake here.

/// Calls with the same number, or with what nobody reads, are of one kernel.
static constexpr llvm::StringLiteral kArguments = "inferattrs,ipsccp";

static constexpr llvm::StringLiteral kBeforeLoops =
    "sroa<modify-cfg>,early-cse<memssa>,correlated-propagation,simplifycfg,"
    "instcombine<no-verify-fixpoint>,aggressive-instcombine,reassociate,"
    "loop-mssa(loop-simplifycfg,loop-rotate,licm<allowspeculation>,"
    "simple-loop-unswitch<nontrivial;trivial>),"
    "simplifycfg";

static constexpr llvm::StringLiteral kAfterLoops =
    "sroa<modify-cfg>,vector-combine,gvn<>,bdce,"
    "instcombine<no-verify-fixpoint>,adce,memcpyopt,dse,"
    "loop-mssa(licm<allowspeculation>),simplifycfg";

/// Until loops over scalars become ones over vectors.
static constexpr llvm::StringLiteral kBeforeVectors =
    "loop(loop-rotate,loop-deletion)";

static constexpr llvm::StringLiteral kAfterVectors =
    "loop-load-elim,"
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg<switch-to-lookup;no-keep-loops;hoist-common-insts;"
    "sink-common-insts>,"
    "slp-vectorizer,vector-combine";

static constexpr llvm::StringLiteral kAfterVectorization =
    "sroa<preserve-cfg>,infer-alignment,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm<allowspeculation>),alignment-from-assumptions,loop-sink,"
    "instsimplify,div-rem-pairs,simplifycfg";

template <typename FunctionPasses>
static void addToFunctions(llvm::ModulePassManager &passes,
                           FunctionPasses &&functionPasses) {
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      std::forward<FunctionPasses>(functionPasses),
      /*EagerlyInvalidate=*/true));
}

/// What is done to a function before its loops are vectorised.
static llvm::FunctionPassManager buildSimplification(llvm::PassBuilder &builder,
                                                     unsigned level) {
  llvm::FunctionPassManager passes;
  cantFail(builder.parsePassPipeline(passes, kBeforeLoops));
  llvm::LoopPassManager loopPasses;
  cantFail(builder.parsePassPipeline(loopPasses,
                                     "loop-idiom,indvars,loop-deletion"));
  loopPasses.addPass(llvm::LoopFullUnrollPass(level));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loopPasses)));
  cantFail(builder.parsePassPipeline(passes, kAfterLoops));
  return passes;
}

static llvm::FunctionPassManager buildVectorization(llvm::PassBuilder &builder,
                                                    unsigned level) {
  llvm::FunctionPassManager passes;
  cantFail(builder.parsePassPipeline(passes, kBeforeVectors));
  passes.addPass(VectorizeLoopsPass());
  cantFail(builder.parsePassPipeline(passes, kAfterVectors));
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(level)));
  cantFail(builder.parsePassPipeline(passes, kAfterVectorization));
  passes.addPass(StreamStoresPass());
  return passes;
}

static llvm::ModulePassManager buildKernelPasses(llvm::PassBuilder &builder,
                                                 unsigned level) {
  llvm::ModulePassManager passes;
  cantFail(builder.parsePassPipeline(passes, kArguments));
  addToFunctions(passes, buildSimplification(builder, level));
  // Functions that cannot throw need no tables for unwinding.
  cantFail(
      builder.parsePassPipeline(passes, "cgscc(function-attrs),deadargelim"));
  addToFunctions(passes, buildVectorization(builder, level));
  cantFail(builder.parsePassPipeline(passes, "globaldce,constmerge"));
  return passes;
}

void nacre::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level) {
  Stage stage("LLVM optimization");
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  // Reports each pass to LLVM's profiler, where that is on.
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimeProfilingPassesHandler profiler;
  profiler.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(),
                            std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (level == 0) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  } else if (level == 1) {
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1);
  } else {
    passes = buildKernelPasses(builder, std::min(level, 3u));
  }
  addToFunctions(passes, ScalarStoresPass());
  if (level > 0 &&
      machine.getTargetTriple().getArch() == llvm::Triple::x86_64) {
    llvm::FunctionPassManager addresses;
    cantFail(builder.parsePassPipeline(addresses, "loop-simplify"));
    addresses.addPass(LoopAddressesPass());
    addToFunctions(passes, std::move(addresses));
  }
  passes.run(module, modules);
}
