//===- Calibrate.h - Measuring the ranges of values -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATE_H
#define NACRE_LIB_DRIVER_CALIBRATE_H

#include "Arguments.h"
#include "Repairs.h"
#include "nacre/Driver/Driver.h"

#include <string>
#include <vector>

namespace nacre::driver {

/// The options that say which samples are measured, and how.
std::vector<OptionSpec> getCalibrationOptions();

/// How many bytes values of one run may take. Prints an error and fails where
/// the option is no number.
mlir::FailureOr<int64_t> readMemoryLimit(const Arguments &arguments);

/// What a calibration was.
struct CalibrationSummary {
  size_t numValues = 0, numSamples = 0;
  /// How often the model was compiled.
  size_t numCompiled = 0;
  UnseenRuns unseen;

  void print(llvm::StringRef output) const;
};

/// Runs the model on the samples of `--data` and writes the ranges of its
/// values to `output`; also the sums that rounding of weights tries by default,
/// where there are runs to judge it by, or all of them where --hessians asks
/// for that. Runs judge where rounding takes at most `judgedWork`.
ExitCode calibrate(const Arguments &arguments, llvm::StringRef model,
                   llvm::StringRef output, CalibrationSummary &summary,
                   double judgedWork = 0);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATE_H
