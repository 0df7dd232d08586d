//===- Stages.cpp - Where the time of a compilation goes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events are those of LLVM's profiler, which its own passes report to, too.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "Trace.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TimeProfiler.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

namespace {
/// Tells the progress and the trace of each pass. Threads of MLIR's pool trace
/// on their own, for as long as they are in a pass.
class PassListener final : public PassInstrumentation {
public:
  explicit PassListener(Progress &progress)
      : progress(progress), traces(llvm::timeTraceProfilerEnabled()) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    // What runs passes on nested operations has no argument.
    StringRef name = pass->getArgument();
    if (!name.empty()) {
      progress.show(name);
    }
    if (!traces) {
      return;
    }
    if (!llvm::timeTraceProfilerEnabled()) {
      beginThreadTrace();
      ownsThread = true;
    }
    ++depth;
    auto symbol = op->getAttrOfType<StringAttr>("sym_name");
    llvm::timeTraceProfilerBegin(name.empty() ? "nested passes" : name,
                                 symbol ? symbol.getValue()
                                        : op->getName().getStringRef());
  }
  void runAfterPass(Pass *, Operation *) override { leave(); }
  void runAfterPassFailed(Pass *, Operation *) override { leave(); }

private:
  void leave() {
    if (!traces) {
      return;
    }
    llvm::timeTraceProfilerEnd();
    if (--depth == 0 && ownsThread) {
      llvm::timeTraceProfilerFinishThread();
      ownsThread = false;
    }
  }

  static thread_local unsigned depth;
  static thread_local bool ownsThread;
  Progress &progress;
  bool traces;
};
} // namespace

thread_local unsigned PassListener::depth = 0;
thread_local bool PassListener::ownsThread = false;

Stages::Stages() { setStageListener(this); }

Stages::~Stages() {
  setStageListener(nullptr);
  // A scope ends before the one that it is in.
  while (!scopes.empty()) {
    scopes.pop_back();
  }
}

void Stages::enableTiming() {
  timing.setEnabled(true);
  scopes.push_back(timing.getRootScope());
}

void Stages::attach(PassManager &manager) {
  if (!scopes.empty()) {
    manager.enableTiming(scopes.back());
  }
  manager.addInstrumentation(std::make_unique<PassListener>(progress));
}

void Stages::begin(StringRef name) {
  if (!scopes.empty()) {
    scopes.push_back(scopes.back().nest(name));
  }
  beginTracedStage(name);
  progress.begin(name);
}

void Stages::end() {
  progress.end();
  endTracedStage();
  if (!scopes.empty()) {
    scopes.pop_back();
  }
}
