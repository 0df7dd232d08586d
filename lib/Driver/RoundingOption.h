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

/// Whether samples that rounding is not learned from tell what it is worth, be
/// it asked for or tried.
bool judgesRounding(const Arguments &arguments);

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
