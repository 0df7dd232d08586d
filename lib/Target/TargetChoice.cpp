//===- TargetChoice.cpp - Another LLVM target than a descriptor's ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a choice from text, finds a descriptor for it, and applies it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/TargetChoice.h"
#include "TargetCheck.h"

#include "nacre/Target/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/ARMTargetParser.h"

using namespace llvm;
using namespace nacre;

static constexpr StringLiteral kHard = "hard", kSoftFP = "softfp",
                               kSoft = "soft";

/// The triple of a modelled machine, and the descriptor for any.
static constexpr StringLiteral kHostTriple = "host", kAnyArch = "generic";

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

bool TargetChoice::isEmpty() const {
  return triple.empty() && cpu.empty() && features.empty() && floatABI.empty();
}

std::string TargetChoice::getText() const {
  std::string text = cpu;
  for (auto [key, value] :
       {std::pair("triple", &triple), std::pair("features", &features),
        std::pair("float-abi", &floatABI)}) {
    if (!value->empty()) {
      text += (Twine(":") + key + "=" + *value).str();
    }
  }
  return text;
}

Expected<TargetChoice> TargetChoice::parse(StringRef text) {
  TargetChoice choice;
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  choice.cpu = parts.front().str();
  for (StringRef part : ArrayRef(parts).drop_front()) {
    auto [key, value] = part.split('=');
    auto *field = StringSwitch<std::string *>(key)
                      .Case("triple", &choice.triple)
                      .Case("features", &choice.features)
                      .Case("float-abi", &choice.floatABI)
                      .Default(nullptr);
    if (!field || value.empty()) {
      return makeError("expected triple=, features= or float-abi= with a value "
                       "behind '@' and ':' of an architecture, found '" +
                       part + "'");
    }
    *field = value.str();
  }
  return choice;
}

ArrayRef<StringRef> nacre::getFloatABIs() {
  static constexpr StringRef kNames[] = {kHard, kSoftFP, kSoft};
  return kNames;
}

static bool isNarrowARM(const Triple &triple) {
  return triple.isARM() || triple.isThumb();
}

StringRef nacre::getFloatABI(const LLVMTarget &target) {
  Triple triple(target.triple);
  if (!isNarrowARM(triple)) {
    return "";
  }
  if (triple.isHardFloatABI()) {
    return kHard;
  }
  auto has = [&](StringRef feature) {
    return hasFeature(target.triple, target.cpu, target.features, feature);
  };
  return has("vfp2sp") && !has("soft-float") ? kSoftFP : kSoft;
}

static bool isSameMachine(const Triple &a, const Triple &b) {
  return a.getArch() == b.getArch() || (isNarrowARM(a) && isNarrowARM(b));
}

static StringRef getPlainCPU(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::x86_64:
    return "x86-64";
  case Triple::x86:
    return "i686";
  case Triple::riscv64:
    return "generic-rv64";
  case Triple::riscv32:
    return "generic-rv32";
  case Triple::loongarch64:
    return "generic-la64";
  default:
    return "generic";
  }
}

static Error chooseTriple(ArchDescriptor &arch, StringRef text) {
  if (text.empty()) {
    return Error::success();
  }
  Triple triple(Triple::normalize(text));
  if (Error error = checkTriple(triple, TargetOrigin::Choice)) {
    return error;
  }
  LLVMTarget &target = arch.target;
  Triple own(target.triple);
  bool isAnyMachine = target.triple == kHostTriple;
  if (!isAnyMachine && !isSameMachine(triple, own)) {
    return makeError("the architecture " + arch.name + " is for machines of " +
                     target.triple + ", not of '" + triple.str() +
                     "'; without --vpu-arch, --target finds one, and " +
                     kAnyArch + " is for any");
  }
  // What the machine of the descriptor has, an older one may not have.
  bool keepsCPU = !isAnyMachine && triple.getSubArch() == own.getSubArch();
  if (!keepsCPU) {
    target.cpu = getPlainCPU(triple).str();
    target.tune.clear();
    target.features.clear();
  }
  target.triple = triple.str();
  return Error::success();
}

/// A triple that says "arm" stands for the CPU's own instructions, as clang has
/// it, and those of a microcontroller are never others.
static void adaptTriple(LLVMTarget &target) {
  Triple triple(target.triple);
  ARM::ArchKind kind = ARM::parseCPUArch(target.cpu);
  if (!isNarrowARM(triple) || kind == ARM::ArchKind::INVALID) {
    return;
  }
  bool isMicrocontroller =
      ARM::parseArchProfile(ARM::getArchName(kind)) == ARM::ProfileKind::M;
  if (triple.getSubArch() != Triple::NoSubArch && !isMicrocontroller) {
    return;
  }
  bool isThumb = triple.isThumb() || isMicrocontroller;
  triple.setArchName(
      ((isThumb ? "thumb" : "arm") + ARM::getSubArch(kind)).str());
  target.triple = triple.str();
}

