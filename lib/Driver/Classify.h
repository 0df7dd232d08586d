//===- Classify.h - Pictures through a classifier ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CLASSIFY_H
#define NACRE_LIB_DRIVER_CLASSIFY_H

#include "Arguments.h"

namespace nacre::driver {

/// The options of `nacre classify` besides those of compilation.
std::vector<OptionSpec> getClassifyOptions();

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CLASSIFY_H
