//===- CodeChoice.h - How code calls and addresses --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What options say of code besides the machine that it is for: the ABI, how far
// it reaches, and whether it may be loaded anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_CODECHOICE_H
#define NACRE_TARGET_CODECHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Triple;
} // namespace llvm

namespace nacre {

struct LLVMTarget;

/// By LLVM's names; what is empty is what is usual on the machine.
struct CodeChoice {
  std::string abi;        // "lp64d"
  std::string codeModel;  // "tiny", "small", "medium" or "large"
  std::string relocation; // "static" or "pic"

  /// For people: "ABI lp64, code model medium, static".
  std::string describe() const;
};

/// The ABIs among which a machine has a choice, or the names of the one that it
/// has; empty for machines whose triple says it.
llvm::ArrayRef<llvm::StringRef> getABIs(const llvm::Triple &triple);

/// The code models of a machine, those that reach least first.
llvm::ArrayRef<llvm::StringRef> getCodeModels(const llvm::Triple &triple);

/// All that there are.
llvm::ArrayRef<llvm::StringRef> getCodeModels();
llvm::ArrayRef<llvm::StringRef> getRelocationModels();

/// The ABI of a choice, or else the usual one, on machines whose registers for
/// floats it decides on; empty on others.
llvm::StringRef getABI(const LLVMTarget &target, const CodeChoice &choice);

/// True for code that runs where it is linked to alone.
bool isForFixedAddress(const llvm::Triple &triple, const CodeChoice &choice);

/// Fails for what the target does not have, with a message that names the
/// option. The target is one that LLVM knows.
llvm::Error checkCode(const LLVMTarget &target, const CodeChoice &choice);

} // namespace nacre

#endif // NACRE_TARGET_CODECHOICE_H
