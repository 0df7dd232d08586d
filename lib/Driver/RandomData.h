//===- RandomData.h - Random samples ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples for who wants to try quantization without data. Ranges that they
// show are not those of a model in use, so that they have to be allowed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_RANDOMDATA_H
#define NACRE_LIB_DRIVER_RANDOMDATA_H

#include "Arguments.h"
#include "Folders.h"

namespace nacre::driver {

/// The arguments with a folder of samples in `folder` for each `--data` that is
/// random[:SEED], after a warning; without --allow-random if none is. Prints an
/// error and fails where nobody has allowed them, or the model has an input
/// that numbers cannot fill.
mlir::FailureOr<Arguments> unpackRandomData(const Arguments &arguments,
                                            llvm::StringRef model,
                                            TemporaryFolder &folder);

/// True for arguments of which some samples were random.
bool hadRandomData(const Arguments &unpacked);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RANDOMDATA_H
