//===- Repairs.h - What repairs are worth on samples ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --equalize and --smooth change a graph by what ranges let expect. Where there
// are samples, the model is run with and without each, and what loses is left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_REPAIRS_H
#define NACRE_LIB_DRIVER_REPAIRS_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Quantization/Distortion.h"

namespace nacre::driver {

/// The command line without repairs.
Arguments withoutRepairs(const Arguments &arguments);

/// Decibels of the worst of some outputs, of those that have elements.
double getWorstDecibels(llvm::ArrayRef<quantization::Distortion> outputs);

/// Tries the repairs that the command line asks for on its samples, and writes
/// what they are worth, and which are kept, into the range profile of
/// --ranges. Prints errors.
ExitCode measureRepairs(const Arguments &arguments, llvm::StringRef model);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_REPAIRS_H
