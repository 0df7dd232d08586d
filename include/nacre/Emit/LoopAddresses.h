//===- LoopAddresses.h - Addresses that a loop counts up --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_LOOPADDRESSES_H
#define NACRE_EMIT_LOOPADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace nacre {

/// Counts up, in innermost loops of one block, the addresses for which x86
/// would have to compute a product in each iteration. It runs when all else is
/// done.
struct LoopAddressesPass : llvm::PassInfoMixin<LoopAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace nacre

#endif // NACRE_EMIT_LOOPADDRESSES_H
