//===- Stage.h - What a compilation is at -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever runs the compiler can be told what it is doing: to measure it, to
// draw it, to show it to somebody who waits.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_STAGE_H
#define NACRE_SUPPORT_STAGE_H

#include "llvm/ADT/StringRef.h"

namespace nacre {

/// Is told of the stages of its thread. They nest.
class StageListener {
public:
  virtual ~StageListener();
  virtual void begin(llvm::StringRef name) = 0;
  virtual void end() = 0;
};

/// Who is told of this thread's stages; null for nobody.
void setStageListener(StageListener *listener);

/// A part of a compilation, as long as it lives.
class Stage {
public:
  explicit Stage(llvm::StringRef name);
  ~Stage();
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

private:
  StageListener *listener;
};

} // namespace nacre

#endif // NACRE_SUPPORT_STAGE_H
