//===- CalibratorChoice.h - Which calibrator is best ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --calibrator=measured: a histogram tells how far numbers move, not what that
// does to what the model computes of them. Runs on samples do.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATORCHOICE_H
#define NACRE_LIB_DRIVER_CALIBRATORCHOICE_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"

namespace nacre::driver {

/// Tries all calibrators on the samples of the command line, and writes what
/// each is worth into the range profile of --ranges. Prints errors.
ExitCode measureCalibrators(const Arguments &arguments, llvm::StringRef model);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATORCHOICE_H
