//===- Reproducer.h - What failed, for who repairs it -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pass of a pipeline has failed without saying why.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_REPRODUCER_H
#define NACRE_LIB_DRIVER_REPRODUCER_H

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace nacre::driver {

/// The first failure in a run of a pass manager.
struct PassFailure {
  /// The pass that failed, by its argument, and the operation it ran on.
  std::string pass, operation;
  /// The pipeline of the manager up to the pass of its own that failed or that
  /// has the one inside, and that pass alone.
  std::string before, failed;
};

/// Fills in `failure` when a pass fails. Both arguments outlive the run.
std::unique_ptr<mlir::PassInstrumentation>
createFailureListener(mlir::PassManager &manager, PassFailure &failure);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_REPRODUCER_H
