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

namespace nacre {

/// What is wrong with the target of a descriptor and with the features that it
/// asks of a host, by the name of the field; success if nothing is.
llvm::Error checkTarget(const ArchDescriptor &arch);

/// Makes `cpu` the one that `arch` is compiled for, if LLVM knows it and it has
/// what the architecture asks of a host.
llvm::Error chooseCPU(ArchDescriptor &arch, llvm::StringRef cpu);

} // namespace nacre

#endif // NACRE_LIB_TARGET_TARGETCHECK_H
