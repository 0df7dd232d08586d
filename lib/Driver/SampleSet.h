//===- SampleSet.h - The samples of a command line --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model is run on to measure it, tensors or pictures, as runs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SAMPLESET_H
#define NACRE_LIB_DRIVER_SAMPLESET_H

#include "Images.h"

namespace nacre::driver {

/// The options that say where samples are, and which of them count.
std::vector<OptionSpec> getSampleOptions();

/// How many samples count, or batches. Prints an error and fails where the
/// option is no number.
mlir::FailureOr<int64_t> getSampleLimit(const Arguments &arguments);

class SampleSet {
public:
  /// A folder of test data, or as many pictures as the model takes at once.
  using Run = std::vector<std::string>;
  /// The numbers of runs whose inputs have the same types.
  using Group = std::vector<size_t>;

  /// Finds the samples for a model. Prints an error, says by `status` of what
  /// kind, and fails where there are none.
  static mlir::FailureOr<SampleSet>
  find(const Arguments &arguments, llvm::StringRef model, ExitCode &status);

  /// The command line, with the sizes of pictures.
  const Arguments &getArguments() const { return arguments; }
  /// What the command line shows of a model has been shown.
  void endInspection();
  llvm::ArrayRef<Group> getGroups() const { return groups; }
  const Run &getRun(size_t number) const { return runs[number]; }
  size_t getNumRuns() const { return runs.size(); }
  size_t getNumSamples() const { return numSamples; }

  /// Makes a model runnable for some runs of a group.
  mlir::LogicalResult prepare(Session &session, llvm::StringRef model,
                              llvm::ArrayRef<size_t> group) const;
  /// The inputs of a run. The last inputs of the session may be none of the
  /// model's.
  mlir::FailureOr<llvm::SmallVector<interpreter::Datum>>
  read(Session &session, size_t run, size_t numAppended = 0) const;

  /// Calls `run` for each part of each group, and again for the next part as
  /// long as it says by its last argument that there are more. Ends with the
  /// first that fails.
  ExitCode forEachPart(
      llvm::function_ref<ExitCode(const Group &, int64_t, int64_t &)> run)
      const;

private:
  explicit SampleSet(const Arguments &arguments) : arguments(arguments) {}
  mlir::LogicalResult group();

  Arguments arguments;
  std::optional<ImageInput> images;
  std::vector<Run> runs;
  std::vector<Group> groups;
  size_t numSamples = 0;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SAMPLESET_H
