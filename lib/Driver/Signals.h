//===- Signals.h - What a signal must not leave behind ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM removes the files that it knows when a signal ends the process; it knows
// no folders.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SIGNALS_H
#define NACRE_LIB_DRIVER_SIGNALS_H

#include "llvm/ADT/StringRef.h"

namespace nacre::driver {

/// Makes SIGHUP, SIGINT and SIGTERM remove temporary files and folders and then
/// end the process as they do by default. For after InitLLVM.
void cleanUpOnSignals();

/// The folder that a signal removes once its files are gone; empty for none.
void setFolderToRemove(llvm::StringRef path);

/// Removes that folder. May be called by a signal handler.
void removeFolder();

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SIGNALS_H
