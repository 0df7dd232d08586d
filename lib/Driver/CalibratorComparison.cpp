//===- CalibratorComparison.cpp - What calibrators are worth --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibratorComparison.h"
#include "CalibratorOption.h"
#include "LayerComparison.h"
#include "Repairs.h"

#include "nacre/Quantization/Calibrators.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

/// How many multiply-accumulates all runs may take together where nobody has
/// asked for them: some seconds. It is no time, so that a choice is the same on
/// every machine.
static constexpr double kMostMACs = 5e10;
/// How many runs say anything, at least, if there are so many samples.
static constexpr size_t kFewestRuns = 8;
/// How many are enough where they are small.
static constexpr size_t kMostRuns = 128;

size_t RunLimit::count(double macs) const {
  size_t most = isWhole ? numRuns : std::min(numRuns, kMostRuns);
  bool isEnough = isWhole || kMostMACs >= macs * static_cast<double>(most);
  return isEnough ? most : static_cast<size_t>(kMostMACs / macs);
}

bool RunLimit::isExceeded(double macs) const {
  return count(macs) < std::min(numRuns, kFewestRuns);
}

std::vector<size_t> RunLimit::choose(ArrayRef<size_t> group,
                                     double macs) const {
  size_t wanted = llvm::divideCeil(count(macs) * group.size(), numRuns);
  std::vector<size_t> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    chosen.push_back(group[i * group.size() / wanted]);
  }
  return chosen;
}

bool driver::isTensorOfFloats(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
                       tensor.getElementType());
}

void CalibratorComparison::begin(ArrayRef<NamedCalibrator> calibrators) {
  if (tried.empty()) {
    for (NamedCalibrator named : calibrators) {
      tried.push_back({named.first, {}});
    }
  }
}

void CalibratorComparison::add(size_t calibrator, ArrayRef<Datum> expected,
                               ArrayRef<Datum> found) {
  std::vector<Distortion> &distortions = tried[calibrator].outputs;
  distortions.resize(expected.size());
  for (auto [distortion, wanted, datum] :
       llvm::zip_equal(distortions, expected, found)) {
    if (wanted.isTensor() && datum.isTensor() &&
        isTensorOfFloats(wanted.getTensor().getType()) &&
        wanted.getTensor().getType() == datum.getTensor().getType()) {
      addTensors(distortion, wanted.getTensor(), datum.getTensor());
    }
  }
}

CalibratorTrials
CalibratorComparison::describe(const Arguments &arguments) const {
  CalibratorTrials trials;
  trials.integers = describeIntegers(arguments);
  trials.runs = numRuns;
  for (const Tried &calibrator : tried) {
    double decibels = limitDecibels(getWorstDecibels(calibrator.outputs));
    trials.tried.push_back({calibrator.name.str(), decibels});
  }
  return trials;
}

void driver::printCalibratorChoice(StringRef path,
                                   const CalibratorTrials &trials,
                                   llvm::raw_ostream &os) {
  StringRef chosen = trials.findClearlyBest(), best = trials.findBest();
  StringRef plain = getName(CalibrationOptions().calibrator);
  StringRef other = chosen == plain ? best : plain;
  auto describe = [&](StringRef name) {
    return llvm::format("%.1f dB", trials.findDecibels(name));
  };
  os << path << ": calibrator " << chosen << ": " << describe(chosen) << " in "
     << trials.runs << " runs";
  if (other != chosen) {
    os << ", " << other << " " << describe(other);
  }
  os << "\n";
}

std::optional<CalibratorTrials>
driver::keepClearChoice(CalibratorTrials trials) {
  bool isPlain =
      trials.findClearlyBest() == getName(CalibrationOptions().calibrator);
  return isPlain ? std::nullopt : std::optional(std::move(trials));
}
