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

#include "CPUCheck.h"

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// Adds NAME_run, NAME_architecture and NAME_metadata around the model's code,
/// NAME_error where it calls the runtime, and NAME_run_with_hooks where it
/// calls hooks. On x86, the first version that the CPU can run is chosen when
/// the code is loaded.
void addCInterface(llvm::Module &module, const ArtifactInfo &info,
                   llvm::ArrayRef<CodeVersion> versions);

/// Whether the machine has an operating system, which loads libraries and runs
/// threads.
bool hasSystem(const llvm::Triple &triple);

/// Whether code is linked to a fixed address: where nothing loads programs,
/// their memory has no place for a table of addresses unless somebody makes
/// one.
bool hasFixedAddress(const llvm::Triple &triple);

} // namespace nacre

#endif // NACRE_LIB_EMIT_CINTERFACE_H
