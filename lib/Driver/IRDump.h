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

namespace nacre::driver {

/// What one command has written. Upstream's tree of files ends the process
/// where the disk is full.
class IRDump {
public:
  explicit IRDump(llvm::StringRef folder);

  /// Has the passes of `manager` write into the folder, as long as they can,
  /// each file with the passes that are still to be run. `manager` has all of
  /// its passes, and outlives their run. Needs a context without threads.
  void attach(mlir::PassManager &manager);

  /// Whether a file could not be written, of which there has been an error.
  bool hasFailed() const { return failed; }

private:
  class Config;
  class Position;

  void write(mlir::Pass *pass, mlir::Operation *op, llvm::StringRef pipeline);

  std::string folder;
  IRWriter writer;
  unsigned count = 0;
  bool failed = false;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_IRDUMP_H
