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
/// `found` says in words what came of it. Prints errors.
ExitCode measureCalibrators(const Arguments &arguments, llvm::StringRef model,
                            std::string &found);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATORCHOICE_H
