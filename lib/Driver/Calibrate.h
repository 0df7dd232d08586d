//===- Calibrate.h - Measuring the ranges of values -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATE_H
#define NACRE_LIB_DRIVER_CALIBRATE_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"

namespace nacre::driver {

/// The options that say which samples are measured, and how.
std::vector<OptionSpec> getCalibrationOptions();

/// Runs the model on the samples of `--data` and writes the ranges of its
/// values to `output`.
ExitCode calibrate(const Arguments &arguments, llvm::StringRef model,
                   llvm::StringRef output);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATE_H
