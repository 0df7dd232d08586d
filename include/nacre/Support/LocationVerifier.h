//===- LocationVerifier.h - Where ops come from -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics, listings and profiles call an op by the nodes that it comes
// from, which its location names. This finds passes that lose them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_LOCATIONVERIFIER_H
#define NACRE_SUPPORT_LOCATIONVERIFIER_H

#include "mlir/IR/Location.h"
#include "mlir/Pass/PassInstrumentation.h"

namespace nacre {

/// True where a location leads to a node of the model, or to a place in a file
/// of text that the module was read from.
bool isTraceable(mlir::Location loc);

/// Emits an error where there are more ops of a name whose location leads to no
/// node after a pass than before it. It says how many, not which, and
/// `hasFailed` then is set. A pass that erases such an op and makes another of
/// the same name and location is not found. What belongs to no node
/// needs none: functions and their ends, constants, which many ops share and
/// MLIR's folder moves, and the casts between one conversion and the next.
/// Needs a context without threads, and lets
/// `hasFailed` outlive the pass manager.
std::unique_ptr<mlir::PassInstrumentation>
createLocationVerifier(bool &hasFailed);

} // namespace nacre

#endif // NACRE_SUPPORT_LOCATIONVERIFIER_H
