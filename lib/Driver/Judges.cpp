//===- Judges.cpp - The runs that judge a repair --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judges.h"
#include "Folders.h"
#include "Session.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// How many runs judge, at most.
static constexpr size_t kMostJudges = 32;
/// How many runs say anything, where nobody has asked.
static constexpr size_t kFewestRuns = 8;
/// How many multiply-accumulates runs may take together then, and for how many
/// shapes of samples the model is compiled: some seconds. It is no time, so
/// that a choice does not depend on how fast a machine is, or how busy.
static constexpr double kMostMACs = 200e9;
static constexpr size_t kMostGroups = 8;

/// The files of a run, which is pictures or one folder of test data.
static SampleSet::Run listFiles(const SampleSet::Run &run) {
  if (!llvm::sys::fs::is_directory(run.front())) {
    return run;
  }
  SampleSet::Run files;
  std::string file;
  for (unsigned i = 0;
       llvm::sys::fs::exists(file = getDataFile(run.front(), "input", i));
       ++i) {
    files.push_back(file);
  }
  return files;
}

/// A number that is the same for the same inputs.
static FailureOr<uint64_t> getDigest(const SampleSet::Run &run) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t digest = 0;
  for (const std::string &path : listFiles(run)) {
    auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!bytes) {
      printError() << "cannot read '" << path
                   << "': " << bytes.getError().message() << "\n";
      return failure();
    }
    digest = digest * kFactor + llvm::xxh3_64bits((*bytes)->getBuffer());
  }
  return digest;
}

static FailureOr<Judges> choose(const SampleSet &samples, size_t wanted) {
  struct Ranked {
    uint64_t digest;
    size_t group, run;
  };
  std::vector<Ranked> order;
  for (auto [i, group] : llvm::enumerate(samples.getGroups())) {
    for (size_t run : group) {
      FailureOr<uint64_t> digest = getDigest(samples.getRun(run));
      if (failed(digest)) {
        return failure();
      }
      order.push_back({*digest, i, run});
    }
  }
  llvm::sort(order, [](const Ranked &a, const Ranked &b) {
    return std::pair(a.digest, a.run) < std::pair(b.digest, b.run);
  });
  Judges judges(samples.getGroups().size());
  for (const Ranked &ranked : ArrayRef(order).take_front(wanted)) {
    judges[ranked.group].push_back(ranked.run);
  }
  return judges;
}

FailureOr<Judges> driver::chooseJudges(const SampleSet &samples) {
  return choose(samples, kMostJudges);
}

/// The multiply-accumulates of a run of a group; nothing inside where nobody
/// knows.
static FailureOr<std::optional<double>>
countMACsOfRun(const SampleSet &samples, const SampleSet::Group &group,
               StringRef model, ExitCode &status) {
  Session session;
  std::optional<double> macs;
  bool isRead = false;
  if (succeeded(session.configure(
          samples.getArguments().without(getInspectionNames())))) {
    session.taps = std::make_unique<IE::TapValuesOptions>();
    // The model itself is not needed.
    session.inspect = [&](ModuleOp module) {
      auto function = module.lookupSymbol<func::FuncOp>("main");
      macs = countRunMACs(function.getBody());
      isRead = true;
      return failure();
    };
    (void)samples.prepare(session, model, group);
  }
  if (!isRead) {
    status = session.getExitCode();
    return failure();
  }
  return macs;
}

FailureOr<Judges> driver::chooseUnseenJudges(const SampleSet &samples,
                                             StringRef model,
                                             ExitCode &status) {
  // In f32, rounded to the nearest, and by what they are multiplied by.
  constexpr double kNumTrials = 3;
  size_t numRuns = samples.getNumRuns();
  if (numRuns < kFewestRuns || samples.getGroups().size() > kMostGroups) {
    return Judges();
  }
  double macs = 1;
  for (const SampleSet::Group &group : samples.getGroups()) {
    FailureOr<std::optional<double>> known =
        countMACsOfRun(samples, group, model, status);
    if (failed(known)) {
      return failure();
    }
    if (!*known) {
      return Judges();
    }
    macs = std::max(macs, **known);
  }
  double most = std::min<double>(kMostJudges, kMostMACs / (kNumTrials * macs));
  if (most < kFewestRuns) {
    return Judges();
  }
  status = ExitCode::BadInput;
  return choose(samples,
                std::clamp(numRuns / 4, std::min(kFewestRuns, numRuns / 2),
                           static_cast<size_t>(most)));
}
