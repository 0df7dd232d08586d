//===- RoundingOption.h - What --rounding asks for --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who names nothing gets weights rounded for their inputs where samples have
// shown that it is worth it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_ROUNDINGOPTION_H
#define NACRE_LIB_DRIVER_ROUNDINGOPTION_H

#include "Arguments.h"

namespace nacre::driver {

/// Whether samples decide how weights are rounded.
bool triesRounding(const Arguments &arguments);

/// Whether weights are rounded for their inputs, as somebody asks for.
bool asksForRounding(const Arguments &arguments);

/// Of what rounding takes for all layers together, the third power of how many
/// numbers their sums have: how much is some seconds each time that weights are
/// rounded.
constexpr double kMostRoundingWork = 2e10;

/// Up to how much of that samples tell what rounding is worth that it is not
/// learned from, be it asked for or tried: they have sums of their own. 0 where
/// none do.
double getJudgedWork(const Arguments &arguments);

/// The numbers that values and weights become, in words: rounding that was
/// judged for some tells little of others.
std::string describeRounded(const Arguments &arguments);

/// The command line with the calibrator and the rounding that its ranges
/// choose where it names none. Warns where sums that they choose by are not
/// there, or were judged for other integers, once: what it gives chooses no
/// more. `given` is what users have named as --ranges, of which the command
/// line has a copy.
Arguments settleRanges(const Arguments &arguments, llvm::StringRef given = {});

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ROUNDINGOPTION_H
