//===- LayerDifferences.h - Where two models differ -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --layers of `nacre check` shows: the values that two models have under
// one name, and how far they are from each other.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LAYERDIFFERENCES_H
#define NACRE_LIB_DRIVER_LAYERDIFFERENCES_H

#include "Arguments.h"
#include "nacre/Driver/Driver.h"

namespace nacre::driver {

/// The options of a comparison with another model.
llvm::ArrayRef<OptionSpec> getComparisonOptions();

/// Prints an error and fails where they do not fit together, or a model has no
/// values to show.
mlir::LogicalResult checkComparisonOptions(const Arguments &arguments,
                                           llvm::StringRef model);

/// The command line that the other model is compiled by.
Arguments getArgumentsOfOther(const Arguments &arguments);

/// Runs both models on the data folders and prints how far their values are
/// from each other; `agree` is what is known of their outputs.
ExitCode compareLayers(const Arguments &arguments, llvm::StringRef model,
                       llvm::ArrayRef<std::string> dataFolders, bool agree);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LAYERDIFFERENCES_H
