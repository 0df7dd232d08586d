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

/// What ranges choose that have sums of inputs, which have been worth it:
/// "hessian", or "nearest" where the file of these is gone; else nothing.
static StringRef chooseRounding(StringRef ranges, StringRef given) {
  // Most have none, and take long to read.
  auto text = llvm::MemoryBuffer::getFile(ranges);
  if (!text || !(*text)->getBuffer().contains("sums:")) {
    return "";
  }
  llvm::Expected<RangeProfile> profile = RangeProfile::read(ranges);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return ""; // who reads it next says so
  }
  const MeasuredRepair *rounding = profile->findRepair("rounding");
  if (!profile->sums || !rounding || !rounding->isKept) {
    return "";
  }
  SmallString<128> sums(llvm::sys::path::parent_path(ranges));
  llvm::sys::path::append(sums, profile->sums->file);
  if (llvm::sys::fs::exists(sums)) {
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
    rounding = chooseRounding(settled.get("--ranges"), given);
  }
  settled = settled.without(StringRef("--rounding"));
  return rounding.empty() ? settled : settled.with("--rounding", rounding);
}
