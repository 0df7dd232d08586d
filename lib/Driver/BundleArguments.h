//===- BundleArguments.h - What a command line says of a bundle -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_BUNDLEARGUMENTS_H
#define NACRE_LIB_DRIVER_BUNDLEARGUMENTS_H

#include "Arguments.h"

#include "nacre/Emit/Bundle.h"

namespace nacre::driver {

/// The options of `nacre compile` that say what a bundle is like.
llvm::ArrayRef<OptionSpec> getBundleOptions();

/// Reads them. Prints an error and fails on a value that none of them has, and
/// on options that do not go with a bundle.
mlir::FailureOr<BundleOptions> readBundleOptions(const Arguments &arguments);

/// Fails, after an error, where one of them is given without --emit=bundle.
mlir::LogicalResult refuseBundleOptions(const Arguments &arguments);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_BUNDLEARGUMENTS_H
