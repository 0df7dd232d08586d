//===- BiasCorrection.h - What biases make up for, by runs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --bias-correction=exact: rounding makes channels larger or smaller in the
// mean than they are in f32. Product by product, from the first on, runs on
// samples show by how much, and its biases make up for that before what reads
// it is measured.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_BIASCORRECTION_H
#define NACRE_LIB_DRIVER_BIASCORRECTION_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"

namespace nacre::driver {

/// Measures what the biases of the model that the command line asks for have to
/// make up for, and writes it with the ranges of --ranges into the file `path`.
/// Prints errors.
ExitCode measureBiases(const Arguments &arguments, llvm::StringRef model,
                       llvm::StringRef path);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_BIASCORRECTION_H
