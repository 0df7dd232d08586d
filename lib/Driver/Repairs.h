//===- Repairs.h - What repairs are worth on samples ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --equalize and --smooth change a graph by what ranges let expect. Where there
// are samples, the model is run with and without each, and what loses is left
// out. Rounding for inputs that is asked for is done in any case.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_REPAIRS_H
#define NACRE_LIB_DRIVER_REPAIRS_H

#include "Arguments.h"
#include "InputSums.h"
#include "Judges.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Quantization/Distortion.h"

#include <memory>

namespace nacre::driver {

/// The command line without repairs.
Arguments withoutRepairs(const Arguments &arguments);

/// The runs that no sums have seen, by which these can be judged, and the sums
/// that know of them, too, for what has been judged. None where nobody tries
/// these sums.
struct UnseenRuns {
  Judges judges;
  std::shared_ptr<const InputSums> sums;
};

/// Decibels of the worst of some outputs, of those that have elements.
double getWorstDecibels(llvm::ArrayRef<quantization::Distortion> outputs);

/// Tries the repairs that the command line asks for on its samples, and writes
/// what they are worth, and which are kept, into the range profile of
/// --ranges; also rounding by sums that have not seen some runs, by these, if
/// there are any, asked for or not. Sums that stay become those of all runs.
/// Warns where rounding is asked for and gains nothing, or no layer can be
/// rounded: there are no sums then. Prints errors.
ExitCode measureRepairs(const Arguments &arguments, llvm::StringRef model,
                        const UnseenRuns &unseen);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_REPAIRS_H
