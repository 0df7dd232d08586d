//===- Inspection.h - What a session shows of its program -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that write the program at hand for people to read: --dump-graph
// and --dump-listing.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_INSPECTION_H
#define NACRE_LIB_DRIVER_INSPECTION_H

#include "Arguments.h"
#include "DumpGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <optional>

namespace mlir {
class PassManager;
} // namespace mlir

namespace nacre::driver {

/// The options of every command that has a program to show.
llvm::ArrayRef<OptionSpec> getInspectionOptions();
/// The names of these and of all others that have a session write what it does.
llvm::ArrayRef<llvm::StringRef> getInspectionNames();

/// Writes each of what was asked for once.
class Inspection {
public:
  /// Prints an error and fails for options that do not fit together.
  mlir::LogicalResult configure(const Arguments &arguments);

  /// The first of the options that were given; empty where none was.
  llvm::StringRef getGiven() const { return given; }
  /// Whether the optimised graph, and kernels, are still to be shown.
  bool needsOptimized() const {
    return optimizedGraph || (listing && !showsKernels);
  }
  bool needsKernels() const { return listing && showsKernels; }
  /// The option that asks for one of the two.
  llvm::StringRef getOptionForOptimized() const {
    return optimizedGraph ? "--dump-graph-optimized" : "--dump-listing";
  }

  mlir::LogicalResult showImported(mlir::ModuleOp module);
  /// Shows IE as it is optimised, of a model of that name for `target`.
  mlir::LogicalResult showOptimized(mlir::ModuleOp module, llvm::StringRef name,
                                    llvm::StringRef target);

  /// Looks at what the manager's passes make kernels of.
  void attach(mlir::PassManager &manager, llvm::StringRef name);
  /// Whether any have been seen.
  bool hasKernels() const { return !kernels.empty(); }
  /// Writes these.
  mlir::LogicalResult showKernels(mlir::Location loc);

private:
  class Listener;

  llvm::StringRef given;
  std::optional<std::string> graph, optimizedGraph, listing;
  bool showsKernels = false;
  GraphOptions graphOptions;
  /// The listings of all architectures.
  std::string kernels;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_INSPECTION_H
