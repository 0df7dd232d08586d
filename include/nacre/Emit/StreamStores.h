//===- StreamStores.h - Stores that leave the caches alone ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_STREAMSTORES_H
#define NACRE_EMIT_STREAMSTORES_H

#include "llvm/IR/PassManager.h"

namespace nacre {

/// The function attribute that holds how many bytes a loop has to move for its
/// stores to pass the caches by. Functions without it keep theirs.
inline constexpr llvm::StringLiteral kStreamBytes = "nacre-stream-bytes";

/// Makes the vector stores of loops that write more than the caches hold
/// non-temporal, on x86-64. It runs when loops are vectorised, and unrolled.
struct StreamStoresPass : llvm::PassInfoMixin<StreamStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace nacre

#endif // NACRE_EMIT_STREAMSTORES_H
