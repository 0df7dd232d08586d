//===- SampleBatches.h - Samples out of batches -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured of samples must not depend on how many of them are in a
// file. Kernels for other numbers of samples may add in another order, and a
// sample of a batch is computed like one that comes alone only if it does.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SAMPLEBATCHES_H
#define NACRE_LIB_DRIVER_SAMPLEBATCHES_H

#include "Arguments.h"
#include "Folders.h"

namespace nacre::driver {

/// Where samples lie that are made of others, as long as they are needed.
struct SampleFolders {
  TemporaryFolder made, unpacked, cut;
};

/// The arguments with folders of test data for all that --data names: random
/// numbers and NumPy's files become some, and batches become samples of one,
/// where the model leaves the size of the batch open and computes each sample
/// of it for itself. Prints an error and fails where data do not fit the model.
mlir::FailureOr<Arguments> findSampleData(const Arguments &arguments,
                                          llvm::StringRef model,
                                          SampleFolders &folders);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SAMPLEBATCHES_H
