//===- RangeFiles.h - Range profiles that commands change -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range profile and the file of sums beside it, which it names.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_RANGEFILES_H
#define NACRE_LIB_DRIVER_RANGEFILES_H

#include "Arguments.h"
#include "Folders.h"

#include "nacre/Quantization/RangeProfile.h"

#include "mlir/Support/LLVM.h"

namespace nacre::driver {

/// Prints an error and fails where the file is no range profile.
mlir::FailureOr<quantization::RangeProfile> readRangeFile(llvm::StringRef path);

/// The command line with --ranges of a file that can be read again: a copy in
/// `folder` of what comes from a pipe. Prints errors.
mlir::FailureOr<Arguments> keepPipedRanges(const Arguments &arguments,
                                           TemporaryFolder &folder);

/// Writes a profile that was read from `source`, with its sums if `path` is in
/// another folder; both or none. `writeComments` adds lines behind it. Prints
/// errors.
mlir::LogicalResult writeRangeFile(
    quantization::RangeProfile profile, llvm::StringRef source,
    llvm::StringRef path,
    llvm::function_ref<void(llvm::raw_ostream &)> writeComments = {});

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RANGEFILES_H
