//===- Stage.cpp - What a compilation is at -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Stage.h"

using namespace nacre;

static thread_local StageListener *current = nullptr;

StageListener::~StageListener() = default;

void nacre::setStageListener(StageListener *listener) { current = listener; }

Stage::Stage(llvm::StringRef name) : listener(current) {
  if (listener) {
    listener->begin(name);
  }
}

Stage::~Stage() {
  if (listener) {
    listener->end();
  }
}
