//===- Bench.cpp - nacre bench --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times a compiled model.
//
//===----------------------------------------------------------------------===//

#include "Busy.h"
#include "Clock.h"
#include "Profile.h"
#include "RunMemory.h"
#include "Session.h"
#include "Trace.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Support/Files.h"
#include "nacre/Target/ArchDescriptor.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <fstream>
#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;

/// Peak resident memory of this process in MB.
static double getPeakMemory() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (StringRef(line).starts_with("VmHWM:")) {
      return std::strtod(line.c_str() + 6, nullptr) / 1024;
    }
  }
  return 0;
}

/// A run that takes so many times `--seconds` is not repeated.
static constexpr int kPatience = 10;

/// Time of each run, for `seconds` after a few runs that take no longer. The
/// first runs may wait for the system to find memory, hundreds of times as long
/// as the others take: two are never counted, and three are, unless they take
/// `kPatience` times `seconds`.
static SmallVector<double> timeRuns(llvm::function_ref<void()> run,
                                    double seconds, StepRecorder *recorder) {
  constexpr int kWarmUp = 3, kLeastWarmUp = 2;
  constexpr size_t kLeastRuns = 3;
  auto length = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(seconds));
  Clock::time_point end = Clock::now() + length;
  Clock::time_point last = end + (kPatience - 1) * length;
  auto isEnough = [&](size_t done, size_t least) {
    return Clock::now() >= (done < least ? last : end);
  };
  for (int i = 0; i < kWarmUp && !isEnough(i, kLeastWarmUp); ++i) {
    run();
  }
  if (recorder) {
    recorder->reset();
  }
  SmallVector<double> times;
  end = Clock::now() + length;
  last = end + (kPatience - 1) * length;
  while (times.empty() || !isEnough(times.size(), kLeastRuns)) {
    Clock::time_point start = Clock::now();
    run();
    times.push_back(getMilliseconds(Clock::now() - start));
  }
  llvm::sort(times);
  return times;
}

/// Takes the steps' times from the runs that were recorded.
static void takeMeans(Profile &profile, const StepRecorder &recorder) {
  for (auto [step, time] :
       llvm::zip_equal(profile.steps, recorder.getMeans())) {
    step.milliseconds = time;
  }
}

/// True for code of a descriptor of an NPU, which runs on the host's CPU. An
/// artifact may name one whose descriptor is not known here.
static bool isForNPU(StringRef architecture) {
  llvm::Expected<ArchDescriptor> descriptor = loadArch(architecture);
  if (!descriptor) {
    llvm::consumeError(descriptor.takeError());
    return false;
  }
  return descriptor->isNPU;
}

/// Other than the median it has all that a run waited for a core.
static double getMean(ArrayRef<double> times) {
  return std::accumulate(times.begin(), times.end(), 0.0) /
         static_cast<double>(times.size());
}

static void printResult(const Session &session, const CompiledModel *model,
                        int64_t numBusy, ArrayRef<double> times,
                        const std::optional<RunMemory> &memory,
                        const Profile *profile) {
  llvm::json::OStream json(llvm::outs());
  // Fixed order: people read the line, too.
  json.object([&] {
    json.attribute("engine", "nacre");
    json.attribute("threads", session.getThreads());
    json.attribute("busy", numBusy);
    json.attribute("runs", static_cast<int64_t>(times.size()));
    json.attribute("median_ms", times[times.size() / 2]);
    json.attribute("mean_ms", getMean(times));
    json.attribute("min_ms", times.front());
    json.attribute("p95_ms", times[times.size() * 95 / 100]);
    json.attribute("load_ms", session.getLoadMs());
    json.attribute("compile_ms", session.getCompileMs());
    json.attribute("arena_bytes", model ? model->getInfo().arenaBytes : 0);
    json.attribute("weight_bytes", model ? model->getInfo().weightBytes : 0);
    json.attribute("code_bytes", model ? model->getCodeBytes() : 0);
    json.attribute("rss_mb", memory ? memory->peak : getPeakMemory());
    if (memory) {
      json.attribute("private_mb", memory->privateBytes);
    }
    json.attribute("rss_of", memory ? "run" : "compiler");
    json.attribute("architecture", model ? model->getArchitecture() : "");
    if (profile) {
      driver::printJSON(*profile, json);
    }
  });
  llvm::outs() << "\n";
}

