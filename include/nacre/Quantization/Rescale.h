//===- Rescale.h - Values whose channels are multiplied ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a value when its channels have been multiplied by factors,
// and what rounding does to each channel.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_RESCALE_H
#define NACRE_QUANTIZATION_RESCALE_H

#include "nacre/Quantization/RangeProfile.h"

namespace nacre::quantization {

/// The profile of a value with channels, each multiplied by its factor, which
/// is positive. The histogram, which no factor tells, is put together of what
/// channels of these means and deviations are likely to hold; where deviations
/// are not known, there is none.
ValueProfile rescale(const ValueProfile &value, llvm::ArrayRef<float> factors);

/// The mean squared number of each channel.
std::vector<double> getChannelSquares(const ValueProfile &value);

/// The mean squared error of each channel with these parameters.
std::vector<double> getChannelErrors(const ValueProfile &value,
                                     const Parameters &parameters);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_RESCALE_H
