//===- ScalarStores.h - Stores of one lane ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_SCALARSTORES_H
#define NACRE_EMIT_SCALARSTORES_H

#include "llvm/IR/PassManager.h"

namespace nacre {

/// Stores the element where a vector is stored under a constant mask of one
/// lane.
class ScalarStoresPass : public llvm::PassInfoMixin<ScalarStoresPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  /// Not for speed: without optimisation, too.
  static bool isRequired() { return true; }
};

} // namespace nacre

#endif // NACRE_EMIT_SCALARSTORES_H