static void addFeatures(LLVMTarget &target, StringRef features) {
  if (!features.empty()) {
    target.features += ((target.features.empty() ? "" : ",") + features).str();
  }
}

/// LLVM's tables leave out NEON of CPUs that all have it, which clang adds.
static void addNeon(LLVMTarget &target) {
  ARM::FPUKind unit = ARM::getDefaultFPU(target.cpu, ARM::ArchKind::INVALID);
  if (isNarrowARM(Triple(target.triple)) &&
      ARM::getFPUNeonSupportLevel(unit) != ARM::NeonSupportLevel::None &&
      !hasFeature(target.triple, target.cpu, target.features, "neon")) {
    addFeatures(target, "+neon");
  }
}

static void chooseCPU(LLVMTarget &target, StringRef cpu) {
  if (cpu.empty()) {
    return;
  }
  target.cpu = cpu.str();
  target.tune.clear();
  adaptTriple(target);
  addNeon(target);
}

static Error chooseFloatABI(LLVMTarget &target, StringRef abi) {
  if (abi.empty()) {
    return Error::success();
  }
  if (!is_contained(getFloatABIs(), abi)) {
    return makeError("expected one of " + join(getFloatABIs(), ", ") +
                     " for how floats are passed, found '" + abi + "'");
  }
  Triple triple(target.triple);
  if (!isNarrowARM(triple)) {
    return makeError("'" + triple.str() +
                     "' has one way to pass floats; --float-abi is for ARM of "
                     "32 bits, as thumbv7em-none-eabi");
  }
  bool isHard = abi == kHard;
  switch (triple.getEnvironment()) {
  case Triple::GNUEABI:
  case Triple::GNUEABIHF:
    triple.setEnvironment(isHard ? Triple::GNUEABIHF : Triple::GNUEABI);
    break;
  case Triple::GNUEABIT64:
  case Triple::GNUEABIHFT64:
    triple.setEnvironment(isHard ? Triple::GNUEABIHFT64 : Triple::GNUEABIT64);
    break;
  case Triple::MuslEABI:
  case Triple::MuslEABIHF:
    triple.setEnvironment(isHard ? Triple::MuslEABIHF : Triple::MuslEABI);
    break;
  default:
    triple.setEnvironment(isHard ? Triple::EABIHF : Triple::EABI);
  }
  target.triple = triple.str();
  if (abi == kSoft) {
    // No register of the FPU, and so none of what needs one.
    addFeatures(target, "+soft-float,-fpregs");
  }
  return Error::success();
}

/// Where one is named, a CPU that the architecture's code does not run on is
/// refused.
static Error checkNeeds(const ArchDescriptor &arch) {
  auto chosen = makeSubtarget(Triple(arch.target.triple), arch.target.cpu,
                              arch.target.features);
  for (const std::string &feature : arch.hostFeatures) {
    if (!chosen->checkFeatures("+" + feature)) {
      return makeError("'" + arch.target.cpu + "' lacks '" + feature +
                       "', which code for " + arch.name + " needs");
    }
  }
  return Error::success();
}

Error nacre::applyChoice(ArchDescriptor &arch, const TargetChoice &choice) {
  if (Error error = chooseTriple(arch, choice.triple)) {
    return error;
  }
  chooseCPU(arch.target, choice.cpu);
  addFeatures(arch.target, choice.features);
  if (Error error = chooseFloatABI(arch.target, choice.floatABI)) {
    return error;
  }
  if (Error error = checkTarget(arch, TargetOrigin::Choice)) {
    return error;
  }
  return checkNeeds(arch);
}

Expected<std::string> nacre::findArchName(const TargetChoice &choice) {
  Triple triple(Triple::normalize(choice.triple));
  if (Error error = checkTriple(triple, TargetOrigin::Choice)) {
    return std::move(error);
  }
  std::string best = kAnyArch.str();
  std::optional<size_t> needs;
  for (StringRef name : getArchNames()) {
    Expected<ArchDescriptor> arch = loadArch(name);
    if (!arch) {
      return arch.takeError();
    }
    if (arch->isNPU || name == kAnyArch ||
        !isSameMachine(triple, Triple(arch->target.triple))) {
      continue;
    }
    if (!choice.cpu.empty()) {
      // What the CPU has counts, not what the descriptor adds.
      arch->target.features.clear();
    }
    // What is wrong with the choice itself is found for any architecture.
    if (Error error = applyChoice(*arch, choice)) {
      consumeError(std::move(error));
      continue;
    }
    size_t count = arch->hostFeatures.size();
    if (!needs || (choice.cpu.empty() ? count < *needs : count > *needs)) {
      best = name.str();
      needs = count;
    }
  }
  return best;
}
