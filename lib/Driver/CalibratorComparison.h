//===- CalibratorComparison.h - What calibrators are worth ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs with the ranges of each calibrator show, and how many runs that
// takes where nobody has asked for it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H
#define NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H

#include "CalibratorOption.h"
#include "nacre/Interpreter/Datum.h"
#include "nacre/Quantization/Distortion.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/IR/Types.h"

namespace nacre::driver {

/// How many of a number of runs count.
class RunLimit {
public:
  /// All of them, or as many as are not too much work.
  RunLimit(size_t numRuns, bool isWhole) : numRuns(numRuns), isWhole(isWhole) {}

  /// Whether it is too much work, by the multiply-accumulates of all that is
  /// tried on one sample.
  bool isExceeded(double macs) const;
  /// The runs of a group that count, which are evenly spaced.
  std::vector<size_t> choose(llvm::ArrayRef<size_t> group, double macs) const;

private:
  size_t count(double macs) const;

  size_t numRuns;
  bool isWhole;
};

/// What calibrators do to each output, over samples of any shapes.
class CalibratorComparison {
public:
  /// Starts with these calibrators, unless it has.
  void begin(llvm::ArrayRef<NamedCalibrator> calibrators);
  /// Adds the outputs of one, by its number, that are of floats.
  void add(size_t calibrator, llvm::ArrayRef<interpreter::Datum> expected,
           llvm::ArrayRef<interpreter::Datum> found);
  /// Counts a run of all of them.
  void addRun() { ++numRuns; }

  /// What a range profile says of them, for the integers of a command line.
  quantization::CalibratorTrials describe(const Arguments &arguments) const;

private:
  struct Tried {
    llvm::StringRef name;
    std::vector<quantization::Distortion> outputs;
  };
  std::vector<Tried> tried;
  size_t numRuns = 0;
};

bool isTensorOfFloats(mlir::Type type);

/// Says which calibrator is used where users name none, and why.
void printCalibratorChoice(llvm::StringRef path,
                           const quantization::CalibratorTrials &trials,
                           llvm::raw_ostream &os);

/// What stays of trials in ranges where users name no calibrator: nothing where
/// it is the default one, so that ranges are the same in whatever order samples
/// come.
std::optional<quantization::CalibratorTrials>
keepClearChoice(quantization::CalibratorTrials trials);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H
