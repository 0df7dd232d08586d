//===- Driver.h - The nacre command -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front door: compile, run, check, bench and info.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DRIVER_DRIVER_H
#define NACRE_DRIVER_DRIVER_H

namespace nacre {

/// What the command's exit status means to scripts.
enum class ExitCode {
  Success = 0,
  /// Outputs differ from the expected ones.
  Differs = 1,
  /// The model uses something nacre does not support.
  Unsupported = 2,
  /// A malformed file, argument or shape, data that end a run, or a file that
  /// cannot be written.
  BadInput = 3,
  /// A defect of nacre.
  Internal = 70
};

/// Runs the command line and returns the process's exit status.
int runDriver(int argc, char **argv);

} // namespace nacre

#endif // NACRE_DRIVER_DRIVER_H
