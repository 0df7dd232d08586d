//===- Stages.h - Where the time of a compilation goes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures (--timing), traces (--trace) and shows (Progress.h) what a
// compilation is at: MLIR's passes, and LLVM's part.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_STAGES_H
#define NACRE_LIB_DRIVER_STAGES_H

#include "Progress.h"
#include "nacre/Support/Stage.h"

#include "mlir/Support/Timing.h"
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace nacre::driver {

/// The stages of this thread while it lives.
class Stages final : public StageListener {
public:
  Stages();
  /// Prints the times, if they are measured.
  ~Stages() override;

  /// For before the first stage.
  void enableTiming();
  /// Has the passes of `manager`, which runs within a stage, be parts of it.
  void attach(mlir::PassManager &manager);

  void begin(llvm::StringRef name) override;
  void end() override;

  Progress progress;

private:
  mlir::DefaultTimingManager timing;
  /// The root, and the stages that are inside of each other.
  std::vector<mlir::TimingScope> scopes;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_STAGES_H
