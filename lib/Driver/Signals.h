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

#include <csignal>

namespace nacre::driver {

/// Makes SIGHUP, SIGINT and SIGTERM remove temporary files and folders and then
/// end the process as they do by default. For after InitLLVM.
void cleanUpOnSignals();

/// Makes a signal remove the folder, too, once its files are gone. One that is
/// given later is removed earlier. For the main thread.
void removeFolderOnSignal(llvm::StringRef path);
void keepFolderOnSignal(llvm::StringRef path);

/// Removes those of the folders that are empty. May be called by a signal
/// handler.
void removeFolders();

/// While it lives, SIGINT and SIGTERM do not end the process but are noted: for
/// what ends in time by itself, with what it has. One at a time.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

  bool wasInterrupted() const;

private:
  struct sigaction before[2] = {};
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SIGNALS_H
