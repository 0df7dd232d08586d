//===- StrategyFile.h - Strategies as JSON ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file in which a person reads what was decided about each node of a model,
// and overrides some of it.
//
// {
//   "arch": "x86-64-v4",
//   "ops": [
//     {
//       "decides": "loops", "node": "Conv_0", "index": 0,
//       "signature": "VPU.NCE.Convolution tensor<1x4x56x56x16xf32>",
//       "strategy": "#VPU.strategy<multiCluster = SplitOverHeight, …>",
//       "cycles": 57340
//     }
//   ]
// }
//
// An entry is of the op of that index among those that the node of a model has
// become when that is decided, of register tiles among those of the kernels
// whose first node it is; the signature tells whether it is still the same.
// Cycles, the estimate for one cluster, are for readers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFILE_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFILE_H

#include "nacre/Dialect/VPU/IR/VPUDialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace nacre::VPU {

/// The names of all decisions, quoted.
std::string listDecisions();

/// Keeps the strategies that stand on ops in the module, as passes that apply
/// them take them away.
void recordStrategies(mlir::ModuleOp module, Decision decision);

/// Writes what was recorded, which the module has no more then.
mlir::LogicalResult writeStrategies(mlir::ModuleOp module,
                                    llvm::StringRef path);

/// Puts the strategies of a file for `decision` on the ops that it names. An
/// error names the entry of which there is no op, or that is no strategy.
mlir::LogicalResult readStrategies(mlir::ModuleOp module, Decision decision,
                                   llvm::StringRef path);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYFILE_H
