//===- IRDump.h - The IR after every pass -----------------------*- C++ -*-===//
//
// Writes the module after each pass that changes it, one numbered file each.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_IRDUMP_H
#define NACRE_LIB_DRIVER_IRDUMP_H

#include "mlir/Pass/PassManager.h"

namespace nacre::driver {

/// What one command has written. Upstream's tree of files ends the process
/// where the disk is full.
class IRDump {
public:
  explicit IRDump(llvm::StringRef folder) : folder(folder) {}

  /// Has the passes of `manager` write into the folder, as long as they can.
  /// Needs a context without threads.
  void attach(mlir::PassManager &manager);

  /// Whether a file could not be written, of which there has been an error.
  bool hasFailed() const { return failed; }

private:
  class Config;

  void write(mlir::Pass *pass, mlir::Operation *op,
             llvm::function_ref<void(llvm::raw_ostream &)> print);

  std::string folder;
  unsigned count = 0;
  bool failed = false;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_IRDUMP_H
