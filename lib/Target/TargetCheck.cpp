//===- TargetCheck.cpp - Can LLVM compile for a target? -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks LLVM's own tables for the CPUs and features of a triple.
//
//===----------------------------------------------------------------------===//

#include "TargetCheck.h"

#include "nacre/Target/Features.h"
#include "nacre/Target/TargetChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace nacre;

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// What an error about a field of `llvm` begins with.
static std::string getPrefix(TargetOrigin origin, StringRef field) {
  return origin == TargetOrigin::Descriptor
             ? ("field 'llvm." + field + "': ").str()
             : "";
}

/// Fails where a choice names a system or an environment that LLVM does not
/// know: it would take the misspelled one for none.
static Error checkSystem(const Triple &triple) {
  static constexpr StringRef kNone[] = {"", "unknown", "none", "elf"};
  SmallVector<StringRef> unknown;
  bool isVendorMeant = triple.getOS() != Triple::UnknownOS;
  if (triple.getVendor() == Triple::UnknownVendor && !isVendorMeant) {
    unknown.push_back(triple.getVendorName());
  }
  if (triple.getOS() == Triple::UnknownOS) {
    unknown.push_back(triple.getOSName());
  }
  if (triple.getEnvironment() == Triple::UnknownEnvironment) {
    unknown.push_back(triple.getEnvironmentName());
  }
  for (StringRef name : unknown) {
    if (is_contained(kNone, name)) {
      continue;
    }
    SmallVector<StringRef> known = {"none", "elf"};
    for (unsigned i = Triple::UnknownOS + 1; i <= Triple::LastOSType; ++i) {
      known.push_back(Triple::getOSTypeName(static_cast<Triple::OSType>(i)));
    }
    for (unsigned i = Triple::UnknownEnvironment + 1;
         i <= Triple::LastEnvironmentType; ++i) {
      known.push_back(Triple::getEnvironmentTypeName(
          static_cast<Triple::EnvironmentType>(i)));
    }
    return makeError("LLVM knows no system or environment '" + name +
                     "' of triple '" + triple.str() + "'; " +
                     suggest(name, known) +
                     "a machine without a system has 'none', as in "
                     "thumbv7em-none-eabi");
  }
  return Error::success();
}

static Error refuseMachine(const Triple &triple, TargetOrigin origin) {
  if (origin == TargetOrigin::Descriptor) {
    return makeError(getPrefix(origin, "triple") +
                     "expected host, or a triple such as "
                     "x86_64-unknown-linux-gnu, found '" +
                     triple.str() + "'");
  }
  std::vector<StringRef> names = getMachineNames();
  return makeError("expected a triple such as x86_64-unknown-linux-gnu, found "
                   "'" +
                   triple.str() + "'; " + suggest(triple.getArchName(), names) +
                   "it begins with one of " + join(names, ", "));
}

/// Objects of nacre are ELF, and numbers lie in them as they do here.
Error nacre::checkTriple(const Triple &triple, TargetOrigin origin) {
  std::string where = getPrefix(origin, "triple") + "expected ";
  if (triple.getArch() == Triple::UnknownArch) {
    return refuseMachine(triple, origin);
  }
  if (!triple.isOSBinFormatELF()) {
    StringRef format =
        Triple::getObjectFormatTypeName(triple.getObjectFormat());
    return makeError(where + "a target whose objects are ELF, found " +
                     (format.empty() ? "another format" : format.upper()) +
                     " of '" + triple.str() + "'");
  }
  if (!triple.isLittleEndian() ||
      !(triple.isArch64Bit() || triple.isArch32Bit())) {
    return makeError(where +
                     "a little-endian machine of 64 or 32 bits, found '" +
                     triple.str() + "'");
  }
  if (triple.isGPU() || triple.isBPF()) {
    return makeError(where + "a CPU, found '" + triple.str() + "'");
  }
  // x32, n32 and ILP32, by what their addresses are in LLVM's data layout.
  DataLayout layout(triple.computeDataLayout());
  if (triple.isArch64Bit() != (layout.getPointerSizeInBits() == 64)) {
    return makeError(where +
                     "addresses as wide as the machine's registers, found '" +
                     triple.str() + "'");
  }
  return origin == TargetOrigin::Choice ? checkSystem(triple)
                                        : Error::success();
}

