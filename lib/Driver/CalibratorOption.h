//===- CalibratorOption.h - What --calibrator asks for ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibrator by its name, or the one that runs have shown to be good: then a
// range profile says which it is, and for which integers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATOROPTION_H
#define NACRE_LIB_DRIVER_CALIBRATOROPTION_H

#include "Arguments.h"
#include "nacre/Quantization/Options.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/Support/LogicalResult.h"
#include <string>

namespace nacre::driver {

/// A calibrator, by the name that users give.
using NamedCalibrator = std::pair<llvm::StringRef, quantization::Calibrator>;

/// Whether the command line asks for the calibrator that was the best in runs.
bool measuresCalibrator(const Arguments &arguments);

/// Whether it names one, or how one is chosen.
bool namesCalibrator(const Arguments &arguments);

/// Whether it leaves the calibrator to runs, in one way or the other.
bool choosesCalibrator(const Arguments &arguments);

/// The integers that it has values and weights rounded to, in words.
std::string describeActivations(const Arguments &arguments);
std::string describeWeights(const Arguments &arguments);
std::string describeIntegers(const Arguments &arguments);

/// The calibrators, by name, that have ranges of all these integers: entropy
/// has none of 16 bits.
std::vector<NamedCalibrator> listCalibrators(const Arguments &arguments);

/// The command line with a calibrator instead of the one it names.
Arguments withCalibrator(const Arguments &arguments, llvm::StringRef name);

/// The calibrator that ranges with these trials mean for a command line that
/// names none; nothing where it is for other integers that they have another
/// one than the default.
std::optional<llvm::StringRef>
findSettled(const Arguments &arguments,
            const std::optional<quantization::CalibratorTrials> &trials,
            bool hasWideOverride);

/// The command line with the name of a calibrator, where --ranges tells it and
/// none is named. Warns where they tell it for other integers, or do not say
/// for which; `name` is what users know the file by. What cannot be read is
/// left to who needs it.
Arguments settleCalibrator(const Arguments &arguments, llvm::StringRef name);

/// The name of the calibrator: where the best one is asked for, that which the
/// ranges say was it. Prints an error and fails where they do not.
mlir::FailureOr<std::string> findCalibrator(const Arguments &arguments);

/// Fails after an error that entropy, which the calibrator is, is for 8 bits,
/// and that `found` asks for more.
mlir::LogicalResult refuseEntropy(llvm::StringRef found);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATOROPTION_H
