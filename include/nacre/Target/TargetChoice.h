//===- TargetChoice.h - Another LLVM target than a descriptor's -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor says how a machine computes, and names one LLVM target. Options
// choose another one for it: a triple, a CPU, features, how floats are passed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_TARGETCHOICE_H
#define NACRE_TARGET_TARGETCHOICE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class Target;
class Triple;
} // namespace llvm

namespace nacre {

struct ArchDescriptor;
struct LLVMTarget;

/// What options name; what is empty is the descriptor's.
struct TargetChoice {
  std::string triple;
  std::string cpu;
  std::string features; // "+a,-b", on top of the descriptor's
  std::string floatABI; // "hard", "softfp" or "soft"

  bool isEmpty() const;

  /// As it stands behind the name of an architecture and "@":
  /// "cortex-m7:triple=thumbv7em-none-eabi:features=+a,-b:float-abi=hard".
  std::string getText() const;
  static llvm::Expected<TargetChoice> parse(llvm::StringRef text);
};

/// The name of the built-in descriptor for the CPUs of a choice with a triple:
/// of those for its machine the one that asks for most of what the CPU has, or
/// for least where no CPU is named; "generic" where there is none.
llvm::Expected<std::string> findArchName(const TargetChoice &choice);

/// Changes the target of `arch`, whose triple may be "host". Fails where LLVM
/// does not know what is named, or the architecture needs more than is left.
llvm::Error applyChoice(ArchDescriptor &arch, const TargetChoice &choice);

/// How code for a target passes floats, as TargetChoice::floatABI names it;
/// empty for machines other than ARM of 32 bits, which have one way or tell by
/// their features.
llvm::StringRef getFloatABI(const LLVMTarget &target);

/// The ways that there are.
llvm::ArrayRef<llvm::StringRef> getFloatABIs();

/// LLVM's part for a machine, with all that compiling for it takes; null if
/// there is none.
const llvm::Target *findTarget(const llvm::Triple &triple);

/// What LLVM knows, sorted: machines as triples begin with them, without those
/// that nacre does not compile for, and CPUs and features of a triple.
std::vector<llvm::StringRef> getMachineNames();
std::vector<llvm::StringRef> getCPUNames(llvm::StringRef triple);
std::vector<llvm::StringRef> getFeatureNames(llvm::StringRef triple);

/// Fails for a triple that nacre does not compile for.
llvm::Error checkTriple(llvm::StringRef triple);

} // namespace nacre

#endif // NACRE_TARGET_TARGETCHOICE_H
