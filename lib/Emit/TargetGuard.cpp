//===- TargetGuard.cpp - Is a program for the model's machine? ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks by macros that gcc and clang define alike.
//
//===----------------------------------------------------------------------===//

#include "TargetGuard.h"

#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/Features.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace nacre;
using llvm::StringRef;
using llvm::Triple;

/// What compilers for a machine define; empty for those that nobody has tried.
static StringRef getMachineMacro(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::x86_64:
    return "defined(__x86_64__)";
  case Triple::aarch64:
    return "defined(__aarch64__)";
  case Triple::arm:
  case Triple::thumb:
    return "defined(__arm__)";
  case Triple::riscv64:
    return "defined(__riscv) && __riscv_xlen == 64";
  case Triple::riscv32:
    return "defined(__riscv) && __riscv_xlen == 32";
  default:
    return "";
  }
}

namespace {

/// The branches of one #if, each of which is an error.
class Guard {
public:
  Guard(const std::string &name, const CodeTarget &target)
      : name(name), target(target), os(text) {}

  /// Unless `condition` holds.
  void require(const llvm::Twine &condition, const llvm::Twine &advice) {
    os << (text.empty() ? "#if" : "#elif") << " !(" << condition
       << ")\n#error \"" << name << " is compiled for " << target.describe()
       << "; " << advice << "\"\n";
  }

  std::string finish() {
    if (!text.empty()) {
      os << "#endif\n";
    }
    return text;
  }

private:
  const std::string &name;
  const CodeTarget &target;
  std::string text;
  llvm::raw_string_ostream os;
};

/// Instructions that microcontrollers of one generation have or lack.
struct Extension {
  StringRef feature;
  StringRef condition;
};

constexpr Extension kExtensions[] = {
    {"vfp2sp", "defined(__ARM_FP) && (__ARM_FP & 4)"},
    {"fp64", "defined(__ARM_FP) && (__ARM_FP & 8)"},
    {"dsp", "defined(__ARM_FEATURE_DSP)"},
    {"mve", "defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)"},
    {"mve.fp", "defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)"},
};

} // namespace

/// How compilers of C are told of the machine. They know no CPU "generic".
static std::string getMachineFlag(const Triple &triple,
                                  const CodeTarget &target) {
  if (target.cpu != "generic") {
    return "use -mcpu=" + target.cpu;
  }
  StringRef name = triple.getArchName();
  return (name.consume_front("thumb") ? "use -march=arm" : "use -march=") +
         name.str();
}

static void addARM(Guard &guard, const Triple &triple,
                   const CodeTarget &target) {
  if (target.floatABI == "hard") {
    guard.require("defined(__ARM_PCS_VFP)", "use -mfloat-abi=hard");
  } else {
    guard.require("!defined(__ARM_PCS_VFP)",
                  "use -mfloat-abi=" + target.floatABI);
  }
  unsigned version = llvm::ARM::parseArchVersion(triple.getArchName());
  // Before that, compilers did not say it.
  if (version >= 6) {
    guard.require("defined(__ARM_ARCH) && __ARM_ARCH >= " +
                      llvm::Twine(version),
                  getMachineFlag(triple, target));
  }
  if (llvm::ARM::parseArchProfile(triple.getArchName()) !=
      llvm::ARM::ProfileKind::M) {
    return;
  }
  bool usesFPU = target.floatABI != "soft";
  for (const Extension &extension : kExtensions) {
    if (hasFeature(target.triple, target.cpu, target.features,
                   extension.feature) &&
        (usesFPU || !extension.condition.contains("__ARM_FP"))) {
      guard.require(extension.condition, getMachineFlag(triple, target) +
                                             " -mfloat-abi=" + target.floatABI);
    }
  }
}

/// Registers that floats are passed in.
static void addRISCV(Guard &guard, const CodeTarget &target) {
  LLVMTarget described{target.triple, target.cpu, "", target.features};
  StringRef abi = getABI(described, target.code);
  StringRef macro = abi.ends_with("d")   ? "__riscv_float_abi_double"
                    : abi.ends_with("f") ? "__riscv_float_abi_single"
                                         : "__riscv_float_abi_soft";
  guard.require("defined(" + macro + ")", "use -mabi=" + abi);
}

std::string nacre::buildTargetGuard(const ArtifactInfo &info) {
  if (info.targets.empty()) {
    return "";
  }
  // Of several they are x86-64 alike.
  const CodeTarget &target = info.targets.front();
  Triple triple(target.triple);
  StringRef machine = getMachineMacro(triple);
  if (machine.empty()) {
    return "";
  }
  Guard guard(info.name, target);
  guard.require(machine, "include this in code for that machine");
  if (triple.isARM() || triple.isThumb()) {
    addARM(guard, triple, target);
  }
  if (triple.isRISCV()) {
    addRISCV(guard, target);
  }
  std::string macro = StringRef(info.name).upper() + "_ANY_TARGET";
  return "/* The program is for the same machine. " + macro +
         " leaves that unchecked. */\n#ifndef " + macro + "\n" +
         guard.finish() + "#endif\n\n";
}
