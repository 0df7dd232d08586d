//===- RoundingOption.cpp - What --rounding asks for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundingOption.h"
#include "CalibratorOption.h"
#include "RandomData.h"
#include "Session.h"

#include "nacre/Quantization/RangeProfile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

/// Whether nothing is named of what has a meaning.
static bool isOpen(const Arguments &arguments) {
  return arguments.get("--rounding", "auto") == "auto" &&
         quantizesByRanges(arguments) && arguments.get("--weights") != "int16";
}

bool driver::triesRounding(const Arguments &arguments) {
  // Runs without corrected biases do not tell what is good beside these, and
  // random numbers nothing.
  return isOpen(arguments) && !correctsBiasesExactly(arguments) &&
         arguments.get("--backend", "cpu") == "cpu" &&
         !hadRandomData(arguments);
}

bool driver::asksForRounding(const Arguments &arguments) {
  return needsRanges(arguments) && arguments.get("--rounding") == "hessian";
}

double driver::getJudgedWork(const Arguments &arguments) {
  if (triesRounding(arguments)) {
    return std::numeric_limits<double>::infinity();
  }
  bool isJudged = asksForRounding(arguments) &&
                  arguments.get("--backend", "cpu") == "cpu" &&
                  !hadRandomData(arguments);
  return isJudged ? kMostRoundingWork : 0;
}

std::string driver::describeRounded(const Arguments &arguments) {
  if (!quantizesWeightsAlone(arguments)) {
    return describeIntegers(arguments);
  }
  StringRef weights = arguments.get("--weights");
  StringRef block = arguments.get("--block", weights == "int4" ? "32" : "0");
  std::string text = "values in f32, " + weights.str() + " weights";
  return block == "0" ? text : text + " in blocks of " + block.str();
}

/// Says so where rounding was judged for other integers than it is to be for,
/// by the ranges of that name. Gives whether it has.
static bool warnOfOtherIntegers(const Arguments &arguments, StringRef name,
                                const MeasuredRepair &repair,
                                StringRef rounding) {
  std::string integers = describeRounded(arguments);
  if (repair.integers.empty() || repair.integers == integers) {
    return false;
  }
  printWarning() << "'" << name << "' tried rounding for inputs for "
                 << repair.integers << ", found " << integers
                 << ": --rounding is " << rounding
                 << ", as it was best for those; nacre quantize with --data "
                    "and without --ranges tries it again, --rounding="
                 << rounding << " asks for it\n";
  return true;
}

/// What ranges choose for which rounding was tried: "hessian" where it has been
/// worth it, or "nearest" where the file of sums of inputs is gone or a warning
/// names it; else nothing.
static StringRef chooseRounding(const Arguments &arguments, StringRef name) {
  StringRef ranges = arguments.get("--ranges");
  // Most have none, and take long to read.
  auto text = llvm::MemoryBuffer::getFile(ranges);
  if (!text || !(*text)->getBuffer().contains("rounding")) {
    return "";
  }
  llvm::Expected<RangeProfile> profile = RangeProfile::read(ranges);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return ""; // who reads it next says so
  }
  const MeasuredRepair *rounding = profile->findRepair("rounding");
  if (!rounding) {
    return "";
  }
  // It may have been asked for in spite of what samples say.
  if (!profile->sums || !rounding->isKept || rounding->decibels <= 0) {
    bool hasWarned = warnOfOtherIntegers(arguments, name, *rounding, "nearest");
    return hasWarned ? "nearest" : "";
  }
  SmallString<128> sums(llvm::sys::path::parent_path(ranges));
  llvm::sys::path::append(sums, profile->sums->file);
  if (llvm::sys::fs::exists(sums)) {
    warnOfOtherIntegers(arguments, name, *rounding, "hessian");
    return "hessian";
  }
  if (name != ranges) {
    printWarning() << "'" << name << "' is read as a pipe, beside which there "
                   << "is no '" << profile->sums->file
                   << "', which it names: --rounding is nearest\n";
  } else {
    printWarning() << "there is no '" << sums << "', which '" << ranges
                   << "' names: --rounding is nearest\n";
  }
  return "nearest";
}

Arguments driver::settleRanges(const Arguments &arguments, StringRef given) {
  StringRef name = given.empty() ? arguments.get("--ranges") : given;
  Arguments settled = settleCalibrator(arguments, name);
  if (settled.get("--rounding", "auto") != "auto") {
    return settled;
  }
  StringRef rounding;
  if (isOpen(settled) && settled.has("--ranges")) {
    rounding = chooseRounding(settled, name);
  }
  settled = settled.without(StringRef("--rounding"));
  return rounding.empty() ? settled : settled.with("--rounding", rounding);
}
