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

bool driver::judgesRounding(const Arguments &arguments) {
  return triesRounding(arguments) ||
         (asksForRounding(arguments) &&
          arguments.get("--backend", "cpu") == "cpu" &&
          !hadRandomData(arguments));
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

/// Says so where rounding was judged for other integers than it is to be for.
static void warnOfOtherIntegers(const Arguments &arguments,
                                const MeasuredRepair &repair,
                                StringRef rounding) {
  std::string integers = describeRounded(arguments);
  if (repair.integers.empty() || repair.integers == integers) {
    return;
  }
  printWarning() << "'" << arguments.get("--ranges")
                 << "' tried rounding for inputs for " << repair.integers
                 << ", found " << integers << ": --rounding is " << rounding
                 << ", as it was best for those; nacre quantize with --data "
                    "and without --ranges tries it again, --rounding="
                 << rounding << " asks for it\n";
}

/// What ranges choose for which rounding was tried: "hessian" where it has been
/// worth it, or "nearest" where the file of sums of inputs is gone; else
/// nothing.
static StringRef chooseRounding(const Arguments &arguments, StringRef given) {
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
    warnOfOtherIntegers(arguments, *rounding, "nearest");
    return "";
  }
  SmallString<128> sums(llvm::sys::path::parent_path(ranges));
  llvm::sys::path::append(sums, profile->sums->file);
  if (llvm::sys::fs::exists(sums)) {
    warnOfOtherIntegers(arguments, *rounding, "hessian");
    return "hessian";
  }
  if (!given.empty() && given != ranges) {
    printWarning() << "'" << given << "' is read as a pipe, beside which there "
                   << "is no '" << profile->sums->file
                   << "', which it names: --rounding is nearest\n";
  } else {
    printWarning() << "there is no '" << sums << "', which '" << ranges
                   << "' names: --rounding is nearest\n";
  }
  return "nearest";
}

Arguments driver::settleRanges(const Arguments &arguments, StringRef given) {
  Arguments settled = settleCalibrator(arguments);
  if (settled.get("--rounding", "auto") != "auto") {
    return settled;
  }
  StringRef rounding;
  if (isOpen(settled) && settled.has("--ranges")) {
    rounding = chooseRounding(settled, given);
  }
  settled = settled.without(StringRef("--rounding"));
  return rounding.empty() ? settled : settled.with("--rounding", rounding);
}
