//===- Progress.h - For who waits for a compilation -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line on a terminal that says what the compiler is doing. Nothing where
// standard error is none, or the compiler is done within a second.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_PROGRESS_H
#define NACRE_LIB_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nacre::driver {

class Progress {
public:
  Progress();
  ~Progress();

  /// A stage, which may be in another one; the line is there during stages.
  void begin(llvm::StringRef stage);
  void end();
  /// A part of the stage.
  void show(llvm::StringRef part);
  /// Takes the line away, until it is drawn again: for before a message.
  void clear();

private:
  void paint();
  void draw();
  void erase();

  bool isEnabled = false, isDone = false, isDrawn = false;
  std::chrono::milliseconds delay;
  std::chrono::steady_clock::time_point start;
  std::vector<std::string> stages;
  std::string part;
  std::mutex mutex;
  std::condition_variable wakeUp;
  std::thread painter;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_PROGRESS_H
