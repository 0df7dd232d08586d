//===- TargetCheck.cpp - Can LLVM compile for a target? -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks LLVM's own tables for the CPUs and features of a triple.
//
//===----------------------------------------------------------------------===//

#include "TargetCheck.h"

#include "nacre/Target/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace nacre;

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static const Target *findTarget(const Triple &triple) {
  static bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargetMCs();
    return true;
  }();
  (void)once;
  std::string ignored;
  return TargetRegistry::lookupTarget(triple, ignored);
}

/// Objects of nacre are ELF, and numbers lie in them as they do here.
static Error checkTriple(const Triple &triple) {
  std::string where = "field 'llvm.triple': expected ";
  if (triple.getArch() == Triple::UnknownArch) {
    return makeError(where +
                     "host, or a triple such as "
                     "x86_64-unknown-linux-gnu, found '" +
                     triple.str() + "'");
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
  // x32, n32 and ILP32, by what their addresses are in LLVM's data layout.
  DataLayout layout(triple.computeDataLayout());
  if (triple.isArch64Bit() != (layout.getPointerSizeInBits() == 64)) {
    return makeError(where +
                     "addresses as wide as the machine's registers, found '" +
                     triple.str() + "'");
  }
  return Error::success();
}

static Error checkFeature(const MCSubtargetInfo &subtarget, StringRef name,
                          StringRef field) {
  if (llvm::none_of(
          subtarget.getAllProcessorFeatures(),
          [&](const SubtargetFeatureKV &known) { return name == known.Key; })) {
    return makeError("field '" + field + "': LLVM knows no feature '" + name +
                     "' of " + subtarget.getTargetTriple().getArchName());
  }
  return Error::success();
}

/// An error that names the CPU that is spelled most alike, if one is alike.
static Error checkCPU(const MCSubtargetInfo &subtarget, StringRef cpu,
                      const Twine &where) {
  if (subtarget.isCPUStringValid(cpu)) {
    return Error::success();
  }
  StringRef nearest;
  // Further away it is another word.
  unsigned least = cpu.size() / 3 + 1;
  for (const SubtargetSubTypeKV &known :
       subtarget.getAllProcessorDescriptions()) {
    unsigned distance = cpu.edit_distance(known.Key);
    if (distance < least) {
      least = distance;
      nearest = known.Key;
    }
  }
  const Triple &triple = subtarget.getTargetTriple();
  std::string hint =
      nearest.empty() ? "" : ("perhaps '" + nearest + "'; ").str();
  return makeError(where + "LLVM knows no CPU '" + cpu + "' of " +
                   triple.getArchName() + "; " + hint + "clang --target=" +
                   triple.str() + " --print-supported-cpus lists all");
}

Error nacre::checkTarget(const ArchDescriptor &arch) {
  Triple triple(Triple::normalize(arch.target.triple));
  if (Error error = checkTriple(triple)) {
    return error;
  }
  const Target *target = findTarget(triple);
  if (!target) {
    return makeError("field 'llvm.triple': this LLVM does not compile for '" +
                     arch.target.triple + "'");
  }
  std::unique_ptr<MCSubtargetInfo> plain(
      target->createMCSubtargetInfo(triple, "", ""));
  for (auto [field, cpu] : {std::pair("llvm.cpu", &arch.target.cpu),
                            std::pair("llvm.tune", &arch.target.tune)}) {
    bool isLeftOut = cpu == &arch.target.tune && cpu->empty();
    if (isLeftOut) {
      continue;
    }
    if (Error error =
            checkCPU(*plain, *cpu, "field '" + Twine(field) + "': ")) {
      return error;
    }
  }
  SmallVector<StringRef> features;
  StringRef(arch.target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : features) {
    if (!feature.starts_with("+") && !feature.starts_with("-")) {
      return makeError("field 'llvm.features': expected '+' or '-' before '" +
                       feature + "'");
    }
    if (Error error =
            checkFeature(*plain, feature.drop_front(), "llvm.features")) {
      return error;
    }
  }
  for (const std::string &feature : arch.hostFeatures) {
    if (Error error = checkFeature(*plain, feature, "host_features")) {
      return error;
    }
  }
  // Where a back end serves both widths, LLVM aborts for the wrong one.
  std::unique_ptr<MCSubtargetInfo> chosen(target->createMCSubtargetInfo(
      triple, arch.target.cpu, arch.target.features));
  bool isWide = (triple.isX86() || triple.isRISCV()) && triple.isArch64Bit();
  bool isNarrow = triple.isRISCV() && triple.isArch32Bit();
  if ((isWide && !chosen->checkFeatures("+64bit")) ||
      (isNarrow && chosen->checkFeatures("+64bit"))) {
    return makeError("field 'llvm.cpu': '" + arch.target.cpu +
                     "' with these features is no CPU of " +
                     triple.getArchName());
  }
  return Error::success();
}

Error nacre::chooseCPU(ArchDescriptor &arch, StringRef cpu) {
  Triple triple(Triple::normalize(arch.target.triple));
  const Target *target = findTarget(triple);
  std::unique_ptr<MCSubtargetInfo> plain(
      target->createMCSubtargetInfo(triple, "", ""));
  if (Error error = checkCPU(*plain, cpu, "")) {
    return error;
  }
  arch.target.cpu = cpu.str();
  arch.target.tune.clear();
  std::unique_ptr<MCSubtargetInfo> chosen(
      target->createMCSubtargetInfo(triple, cpu, arch.target.features));
  for (const std::string &feature : arch.hostFeatures) {
    if (!chosen->checkFeatures("+" + feature)) {
      return makeError("'" + cpu + "' lacks '" + feature +
                       "', which code for " + arch.name + " needs");
    }
  }
  return checkTarget(arch);
}

bool nacre::hasFeature(StringRef triple, StringRef cpu, StringRef features,
                       StringRef name) {
  Triple normalized(Triple::normalize(triple));
  const Target *target = findTarget(normalized);
  if (!target) {
    return false;
  }
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(normalized, cpu, features));
  bool isKnown = llvm::any_of(
      subtarget->getAllProcessorFeatures(),
      [&](const SubtargetFeatureKV &known) { return name == known.Key; });
  return isKnown && subtarget->checkFeatures(("+" + name).str());
}

bool nacre::extendsHalf(StringRef triple, StringRef cpu, StringRef features) {
  return Triple(triple).isAArch64() ||
         hasFeature(triple, cpu, features, "f16c");
}
