//===- IRDump.h - The IR after every pass -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the module after each pass that changes it, one numbered file each.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_IRDUMP_H
#define NACRE_LIB_DRIVER_IRDUMP_H

#include "IRFile.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Regex.h"

#include <optional>

namespace nacre::driver {

/// Which files are written; without an expression, all. Each fits a name that
/// it matches a part of.
struct IRDumpFilter {
  /// Of passes, after which files are written.
  std::optional<llvm::Regex> passes;
  /// Of functions, which alone are written, where one of them has changed.
  std::optional<llvm::Regex> functions;
};

/// What one command has written. Upstream's tree of files ends the process
/// where the disk is full.
class IRDump {
public:
  IRDump(llvm::StringRef folder, IRDumpFilter filter);
  /// Warns where the filter has left out everything.
  ~IRDump();

  /// Has the passes of `manager` write into the folder, as long as they can,
  /// each file with the passes that are still to be run. `manager` has all of
  /// its passes, and outlives their run. Needs a context without threads.
  void attach(mlir::PassManager &manager);

  /// Whether a file could not be written, of which there has been an error.
  bool hasFailed() const { return failed; }

private:
  class Config;
  class Position;

  void write(mlir::Pass *pass, mlir::ModuleOp module, llvm::StringRef pipeline);
  mlir::LogicalResult writeFile(mlir::ModuleOp module, llvm::StringRef file,
                                llvm::StringRef pipeline);
  std::string printFunctions(mlir::ModuleOp module) const;

  std::string folder;
  IRDumpFilter filter;
  IRWriter writer;
  /// How many passes have changed the module, and how many files there are.
  unsigned count = 0, numFiles = 0;
  /// The functions as the last file has them.
  std::string lastFunctions;
  bool failed = false;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_IRDUMP_H
