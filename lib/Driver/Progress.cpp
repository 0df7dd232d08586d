//===- Progress.cpp - For who waits for a compilation ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread draws the line: what takes long is silent meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Clock.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace nacre::driver;

static constexpr std::chrono::milliseconds kDelay(1000), kPeriod(100);

Progress::Progress() : delay(kDelay) {
  if (!sys::Process::StandardErrIsDisplayed()) {
    return;
  }
  // For tests, whose models compile fast.
  if (const char *text = std::getenv("NACRE_PROGRESS_DELAY_MS")) {
    int milliseconds;
    if (!StringRef(text).getAsInteger(10, milliseconds)) {
      delay = std::chrono::milliseconds(milliseconds);
    }
  }
  isEnabled = true;
  start = Clock::now();
  painter = std::thread([this] { paint(); });
}

Progress::~Progress() {
  if (!isEnabled) {
    return;
  }
  {
    std::lock_guard<std::mutex> guard(mutex);
    isDone = true;
  }
  wakeUp.notify_one();
  painter.join();
}

void Progress::draw() {
  Clock::duration elapsed = Clock::now() - start;
  if (stages.empty() || elapsed < delay) {
    return;
  }
  errs() << "\r\033[Knacre: "
         << std::chrono::duration_cast<std::chrono::seconds>(elapsed).count()
         << " s, " << stages.back();
  if (!part.empty()) {
    errs() << ": " << part;
  }
  isDrawn = true;
}

void Progress::paint() {
  std::unique_lock<std::mutex> guard(mutex);
  while (!isDone) {
    draw();
    wakeUp.wait_for(guard, kPeriod, [&] { return isDone; });
  }
  erase();
}

void Progress::erase() {
  if (isDrawn) {
    errs() << "\r\033[K";
    isDrawn = false;
  }
}

void Progress::begin(StringRef stage) {
  if (isEnabled) {
    std::lock_guard<std::mutex> guard(mutex);
    stages.push_back(stage.str());
    part.clear();
    if (!isDrawn) {
      draw();
    }
  }
}

void Progress::end() {
  if (isEnabled) {
    std::lock_guard<std::mutex> guard(mutex);
    stages.pop_back();
    part.clear();
    if (stages.empty()) {
      erase();
    }
  }
}

void Progress::show(StringRef name) {
  if (isEnabled) {
    std::lock_guard<std::mutex> guard(mutex);
    part = name.str();
  }
}

void Progress::clear() {
  if (isEnabled) {
    std::lock_guard<std::mutex> guard(mutex);
    erase();
  }
}
