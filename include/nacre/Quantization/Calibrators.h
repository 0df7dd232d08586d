//===- Calibrators.h - Which range of a value matters -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A narrow range tells more numbers apart and cuts off more. Calibrators choose
// by what a histogram says of how often which numbers occur.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_CALIBRATORS_H
#define NACRE_QUANTIZATION_CALIBRATORS_H

#include "nacre/Quantization/RangeProfile.h"

namespace nacre::quantization {

struct CalibrationOptions {
  Calibrator calibrator = Calibrator::MSE;
  /// What Percentile keeps at each end, of 100.
  double percentile = 99.99;
  Schema schema = Schema::Asymmetric;
  ActivationType type = ActivationType::UInt8;
};

/// All of them, by the names that users give.
llvm::ArrayRef<std::pair<llvm::StringRef, Calibrator>> getCalibrators();

/// The name of one of them.
llvm::StringRef getName(Calibrator calibrator);

/// The range of a value, which holds 0. For 16 bits it is twice what the
/// calibrator chooses: they have steps to spare for numbers that no sample has
/// shown.
Range calibrate(const ValueProfile &value, const CalibrationOptions &options);

/// The mean squared error of numbers in these bins with these parameters.
double getSquaredError(const Bins &bins, const Parameters &parameters);

/// What is lost of the information about which numbers occur: the
/// Kullback-Leibler divergence of the histogram cut to the range from the same
/// in 255 steps.
double getDivergence(const Bins &bins, Range range);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_CALIBRATORS_H
