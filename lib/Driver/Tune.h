//===- Tune.h - The options of nacre tune -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TUNE_H
#define NACRE_LIB_DRIVER_TUNE_H

#include "Arguments.h"

namespace nacre::driver {

/// What is aimed at, and how it is searched.
std::vector<OptionSpec> getTuneOptions();

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TUNE_H
