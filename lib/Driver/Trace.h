//===- Trace.h - What took when ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chrome trace events (--trace): stages and passes by LLVM's profiler, and the
// steps of runs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TRACE_H
#define NACRE_LIB_DRIVER_TRACE_H

#include "nacre/Driver/Driver.h"
#include "nacre/Interpreter/Datum.h"

namespace nacre::driver {
class Session;
class StepRecorder;

/// How much is in a trace; each has what those before it have.
enum class TraceLevel {
  Request,  // the runs of the model
  Runtime,  // the stages of the command
  Operator, // the steps of each run, and what they touch of the arena
  Debug     // the passes of MLIR and of LLVM
};

/// Runs a command and writes what its stages, passes and steps took.
ExitCode runTraced(llvm::StringRef path, TraceLevel level,
                   llvm::function_ref<ExitCode()> run);

/// Tells the trace, if there is one, of the stages of a command.
void beginTracedStage(llvm::StringRef name);
void endTracedStage();

/// Starts LLVM's profiler on this thread.
void beginThreadTrace();

/// Whether a session is to compile a model so that it tells its steps: there is
/// a trace, and one version of the code.
bool tracesSteps(const Session &session);

/// Runs the model once. If there is a trace, the run is in it, with its steps
/// as far as the model was compiled to tell them. `data` says what it was run
/// on.
mlir::LogicalResult
runInTrace(Session &session, llvm::ArrayRef<interpreter::Datum> inputs,
           llvm::SmallVectorImpl<interpreter::Datum> &outputs,
           llvm::StringRef data = "");

/// Like it, but a run is a call of `runOnce`, whose caller sees whether it
/// fails, and `recorder` is told of the steps. There is a trace; `numWarmUps`
/// runs that are not in it come right before.
void runInTrace(Session &session, llvm::function_ref<void()> runOnce,
                StepRecorder &recorder, int numWarmUps);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TRACE_H
