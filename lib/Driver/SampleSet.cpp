//===- SampleSet.cpp - The samples of a command line ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleSet.h"
#include "Inspection.h"
#include "Samples.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

std::vector<OptionSpec> driver::getSampleOptions() {
  std::vector<OptionSpec> options = {
      {"--data", "PLACE",
       "where samples are: a folder of test data or of such folders, an .npz, "
       "or a folder of NAME_N.npy or of pictures; may be repeated; with "
       "--allow-random also random[:SEED]"},
      {"--allow-random", "",
       "let --data be random numbers, by which no accuracy can be judged"},
      {"--samples", "N",
       "the first N samples, or batches of them (default 128)"}};
  llvm::append_range(options, getImageOptions());
  return options;
}

/// Cuts the samples into runs, and these into groups of equal types.
LogicalResult SampleSet::group() {
  // Pictures all become what the model takes.
  if (images || arguments.has("--dynamic") || runs.size() == 1) {
    auto all = llvm::seq<size_t>(0, runs.size());
    groups.emplace_back(all.begin(), all.end());
    return success();
  }
  std::vector<std::string> folders;
  for (const Run &run : runs) {
    folders.push_back(run.front());
  }
  FailureOr<std::vector<std::string>> types = describeSamples(folders);
  if (failed(types)) {
    return failure();
  }
  llvm::StringMap<size_t> numbers;
  for (auto [i, type] : llvm::enumerate(*types)) {
    auto [entry, isNew] = numbers.try_emplace(type, groups.size());
    if (isNew) {
      groups.emplace_back();
    }
    groups[entry->second].push_back(i);
  }
  return success();
}

FailureOr<int64_t> driver::getSampleLimit(const Arguments &arguments) {
  constexpr int64_t kMostSamples = 1 << 20;
  return arguments.getCount("--samples", 128, 1, kMostSamples);
}

void SampleSet::endInspection() {
  arguments = arguments.without(getInspectionNames());
}

FailureOr<SampleSet> SampleSet::find(const Arguments &arguments,
                                     StringRef model, ExitCode &status) {
  status = ExitCode::BadInput;
  FailureOr<int64_t> limit = getSampleLimit(arguments);
  if (failed(limit)) {
    return failure();
  }
  FailureOr<std::vector<std::string>> samples =
      findSamples(arguments.getAll("--data"), static_cast<size_t>(*limit));
  if (failed(samples)) {
    return failure();
  }
  SampleSet result(arguments);
  if (!llvm::sys::fs::is_directory(samples->front())) {
    auto images = ImageInput::create(arguments, model, /*batch=*/std::nullopt,
                                     samples->front(), status);
    if (failed(images)) {
      return failure();
    }
    result.images = std::move(*images);
    result.arguments = result.images->getArguments();
  }
  result.numSamples = samples->size();
  size_t perRun = result.images ? result.images->getBatch() : 1;
  for (ArrayRef<std::string> left = *samples; !left.empty();) {
    ArrayRef<std::string> run = left.take_front(perRun);
    result.runs.push_back(run.vec());
    left = left.drop_front(run.size());
  }
  status = ExitCode::BadInput;
  return failed(result.group()) ? FailureOr<SampleSet>(failure()) : result;
}

LogicalResult SampleSet::prepare(Session &session, StringRef model,
                                 ArrayRef<size_t> group) const {
  return session.prepare(
      model, images ? StringRef() : StringRef(runs[group.front()].front()));
}

FailureOr<SmallVector<Datum>> SampleSet::read(Session &session, size_t run,
                                              size_t numAppended) const {
  if (!images) {
    return readSample(session, runs[run].front(), numAppended);
  }
  FailureOr<Tensor> tensor = images->read(session, runs[run]);
  return failed(tensor) ? FailureOr<SmallVector<Datum>>(failure())
                        : SmallVector<Datum>{Datum(*tensor)};
}

ExitCode SampleSet::forEachPart(
    llvm::function_ref<ExitCode(const Group &, int64_t, int64_t &)> run) const {
  for (const Group &group : groups) {
    int64_t numParts = 1;
    for (int64_t part = 0; part < numParts; ++part) {
      ExitCode code = run(group, part, numParts);
      if (code != ExitCode::Success) {
        return code;
      }
    }
  }
  return ExitCode::Success;
}
