//===- CInterface.h - The C side of a compiled model ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions and data a compiled model exports, and the header that declares
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_CINTERFACE_H
#define NACRE_LIB_EMIT_CINTERFACE_H

#include "nacre/Emit/CodeGen.h"

namespace llvm {
class Function;
class Triple;
} // namespace llvm

namespace nacre {

/// The model's code for one architecture.
struct CodeVersion {
  std::string architecture;
  /// What the CPU must have; empty where nothing can be missing.
  std::vector<std::string> features;
  llvm::Function *main;
};

/// Adds NAME_run, NAME_architecture and NAME_metadata around the model's code,
/// and NAME_error where it calls the runtime.
/// On x86, the first version that the CPU can run is chosen when the code is
/// loaded.
void addCInterface(llvm::Module &module, const ArtifactInfo &info,
                   llvm::ArrayRef<CodeVersion> versions);

/// Whether the machine has an operating system, which loads libraries and runs
/// threads.
bool hasSystem(const llvm::Triple &triple);

/// Whether code is linked to a fixed address: where nothing loads programs,
/// their memory has no place for a table of addresses unless somebody makes
/// one.
bool hasFixedAddress(const llvm::Triple &triple);

/// Whether a compiled model asks the CPU, when it is loaded, what it has.
bool canAskCPU(const llvm::Triple &triple);

/// The CPU features that it can ask for.
llvm::ArrayRef<llvm::StringRef> getCheckableFeatures();

/// The JSON text of NAME_metadata.
std::string buildMetadata(const ArtifactInfo &info);

} // namespace nacre

#endif // NACRE_LIB_EMIT_CINTERFACE_H
