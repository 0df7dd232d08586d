//===- VectorizeLoops.h - LLVM's vectoriser, and what it leaves -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_VECTORIZELOOPS_H
#define NACRE_EMIT_VECTORIZELOOPS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class LLVMContext;
class Loop;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace nacre {

/// True where a vector of any elements can be loaded and stored in part. Where
/// only wide elements can (AVX2), that takes as long as one by one.
bool hasMasks(const llvm::TargetTransformInfo &target,
              llvm::LLVMContext &context);

/// Bytes of the widest elements that a loop reads or writes one after the
/// other; 0 if it does so with others, too.
uint64_t getContiguousBytes(const llvm::Loop &loop,
                            llvm::ScalarEvolution &evolution);

/// True for a loop that adds to what the loop around it has it add to again, as
/// for the next row of those that it sums. What is stored under a mask has to
/// reach the cache before it is read, for which such a loop would wait each
/// time.
bool accumulatesInMemory(const llvm::Loop &loop,
                         llvm::ScalarEvolution &evolution);

/// Vectorises loops over single elements. Where there are masks, what loops
/// over contiguous elements leave over for whole vectors is taken by vectors
/// under a mask, too.
struct VectorizeLoopsPass : llvm::PassInfoMixin<VectorizeLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace nacre

#endif // NACRE_EMIT_VECTORIZELOOPS_H
