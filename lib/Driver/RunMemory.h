//===- RunMemory.h - Memory that running a model takes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program would need that runs a compiled library.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_RUNMEMORY_H
#define NACRE_LIB_DRIVER_RUNMEMORY_H

#include "Folders.h"
#include "nacre/Emit/CompiledModel.h"

namespace nacre::driver {

/// Of a process, in MB.
struct RunMemory {
  double peak;         // resident
  double privateBytes; // at the end: what no file backs
};

/// True if measureRunMemory() can run the model: all inputs are tensors of
/// numbers of at least a byte.
bool takesNumbers(const CompiledModel &model);

/// Runs a library, loaded as `model`, on `inputs` in a process that does
/// nothing else: the program nacre-run-compiled, from the folder of this one.
/// Prints an error and fails where that cannot be started or fails.
mlir::FailureOr<RunMemory> measureRunMemory(
    mlir::Location loc, const CompiledModel &model, llvm::StringRef library,
    llvm::ArrayRef<interpreter::Datum> inputs, TemporaryFolder &folder);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RUNMEMORY_H
