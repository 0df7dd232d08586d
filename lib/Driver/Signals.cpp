//===- Signals.cpp - What a signal must not leave behind ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command writes appears when it is whole. Until then it lies in
// temporary files and folders, which a signal that ends the process removes.
// LLVM's list of such files does for files; for folders there is one here. A
// signal may come between any two instructions, and its handler can neither
// allocate nor take a lock.
//
//===----------------------------------------------------------------------===//

#include "Signals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <string>
#include <unistd.h>

using namespace nacre;

namespace {
/// One of a list that only grows: a handler may be reading it.
struct Folder {
  std::string path;
  std::atomic<bool> isRemoved;
  Folder *next;
};
} // namespace

static std::atomic<Folder *> folders = nullptr;
static pthread_t mainThread;

void driver::removeFolderOnSignal(llvm::StringRef path) {
  folders = new Folder{path.str(), {true}, folders};
}

void driver::keepFolderOnSignal(llvm::StringRef path) {
  for (Folder *folder = folders; folder; folder = folder->next) {
    if (folder->path == path) {
      folder->isRemoved = false;
    }
  }
}

void driver::removeFolders() {
  for (const Folder *folder = folders; folder; folder = folder->next) {
    if (folder->isRemoved) {
      (void)rmdir(folder->path.c_str());
    }
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
  driver::removeFolders();
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

static constexpr int kWatched[] = {SIGINT, SIGTERM};
static volatile std::sig_atomic_t isInterrupted = 0;

static void noteInterrupt(int number) {
  isInterrupted = 1;
  // The second one ends the process.
  struct sigaction action = {};
  action.sa_handler = endProcess;
  sigfillset(&action.sa_mask);
  (void)sigaction(number, &action, nullptr);
}

driver::InterruptWatch::InterruptWatch() {
  isInterrupted = 0;
  for (auto [i, number] : llvm::enumerate(kWatched)) {
    struct sigaction action = {};
    action.sa_handler = noteInterrupt;
    sigemptyset(&action.sa_mask);
    // What is being written or waited for goes on.
    action.sa_flags = SA_RESTART;
    (void)sigaction(number, nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) {
      (void)sigaction(number, &action, nullptr);
    }
  }
}

driver::InterruptWatch::~InterruptWatch() {
  for (auto [i, number] : llvm::enumerate(kWatched)) {
    (void)sigaction(number, &before[i], nullptr);
  }
}

bool driver::InterruptWatch::wasInterrupted() const {
  return isInterrupted != 0;
}
