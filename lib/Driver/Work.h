//===- Work.h - What a model computes, and where ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `nacre info` says before anybody runs a model.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_WORK_H
#define NACRE_LIB_DRIVER_WORK_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace nacre::driver {
class Session;

/// Multiply-accumulates of convolutions and matrix products.
struct Work {
  double macs = 0;
  /// The sizes that the model leaves open, and what they are taken to be.
  std::vector<std::pair<std::string, int64_t>> assumed;
  /// Products in regions of others, whose number of runs nobody knows.
  int64_t inLoops = 0;
  /// Products of dynamic sizes.
  int64_t uncounted = 0;
};

/// Multiply-accumulates of an op of IE: nothing inside where a size is not
/// known, no value where it is no product.
std::optional<std::optional<double>> countProduct(mlir::Operation *op);

/// The same; nothing in either case.
std::optional<double> countMACs(mlir::Operation *op);

/// Those of all that a body computes in one run, the bodies in it as often as
/// they run; nothing where a size or the number of runs of products is not
/// known.
std::optional<double> countRunMACs(mlir::Region &body);

/// Leaves the module as it is. Fails where the assumed sizes do not fit it.
mlir::FailureOr<Work> measureWork(mlir::ModuleOp module);

/// What the engine computes of a model, as the passes decide.
struct EngineUse {
  int64_t numConverted = 0;
  /// Node and reason of what else would be for the engine.
  std::vector<std::pair<std::string, std::string>> left;
  /// Why there is no answer; empty where there is one.
  std::string error;
};

/// Runs the passes down to the engine's ops on a copy of the session's module.
EngineUse findEngineUse(Session &session);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_WORK_H
