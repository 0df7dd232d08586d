//===- Busy.h - Load beside a measurement -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes cores away from what is measured, as other programs would.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_BUSY_H
#define NACRE_LIB_DRIVER_BUSY_H

#include "mlir/Support/LLVM.h"

#include <sys/types.h>
#include <vector>

namespace nacre::driver {

/// Processes that compute without end, each bound to a core of its own as long
/// as there are enough, beginning with the last. They end with this object, and
/// with the process that has it.
class BusyProcesses {
public:
  BusyProcesses() = default;
  BusyProcesses(const BusyProcesses &) = delete;
  BusyProcesses &operator=(const BusyProcesses &) = delete;
  ~BusyProcesses();

  /// Starts `count` of them; fails with a message where the system refuses.
  mlir::LogicalResult start(int64_t count);

private:
  std::vector<pid_t> processes;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_BUSY_H
