//===- Trace.cpp - What took when -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's profiler takes a microsecond for an event, which a step of a small
// model takes, too. Of steps there are times alone while the model runs, and
// events afterwards, which are put into the file that the profiler writes.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Profile.h"
#include "Session.h"

#include "nacre/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/TimeProfiler.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using Clock = StepRecorder::Clock;
using interpreter::Datum;

/// Also of what is too short for a summary: steps of small models are.
static constexpr unsigned kGranularity = 0;

void driver::beginThreadTrace() {
  llvm::timeTraceProfilerInitialize(kGranularity, "nacre");
}

namespace {

/// The runs of a command, as events.
class RunEvents {
public:
  /// `start` is where LLVM's profiler has its zero.
  RunEvents(Clock::time_point start, TraceLevel level)
      : level(level), start(start), process(llvm::sys::Process::getProcessId()),
        thread(static_cast<int64_t>(llvm::get_threadid())) {}

  const TraceLevel level;

  void addStage(StringRef name, Clock::time_point begin, Clock::time_point end);
  void addRun(const CompiledModel::Call &call, StringRef data, int64_t numSteps,
              const CompiledModel *model);
  void addStep(const ProfileStep &step, Clock::time_point begin,
               Clock::time_point end);
  /// How much of the arena a step touches, until the next does.
  void addArena(int64_t bytes, Clock::time_point at);

  /// The events between commas.
  StringRef getText() const { return text; }

private:
  double getMicroseconds(Clock::duration duration) const {
    return std::chrono::duration<double, std::micro>(duration).count();
  }
  void add(StringRef name, StringRef phase, Clock::time_point at,
           llvm::json::Object args, std::optional<Clock::duration> duration);

  Clock::time_point start;
  int64_t process, thread;
  std::string text;
};

} // namespace

// A command has one trace, as LLVM's profiler is one.
static RunEvents *runEvents = nullptr;

void RunEvents::add(StringRef name, StringRef phase, Clock::time_point at,
                    llvm::json::Object args,
                    std::optional<Clock::duration> duration) {
  llvm::json::Object event{{"name", llvm::json::fixUTF8(name)},
                           {"ph", phase},
                           {"pid", process},
                           {"tid", thread},
                           {"ts", getMicroseconds(at - start)},
                           {"args", std::move(args)}};
  if (duration) {
    event["dur"] = getMicroseconds(*duration);
  }
  llvm::raw_string_ostream(text)
      << llvm::json::Value(std::move(event)) << ",\n";
}

void RunEvents::addStage(StringRef name, Clock::time_point begin,
                         Clock::time_point end) {
  add(name, "X", begin, llvm::json::Object(), end - begin);
}

void RunEvents::addRun(const CompiledModel::Call &call, StringRef data,
                       int64_t numSteps, const CompiledModel *model) {
  llvm::json::Object args{{"steps", numSteps}};
  if (!data.empty()) {
    args["data"] = llvm::json::fixUTF8(data);
  }
  if (model) {
    args["arena_bytes"] = model->getInfo().arenaBytes;
    args["threads"] = model->getInfo().threads;
  }
  add("run", "X", call.begin, std::move(args), call.end - call.begin);
}

void RunEvents::addStep(const ProfileStep &step, Clock::time_point begin,
                        Clock::time_point end) {
  llvm::json::Array nodes, shapes;
  for (StringRef node : step.nodes) {
    nodes.push_back(llvm::json::fixUTF8(node));
  }
  llvm::json::Object args{{"node", llvm::json::fixUTF8(step.node)},
                          {"nodes", std::move(nodes)},
                          {"kernel", step.kernel},
                          {"flop", step.flops},
                          {"bytes", step.bytes},
                          {"shapes", llvm::json::Array(step.shapes)}};
  add(step.node.empty() ? step.kernel : step.node, "X", begin, std::move(args),
      end - begin);
}

void RunEvents::addArena(int64_t bytes, Clock::time_point at) {
  add("arena bytes in use", "C", at, llvm::json::Object{{"bytes", bytes}},
      std::nullopt);
}

/// Bytes of the arena that a step reads or writes; buffers may overlap.
static int64_t countArenaBytes(const ProfileStep &step) {
  std::vector<std::pair<int64_t, int64_t>> buffers = step.buffers;
  llvm::sort(buffers);
  int64_t bytes = 0, end = 0;
  for (auto [offset, size] : buffers) {
    bytes += std::max<int64_t>(offset + size - std::max(offset, end), 0);
    end = std::max(end, offset + size);
  }
  return bytes;
}

