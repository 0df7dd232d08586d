//===- Signals.cpp - What a signal must not leave behind ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <climits>
#include <csignal>
#include <pthread.h>
#include <unistd.h>

using namespace nacre;

// A handler can neither allocate nor take a lock.
static char folder[PATH_MAX];
static std::atomic<bool> hasFolder = false;
static pthread_t mainThread;

void driver::setFolderToRemove(llvm::StringRef path) {
  hasFolder = false;
  if (!path.empty() && path.size() < sizeof(folder)) {
    *llvm::copy(path, folder) = '\0';
    hasFolder = true;
  }
}

void driver::removeFolder() {
  if (hasFolder) {
    (void)rmdir(folder);
  }
}

static void endProcess(int number) {
  // Any thread may be interrupted; the one that writes files must stop, and may
  // have put signals off.
  if (!pthread_equal(pthread_self(), mainThread)) {
    (void)pthread_kill(mainThread, number);
    return;
  }
  llvm::sys::RunInterruptHandlers();
  driver::removeFolder();
  // Delivered when this handler returns.
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

void driver::cleanUpOnSignals() {
  mainThread = pthread_self();
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction old = {}, action = {};
    // A signal that the parent ignores, as nohup does, stays ignored.
    if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) {
      continue;
    }
    action.sa_handler = endProcess;
    sigfillset(&action.sa_mask);
    (void)sigaction(number, &action, nullptr);
  }
}
