//===- CalibratorChoice.h - Which calibrator is best ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram tells how far numbers move, not what that does to what the model
// computes of them. Runs on samples do.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATORCHOICE_H
#define NACRE_LIB_DRIVER_CALIBRATORCHOICE_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"

namespace nacre::driver {

/// Tries all calibrators on the samples of the command line, of which some are
/// enough unless --calibrator=measured asks for it, and writes what each is
/// worth into the range profile of --ranges; nothing where they have no say.
/// Says what it has found of that profile, by the name `shown`, which is -
/// where standard output is for the profile. Prints errors.
ExitCode measureCalibrators(const Arguments &arguments, llvm::StringRef model,
                            llvm::StringRef shown);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATORCHOICE_H
