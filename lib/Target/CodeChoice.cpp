//===- CodeChoice.cpp - How code calls and addresses ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM aborts, or ignores it, where a back end lacks what is asked for, and has
// no table of what each has: that is here.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/CodeChoice.h"

#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace nacre;

static constexpr StringLiteral kTiny = "tiny", kSmall = "small",
                               kMedium = "medium", kLarge = "large";
static constexpr StringLiteral kStatic = "static", kPIC = "pic";

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

std::string CodeChoice::describe() const {
  SmallVector<std::string> parts;
  if (!abi.empty()) {
    parts.push_back("ABI " + abi);
  }
  if (!codeModel.empty()) {
    parts.push_back("code model " + codeModel);
  }
  if (!relocation.empty()) {
    parts.push_back(relocation);
  }
  return join(parts, ", ");
}

ArrayRef<StringRef> nacre::getABIs(const Triple &triple) {
  static constexpr StringRef kWide[] = {"lp64", "lp64f", "lp64d", "lp64e"};
  static constexpr StringRef kNarrow[] = {"ilp32", "ilp32f", "ilp32d",
                                          "ilp32e"};
  static constexpr StringRef kARM[] = {"aapcs", "aapcs-linux"};
  switch (triple.getArch()) {
  case Triple::riscv64:
    return kWide;
  case Triple::riscv32:
    return kNarrow;
  case Triple::arm:
  case Triple::thumb:
    return kARM;
  case Triple::aarch64:
    return ArrayRef(kARM).take_front();
  default:
    return {};
  }
}

ArrayRef<StringRef> nacre::getCodeModels() {
  static constexpr StringRef kAll[] = {kTiny, kSmall, kMedium, kLarge};
  return kAll;
}

ArrayRef<StringRef> nacre::getCodeModels(const Triple &triple) {
  static constexpr StringRef kOfARM[] = {kTiny, kSmall, kLarge};
  ArrayRef<StringRef> all = getCodeModels();
  switch (triple.getArch()) {
  case Triple::aarch64:
    return kOfARM;
  case Triple::riscv32:
    return all.slice(1, 2);
  case Triple::x86_64:
  case Triple::riscv64:
  case Triple::loongarch64:
  case Triple::ppc64le:
    return all.drop_front();
  default:
    return all.slice(1, 1);
  }
}

ArrayRef<StringRef> nacre::getRelocationModels() {
  static constexpr StringRef kAll[] = {kStatic, kPIC};
  return kAll;
}

StringRef nacre::getABI(const LLVMTarget &target, const CodeChoice &choice) {
  Triple triple(target.triple);
  if (!triple.isRISCV()) {
    return "";
  }
  auto has = [&](StringRef feature) {
    return hasFeature(target.triple, target.cpu, target.features, feature);
  };
  // In the order of getABIs.
  size_t usual = has("e") ? 3 : has("d") ? 2 : has("f") ? 1 : 0;
  return choice.abi.empty() ? getABIs(triple)[usual] : StringRef(choice.abi);
}

bool nacre::isForFixedAddress(const Triple &triple, const CodeChoice &choice) {
  if (!choice.relocation.empty()) {
    return choice.relocation == kStatic;
  }
  return triple.getOS() == Triple::UnknownOS &&
         (triple.isARM() || triple.isThumb() || triple.isAArch64() ||
          triple.isRISCV());
}

/// Registers of an ABI are those of the machine.
static Error checkRegisters(const LLVMTarget &target, StringRef abi) {
  auto has = [&](StringRef feature) {
    return hasFeature(target.triple, target.cpu, target.features, feature);
  };
  StringRef last = abi.take_back();
  bool needsFloats = last == "f" || last == "d";
  if (needsFloats && !has(last)) {
    return makeError("--mabi=" + abi + " passes floats in registers that '" +
                     target.cpu + "' with these features does not have; " +
                     "--mattr=+" + last + " says that it does");
  }
  if ((last == "e") != has("e")) {
    return makeError("--mabi=" + abi + " is for CPUs with " +
                     (last == "e" ? "16" : "32") + " registers, and '" +
                     target.cpu + "' has " + (last == "e" ? "32" : "16"));
  }
  return Error::success();
}

static Error checkABI(const LLVMTarget &target, StringRef abi) {
  Triple triple(target.triple);
  ArrayRef<StringRef> known = getABIs(triple);
  if (known.empty()) {
    return makeError("--mabi: '" + triple.str() +
                     "' has one ABI, which the triple says");
  }
  if (!is_contained(known, abi)) {
    bool isARM = triple.isARM() || triple.isThumb();
    return makeError("--mabi needs " + join(known, " or ") + " for '" +
                     triple.str() + "', found '" + abi + "'" +
                     (isARM ? "; --float-abi says how floats are passed" : ""));
  }
  return triple.isRISCV() ? checkRegisters(target, abi) : Error::success();
}

static Error checkCodeModel(const Triple &triple, const CodeChoice &choice) {
  ArrayRef<StringRef> known = getCodeModels(triple);
  if (!is_contained(known, choice.codeModel)) {
    return makeError("--code-model needs " + join(known, " or ") + " for '" +
                     triple.str() + "', found '" + choice.codeModel + "'");
  }
  bool isAbsolute =
      choice.codeModel == kLarge && (triple.isAArch64() || triple.isRISCV());
  if (isAbsolute && !isForFixedAddress(triple, choice)) {
    return makeError("--code-model=large has whole addresses in code for '" +
                     triple.str() +
                     "', which --relocation-model=static allows");
  }
  return Error::success();
}

Error nacre::checkCode(const LLVMTarget &target, const CodeChoice &choice) {
  if (!choice.relocation.empty() &&
      !is_contained(getRelocationModels(), choice.relocation)) {
    return makeError("--relocation-model needs " +
                     join(getRelocationModels(), " or ") + ", found '" +
                     choice.relocation + "'");
  }
  if (!choice.abi.empty()) {
    if (Error error = checkABI(target, choice.abi)) {
      return error;
    }
  }
  return choice.codeModel.empty()
             ? Error::success()
             : checkCodeModel(Triple(target.triple), choice);
}
