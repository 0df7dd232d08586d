//===- CalibratorOption.cpp - What --calibrator asks for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibratorOption.h"
#include "RangeFiles.h"
#include "Session.h"

#include "nacre/Quantization/Calibrators.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

bool driver::measuresCalibrator(const Arguments &arguments) {
  return arguments.get("--calibrator") == "measured";
}

bool driver::namesCalibrator(const Arguments &arguments) {
  return arguments.get("--calibrator", "auto") != "auto";
}

bool driver::choosesCalibrator(const Arguments &arguments) {
  // Runs without corrected biases do not tell which one is good beside these.
  bool isOpen =
      !namesCalibrator(arguments) && !correctsBiasesExactly(arguments);
  return (isOpen || measuresCalibrator(arguments)) &&
         quantizesByRanges(arguments);
}

std::string driver::describeActivations(const Arguments &arguments) {
  StringRef activations = arguments.get("--activations", "uint8");
  StringRef schema = arguments.get(
      "--schema", activations == "int16" ? "symmetric" : "asymmetric");
  return schema == "asymmetric" || activations == "int16"
             ? (schema + " " + activations).str()
             : schema.str();
}

std::string driver::describeWeights(const Arguments &arguments) {
  std::string text = arguments.has("--per-tensor") ? "one scale for all weights"
                                                   : "a scale for each channel";
  return text +
         (arguments.get("--weights") == "int16" ? ", int16 weights" : "") +
         (arguments.has("--reduce-range") ? ", weights of 7 bits" : "") +
         (arguments.has("--calibrate-weights")
              ? ", weights of least squared error"
              : "");
}

std::string driver::describeIntegers(const Arguments &arguments) {
  return describeActivations(arguments) + ", " + describeWeights(arguments);
}

Arguments driver::withCalibrator(const Arguments &arguments, StringRef name) {
  return arguments.without(StringRef("--calibrator"))
      .with("--calibrator", name);
}

/// Whether ranges of 16 bits are needed, maybe beside those of 8.
static bool needsWide(const Arguments &arguments) {
  return arguments.get("--activations") == "int16" ||
         arguments.get("--precisions").contains("int16");
}

std::vector<NamedCalibrator>
driver::listCalibrators(const Arguments &arguments) {
  std::vector<NamedCalibrator> list = getCalibrators().vec();
  if (needsWide(arguments)) {
    llvm::erase_if(list, [](const auto &calibrator) {
      return calibrator.second == Calibrator::Entropy;
    });
  }
  return list;
}

/// What the calibrators of ranges were tried for, and what they are asked for.
static std::string explainIntegers(const Arguments &arguments,
                                   const CalibratorTrials &trials) {
  return "tried calibrators for " + trials.integers + ", found " +
         describeIntegers(arguments);
}

std::optional<StringRef>
driver::findSettled(const Arguments &arguments,
                    const std::optional<CalibratorTrials> &trials,
                    bool hasWideOverride) {
  StringRef plain = getName(CalibrationOptions().calibrator);
  if (!trials) {
    return plain;
  }
  StringRef clear =
      trials->findClearlyBest(needsWide(arguments) || hasWideOverride);
  // Where it is the default anyway, that goes for whatever integers.
  bool isFor = trials->integers == describeIntegers(arguments);
  return isFor || clear == plain ? std::optional(clear) : std::nullopt;
}

Arguments driver::settleCalibrator(const Arguments &arguments, StringRef name) {
  if (!arguments.has("--ranges") || namesCalibrator(arguments) ||
      !choosesCalibrator(arguments)) {
    return arguments;
  }
  // Most have none, and take long to read.
  auto text = llvm::MemoryBuffer::getFile(arguments.get("--ranges"));
  if (!text || !(*text)->getBuffer().contains("calibrators")) {
    return arguments;
  }
  llvm::Expected<RangeProfile> profile =
      RangeProfile::read(arguments.get("--ranges"));
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return arguments;
  }
  const std::optional<CalibratorTrials> &trials = profile->calibrators;
  auto settled = findSettled(arguments, trials, profile->hasWideOverride());
  if (settled && !profile->hasEarlierChoice) {
    return trials ? withCalibrator(arguments, *settled) : arguments;
  }
  StringRef plain = getName(CalibrationOptions().calibrator);
  printWarning() << "'" << name << "' has "
                 << (settled ? "a choice of calibrator by an earlier version, "
                               "which does not say for which integers"
                             : explainIntegers(arguments, *trials))
                 << ": --calibrator is " << plain
                 << "; nacre quantize with --data and without --ranges tries "
                    "them again\n";
  return withCalibrator(arguments, plain);
}

FailureOr<std::string> driver::findCalibrator(const Arguments &arguments) {
  std::string plain = getName(CalibrationOptions().calibrator).str();
  if (!measuresCalibrator(arguments)) {
    StringRef name = arguments.get("--calibrator", plain);
    return name == "auto" ? plain : name.str();
  }
  StringRef ranges = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(ranges);
  if (failed(profile)) {
    return failure();
  }
  if (!profile->calibrators) {
    printError() << "--calibrator=measured needs ranges that say which one was "
                    "best, found none in '"
                 << ranges
                 << "': use nacre quantize --calibrator=measured with --data "
                    "and without --ranges, or name a calibrator\n";
    return failure();
  }
  if (profile->calibrators->integers != describeIntegers(arguments)) {
    printError() << "--calibrator=measured needs ranges that say which one was "
                    "best, and '"
                 << ranges << "' has "
                 << explainIntegers(arguments, *profile->calibrators)
                 << ": use nacre quantize --calibrator=measured with --data "
                    "and without --ranges, or name a calibrator\n";
    return failure();
  }
  bool isWide = needsWide(arguments) || profile->hasWideOverride();
  return profile->calibrators->findBest(isWide).str();
}

LogicalResult driver::refuseEntropy(StringRef found) {
  printError() << "--calibrator=entropy is for 8 bits, found " << found
               << ": use mse, minmax or percentile\n";
  return failure();
}
