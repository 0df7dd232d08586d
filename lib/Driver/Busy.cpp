//===- Busy.cpp - Load beside a measurement -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes and not threads, whose time the system might share out among those
// of one program.
//
//===----------------------------------------------------------------------===//

#include "Busy.h"

#include "Arguments.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// The cores that this process may use, in the order of their numbers.
static std::vector<int> getCores() {
  cpu_set_t allowed;
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &allowed)) {
        cores.push_back(core);
      }
    }
  }
  return cores;
}

/// What such a process does; only what a child of several threads may call.
[[noreturn]] static void stayBusy(int core, pid_t parent) {
  // The signals' handlers are the parent's, and so is what they would do.
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  if (getppid() != parent || sched_setaffinity(0, sizeof(only), &only) != 0) {
    _exit(1);
  }
  volatile unsigned number = 0;
  while (true) {
    number = number * 5 + 1;
  }
}

LogicalResult BusyProcesses::start(int64_t count) {
  std::vector<int> cores = getCores();
  if (count > 0 && cores.empty()) {
    printError() << "--busy needs a system that binds processes to cores\n";
    return failure();
  }
  pid_t parent = getpid();
  for (int64_t i = 0; i < count; ++i) {
    pid_t process = fork();
    if (process < 0) {
      printError() << "cannot start a busy process: " << strerror(errno)
                   << "\n";
      return failure();
    }
    if (process == 0) {
      stayBusy(cores[cores.size() - 1 - i % cores.size()], parent);
    }
    processes.push_back(process);
  }
  return success();
}

BusyProcesses::~BusyProcesses() {
  for (pid_t process : processes) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}