ExitCode driver::runBench(const Arguments &arguments) {
  ArrayRef<std::string> words = arguments.getPositional();
  if (words.empty() || words.size() > 2) {
    printError() << "bench needs a model and perhaps a data folder; see nacre "
                    "bench --help\n";
    return ExitCode::BadInput;
  }
  FailureOr<double> seconds = arguments.getNumber("--seconds", 1, 0, 3600);
  if (failed(seconds)) {
    return ExitCode::BadInput;
  }
  constexpr int64_t kMostBusy = 1024;
  FailureOr<int64_t> numBusy = arguments.getCount("--busy", 0, 0, kMostBusy);
  if (failed(numBusy)) {
    return ExitCode::BadInput;
  }
  TemporaryFolder folder;
  Session session;
  session.profiles = arguments.has("--profile") ||
                     arguments.has("--profile-html") ||
                     arguments.has("--trace");
  SmallVector<Datum> inputs, outputs;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  if (failed(readTolerance(arguments, Tolerance()))) {
    return ExitCode::BadInput;
  }
  if (arguments.has("--snr") && words.size() < 2) {
    printError() << "--snr needs a data folder\n";
    return ExitCode::BadInput;
  }
  if (session.profiles && session.archs.size() > 1) {
    printError() << "a profile shows one architecture, found "
                 << session.archs.size() << "\n";
    return ExitCode::BadInput;
  }
  bool runsLibrary =
      session.getBackend() != Backend::Interpreter && !session.profiles;
  if (runsLibrary && failed(folder.create())) {
    return ExitCode::BadInput;
  }
  StringRef library = words.front();
  if (runsLibrary && !isSharedLibraryName(library)) {
    session.libraryPath = folder.getFile("model.so");
    // Its header is written beside it.
    (void)folder.getFile("model.h");
    library = session.libraryPath;
  }
  if (failed(
          session.prepare(words.front(), words.size() == 2 ? words[1] : ""))) {
    return session.getExitCode();
  }
  if (session.profiles && !session.hasSteps()) {
    printError() << "only the cpu backend can profile, and only an .onnx or "
                    ".mlir model: a library has no steps to tell apart\n";
    return ExitCode::BadInput;
  }
  Profile profile;
  std::optional<StepRecorder> recorder;
  if (session.profiles) {
    profile.steps = readSteps(session.getModule());
    recorder.emplace(profile.steps.size());
  }
  std::optional<BusyProcesses> busy(std::in_place);
  if (failed(busy->start(*numBusy))) {
    return ExitCode::BadInput;
  }
  double firstMs = 0;
  auto runFirst = [&](ArrayRef<Datum> values) {
    Clock::time_point start = Clock::now();
    LogicalResult result = session.run(values, outputs);
    firstMs = getMilliseconds(Clock::now() - start);
    return result;
  };
  bool hasData = words.size() == 2;
  bool hasOutputs =
      hasData && (!llvm::sys::fs::is_directory(words[1]) ||
                  session.getInterface().outputs.empty() ||
                  llvm::sys::fs::exists(getDataFile(words[1], "output", 0)));
  if (hasData && !hasOutputs) {
    if (arguments.has("--snr")) {
      printError() << "--snr needs a data folder with outputs, found '"
                   << words[1] << "'\n";
      return ExitCode::BadInput;
    }
    FailureOr<SmallVector<Datum>> sample = readSample(session, words[1]);
    if (failed(sample) || failed(runFirst(*sample))) {
      return session.getExitCode();
    }
    inputs = std::move(*sample);
    printWarning() << "the outputs are compared with nothing: '" << words[1]
                   << "' has no output_0.pb\n";
  } else if (hasData) {
    FailureOr<DataSet> data = readDataSet(session, words[1]);
    if (failed(data) || failed(runFirst(data->inputs))) {
      return session.getExitCode();
    }
    Tolerance tolerance = *readTolerance(arguments, session.getTolerance());
    if (!compareOutputs(session, outputs, data->outputs, tolerance,
                        llvm::errs())) {
      printError() << "the outputs differ from the expected ones\n";
      return ExitCode::Differs;
    }
    inputs = std::move(data->inputs);
  } else if (failed(readInputs(session, arguments, inputs)) ||
             failed(runFirst(inputs))) {
    return session.getExitCode();
  }
  CompiledModel *model = session.getCompiledModel();
  SmallVector<double> times;
  bool isRepeated = firstMs <= kPatience * *seconds * 1e3;
  if (!isRepeated) {
    printWarning() << "a run takes more than " << kPatience
                   << " times --seconds: timed is the first one alone\n";
    times.push_back(firstMs);
  }
  bool isTraced = recorder && arguments.has("--trace");
  if (model && (isRepeated || isTraced)) {
    // A run more is in the trace. It is like those that were measured: others
    // come before it, as these have, where runs are repeated.
    constexpr int kWarmUp = 3;
    SmallVector<Datum> results;
    if (failed(model->withPointers(
            session.getLoc(), inputs, results,
            [&](llvm::function_ref<int()> call) {
              int status = NACRE_OK;
              auto runOnce = [&] { status = call(); };
              if (isRepeated) {
                times = timeRuns(runOnce, *seconds,
                                 recorder ? &*recorder : nullptr);
              }
              if (recorder) {
                takeMeans(profile, *recorder);
              }
              if (isTraced) {
                runInTrace(session, runOnce, *recorder,
                           isRepeated ? kWarmUp : 0);
              }
              if (status != NACRE_OK) {
                printError() << "the model fails when it runs again\n";
              }
              return success(status == NACRE_OK);
            }))) {
      return session.getExitCode();
    }
  } else if (isRepeated) {
    times = timeRuns(
        [&] {
          SmallVector<Datum> results;
          (void)session.run(inputs, results);
        },
        *seconds, nullptr);
  } else if (recorder) {
    takeMeans(profile, *recorder);
  }
  busy.reset();
  StringRef architecture = model && StringRef(words.front()).ends_with(".so")
                               ? StringRef(model->getArchitecture())
                               : StringRef(session.archs.front());
  if (model && isForNPU(architecture)) {
    printWarning() << "code for an NPU runs on the host's CPU here: the time "
                      "is the host's\n";
  }
  std::optional<RunMemory> memory;
  if (model && runsLibrary && takesNumbers(*model)) {
    FailureOr<RunMemory> measured =
        measureRunMemory(session.getLoc(), *model, library, inputs, folder);
    if (failed(measured)) {
      return ExitCode::BadInput;
    }
    memory = *measured;
  }
  if (recorder) {
    profile.arenaBytes = model->getInfo().arenaBytes;
    profile.peak = measurePeak(session.getLanes(), session.getThreads());
  }
  if (arguments.has("--profile-html")) {
    std::string page;
    llvm::raw_string_ostream stream(page);
    printHTML(profile, words.front(), stream);
    if (failed(writeFile(session.getLoc(), arguments.get("--profile-html"),
                         page))) {
      return ExitCode::BadInput;
    }
  }
  if (arguments.has("--json")) {
    printResult(session, model, *numBusy, times, memory,
                recorder ? &profile : nullptr);
    return ExitCode::Success;
  }
  std::string beside;
  if (*numBusy > 0) {
    beside = " beside " + std::to_string(*numBusy) + " busy process(es)";
  }
  llvm::outs() << llvm::format(
      "%zu run%s on %lld thread(s)%s: median %.3f ms, min %.3f ms, p95 %.3f "
      "ms\n",
      times.size(), times.size() == 1 ? "" : "s",
      static_cast<long long>(session.getThreads()), beside.c_str(),
      times[times.size() / 2], times.front(), times[times.size() * 95 / 100]);
  if (model) {
    llvm::outs() << llvm::format(
        "compiled in %.0f ms; arena %.2f MB, weights %.2f MB, code %.2f MB\n",
        session.getCompileMs(), model->getInfo().arenaBytes / 1e6,
        model->getInfo().weightBytes / 1e6, model->getCodeBytes() / 1e6);
  }
  if (memory) {
    llvm::outs() << llvm::format(
        "a process that runs it takes %.1f MB, %.1f MB of them private\n",
        memory->peak, memory->privateBytes);
  }
  if (arguments.has("--profile")) {
    printTable(profile, llvm::outs());
  }
  return ExitCode::Success;
}
