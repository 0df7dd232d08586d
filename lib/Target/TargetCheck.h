//===- TargetCheck.h - Can LLVM compile for a target? -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM ends the process, or only warns, where a target makes no sense.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TARGET_TARGETCHECK_H
#define NACRE_LIB_TARGET_TARGETCHECK_H

#include "nacre/Target/ArchDescriptor.h"

#include "llvm/TargetParser/Triple.h"

namespace llvm {
class MCSubtargetInfo;
} // namespace llvm

namespace nacre {

/// Where a target is from, which messages begin with.
enum class TargetOrigin { Descriptor, Choice };

/// What is wrong with the target of a descriptor and with the features that it
/// asks of a host, by the name of the field; success if nothing is.
llvm::Error checkTarget(const ArchDescriptor &arch,
                        TargetOrigin origin = TargetOrigin::Descriptor);

/// The same of a triple alone.
llvm::Error checkTriple(const llvm::Triple &triple, TargetOrigin origin);

/// What LLVM knows of a CPU with features; null if it has nothing for the
/// machine.
std::unique_ptr<llvm::MCSubtargetInfo>
makeSubtarget(const llvm::Triple &triple, llvm::StringRef cpu = "",
              llvm::StringRef features = "");

/// "perhaps 'WORD'; " of those among `known` that are spelled most like `word`,
/// up to three; nothing where none is alike.
std::string suggest(llvm::StringRef word,
                    llvm::ArrayRef<llvm::StringRef> known);

} // namespace nacre

#endif // NACRE_LIB_TARGET_TARGETCHECK_H
