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

/// The command line with the calibrator and the rounding that its ranges
/// choose where it names none. Warns where sums that they choose by are not
/// there, once: what it gives chooses no more. `given` is what users have named
/// as --ranges, of which the command line has a copy.
Arguments settleRanges(const Arguments &arguments, llvm::StringRef given = {});

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ROUNDINGOPTION_H
