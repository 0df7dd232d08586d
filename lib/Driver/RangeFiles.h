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

/// Whether a file of sums can be beside what is written to `path`, which is not
/// so for standard output, a device or a pipe.
bool canHaveSums(llvm::StringRef path);

/// Writes a profile that was measured and, if it has an index of sums, the file
/// of these beside it; both or none. A file of sums that an earlier profile at
/// `path` had goes. Prints errors.
mlir::LogicalResult
writeMeasured(quantization::RangeProfile &profile, llvm::StringRef path,
              llvm::function_ref<void(llvm::raw_ostream &)> writeSums);

/// Writes a profile that was read from `source`, as writeMeasured does, with a
/// copy of its sums if `path` is another file. Sums that are not there, or that
/// cannot be beside `path`, are left out, and what they are for.
/// `writeComments` adds lines behind the profile. Prints errors.
mlir::LogicalResult writeRangeFile(
    quantization::RangeProfile profile, llvm::StringRef source,
    llvm::StringRef path,
    llvm::function_ref<void(llvm::raw_ostream &)> writeComments = {});

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RANGEFILES_H
