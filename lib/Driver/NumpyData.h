//===- NumpyData.h - Samples in NumPy's files -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that hold samples become folders of test data, as all else reads them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_NUMPYDATA_H
#define NACRE_LIB_DRIVER_NUMPYDATA_H

#include "Arguments.h"
#include "Folders.h"

namespace nacre::driver {

/// The arguments with folders of samples in `folder` for each `--data` that is
/// an .npz file, which has an array for each input with the samples in front,
/// or a folder of NAME_N.npy, sample N of input NAME. Prints an error and fails
/// where they do not fit the model.
mlir::FailureOr<Arguments> unpackNumpyData(const Arguments &arguments,
                                           llvm::StringRef model,
                                           TemporaryFolder &folder);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_NUMPYDATA_H
