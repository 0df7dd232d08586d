//===- RoundingOption.cpp - What --rounding asks for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundingOption.h"
#include "CalibratorOption.h"
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
  // Runs without corrected biases do not tell what is good beside these.
  return isOpen(arguments) && !correctsBiasesExactly(arguments) &&
         arguments.get("--backend", "cpu") == "cpu";
}

/// Whether ranges have sums of inputs, which have been worth it.
static bool wereWorthIt(StringRef ranges) {
  // Most have none, and take long to read.
  auto text = llvm::MemoryBuffer::getFile(ranges);
  if (!text || !(*text)->getBuffer().contains("sums:")) {
    return false;
  }
  llvm::Expected<RangeProfile> profile = RangeProfile::read(ranges);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return false; // who reads it next says so
  }
  const MeasuredRepair *rounding = profile->findRepair("rounding");
  if (!profile->sums || !rounding || !rounding->isKept) {
    return false;
  }
  SmallString<128> sums(llvm::sys::path::parent_path(ranges));
  llvm::sys::path::append(sums, profile->sums->file);
  bool isThere = llvm::sys::fs::exists(sums);
  if (!isThere) {
    printWarning() << "there is no '" << sums << "', which '" << ranges
                   << "' names: --rounding is nearest\n";
  }
  return isThere;
}

Arguments driver::settleRanges(const Arguments &arguments) {
  Arguments settled = settleCalibrator(arguments);
  if (settled.get("--rounding", "auto") != "auto") {
    return settled;
  }
  bool rounds = isOpen(settled) && settled.has("--ranges") &&
                wereWorthIt(settled.get("--ranges"));
  settled = settled.without(StringRef("--rounding"));
  return rounds ? settled.with("--rounding", "hessian") : settled;
}