bool driver::tracesSteps(const Session &session) {
  return runEvents && runEvents->level >= TraceLevel::Operator &&
         session.archs.size() == 1;
}

/// The stages that have begun, where LLVM's profiler does not keep them.
static SmallVector<std::pair<std::string, Clock::time_point>> stages;

static bool recordsStages() {
  return runEvents && runEvents->level != TraceLevel::Request;
}

void driver::beginTracedStage(StringRef name) {
  if (llvm::timeTraceProfilerEnabled()) {
    llvm::timeTraceProfilerBegin(name, StringRef());
  } else if (recordsStages()) {
    stages.emplace_back(name.str(), Clock::now());
  }
}

void driver::endTracedStage() {
  if (llvm::timeTraceProfilerEnabled()) {
    llvm::timeTraceProfilerEnd();
  } else if (recordsStages()) {
    auto [name, begin] = stages.pop_back_val();
    runEvents->addStage(name, begin, Clock::now());
  }
}

/// The steps that a run of the model tells a recorder of.
static std::vector<ProfileStep> readToldSteps(Session &session) {
  return session.profiles && session.hasSteps() ? readSteps(session.getModule())
                                                : std::vector<ProfileStep>();
}

/// Puts the last run into the trace.
static void addRun(const CompiledModel::Call &call, StringRef data,
                   ArrayRef<ProfileStep> steps, const StepRecorder *recorder,
                   const CompiledModel *model) {
  runEvents->addRun(call, data, static_cast<int64_t>(steps.size()), model);
  ArrayRef<Clock::time_point> marks;
  if (recorder && runEvents->level >= TraceLevel::Operator) {
    marks = recorder->getMarks();
  }
  for (size_t i = 0; i + 1 < marks.size(); ++i) {
    runEvents->addStep(steps[i], marks[i], marks[i + 1]);
    runEvents->addArena(countArenaBytes(steps[i]), marks[i]);
  }
  if (!marks.empty()) {
    runEvents->addArena(0, marks.back());
  }
}

LogicalResult driver::runInTrace(Session &session, ArrayRef<Datum> inputs,
                                 SmallVectorImpl<Datum> &outputs,
                                 StringRef data) {
  if (!runEvents) {
    return session.run(inputs, outputs);
  }
  std::vector<ProfileStep> steps = readToldSteps(session);
  std::optional<StepRecorder> recorder;
  if (!steps.empty()) {
    recorder.emplace(steps.size());
  }
  CompiledModel::Call call;
  call.begin = Clock::now();
  LogicalResult result = session.run(inputs, outputs);
  call.end = Clock::now();
  const CompiledModel *model = session.getCompiledModel();
  if (model && succeeded(result)) {
    call = model->getLastCall();
  }
  addRun(call, data, steps, recorder ? &*recorder : nullptr, model);
  return result;
}

void driver::runInTrace(Session &session, llvm::function_ref<void()> runOnce,
                        StepRecorder &recorder, int numWarmUps) {
  std::vector<ProfileStep> steps = readToldSteps(session);
  // Now, since reading the steps has evicted the model's data from the caches.
  for (int i = 0; i < numWarmUps; ++i) {
    runOnce();
  }
  CompiledModel::Call call;
  call.begin = Clock::now();
  runOnce();
  call.end = Clock::now();
  addRun(call, /*data=*/"", steps, &recorder, session.getCompiledModel());
}

ExitCode driver::runTraced(StringRef path, TraceLevel level,
                           llvm::function_ref<ExitCode()> run) {
  bool isProfiled = level == TraceLevel::Debug;
  if (isProfiled) {
    beginThreadTrace();
  }
  RunEvents events(Clock::now(), level);
  runEvents = &events;
  ExitCode code = run();
  runEvents = nullptr;
  SmallString<0> text("{\"traceEvents\":[]}\n");
  StringRef own = events.getText();
  if (isProfiled) {
    text.clear();
    llvm::raw_svector_ostream stream(text);
    llvm::timeTraceProfilerWrite(stream);
    llvm::timeTraceProfilerCleanup();
  } else {
    own.consume_back(",\n");
  }
  // LLVM writes {"traceEvents":[…],…}, and never without any events.
  auto [before, after] = StringRef(text).split('[');
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    printError() << diagnostic.str() << "\n";
    return success();
  });
  bool written = succeeded(
      writeFile(UnknownLoc::get(&context), path,
                [&, &before = before, &after = after](llvm::raw_ostream &os) {
                  os << before << "[" << own << after;
                  return success();
                }));
  return code == ExitCode::Success && !written ? ExitCode::BadInput : code;
}