Error nacre::checkTriple(StringRef triple) {
  return checkTriple(Triple(Triple::normalize(triple)), TargetOrigin::Choice);
}

static Error checkFeature(const Triple &triple, StringRef name,
                          const Twine &where) {
  std::vector<StringRef> known = getFeatureNames(triple.str());
  if (!is_contained(known, name)) {
    return makeError(where + "LLVM knows no feature '" + name + "' of " +
                     triple.getArchName() + "; " + suggest(name, known) +
                     "nacre info --target=" + triple.str() + " lists all");
  }
  return Error::success();
}

/// An error that names the CPU that is spelled most alike, if one is alike.
static Error checkCPU(const Triple &triple, StringRef cpu, const Twine &where) {
  if (makeSubtarget(triple)->isCPUStringValid(cpu)) {
    return Error::success();
  }
  return makeError(where + "LLVM knows no CPU '" + cpu + "' of " +
                   triple.getArchName() + "; " +
                   suggest(cpu, getCPUNames(triple.str())) +
                   "nacre info --target=" + triple.str() + " lists all");
}

/// LLVM aborts where a CPU has not the instructions that a triple stands for.
static Error checkFits(const Triple &triple, const LLVMTarget &target,
                       const Twine &where) {
  auto chosen = makeSubtarget(triple, target.cpu, target.features);
  // Where a back end serves both widths, for the wrong one.
  bool isWide = (triple.isX86() || triple.isRISCV()) && triple.isArch64Bit();
  bool isNarrow = triple.isRISCV() && triple.isArch32Bit();
  if ((isWide && !chosen->checkFeatures("+64bit")) ||
      (isNarrow && chosen->checkFeatures("+64bit"))) {
    return makeError(where + "'" + target.cpu +
                     "' with these features is no CPU of " +
                     triple.getArchName());
  }
  if (triple.isARM() && chosen->checkFeatures("+noarm")) {
    return makeError(where + "'" + target.cpu +
                     "' runs Thumb code only; expected a triple that begins "
                     "with thumb, as thumbv7em-none-eabi, found '" +
                     triple.str() + "'");
  }
  if (getFloatABI(target) == "hard" && !chosen->checkFeatures("+vfp2sp")) {
    return makeError(where + "'" + target.cpu +
                     "' with these features has no FPU, whose registers '" +
                     triple.str() +
                     "' passes floats in; --float-abi=soft passes them in "
                     "others");
  }
  return Error::success();
}

Error nacre::checkTarget(const ArchDescriptor &arch, TargetOrigin origin) {
  Triple triple(Triple::normalize(arch.target.triple));
  if (Error error = checkTriple(triple, origin)) {
    return error;
  }
  if (!findTarget(triple)) {
    return makeError(getPrefix(origin, "triple") +
                     "this LLVM does not compile for '" + arch.target.triple +
                     "'");
  }
  for (auto [field, cpu] : {std::pair("cpu", &arch.target.cpu),
                            std::pair("tune", &arch.target.tune)}) {
    bool isLeftOut = cpu == &arch.target.tune && cpu->empty();
    if (isLeftOut) {
      continue;
    }
    if (Error error = checkCPU(triple, *cpu, getPrefix(origin, field))) {
      return error;
    }
  }
  SmallVector<StringRef> features;
  StringRef(arch.target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  std::string where = getPrefix(origin, "features");
  for (StringRef feature : features) {
    if (!feature.starts_with("+") && !feature.starts_with("-")) {
      return makeError(where + "expected '+' or '-' before '" + feature + "'");
    }
    if (Error error = checkFeature(triple, feature.drop_front(), where)) {
      return error;
    }
  }
  for (const std::string &feature : arch.hostFeatures) {
    if (Error error =
            checkFeature(triple, feature, "field 'host_features': ")) {
      return error;
    }
  }
  return checkFits(triple, arch.target, getPrefix(origin, "cpu"));
}

bool nacre::hasFeature(StringRef triple, StringRef cpu, StringRef features,
                       StringRef name) {
  auto subtarget =
      makeSubtarget(Triple(Triple::normalize(triple)), cpu, features);
  return subtarget && is_contained(getFeatureNames(triple), name) &&
         subtarget->checkFeatures(("+" + name).str());
}

bool nacre::extendsHalf(StringRef triple, StringRef cpu, StringRef features) {
  return Triple(triple).isAArch64() ||
         hasFeature(triple, cpu, features, "f16c");
}
