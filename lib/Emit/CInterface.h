//===- CInterface.h - The C side of a compiled model ------------*- C++ -*-===//
//
// The functions and data a compiled model exports, and the header that declares
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_CINTERFACE_H
#define NACRE_LIB_EMIT_CINTERFACE_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// Adds NAME_run and NAME_metadata around the module's @main, which becomes
/// internal. On x86, a check of `hostFeatures` runs when the code is loaded.
void addCInterface(llvm::Module &module, const ArtifactInfo &info,
                   llvm::ArrayRef<std::string> hostFeatures);

/// The JSON text of NAME_metadata.
std::string buildMetadata(const ArtifactInfo &info);

} // namespace nacre

#endif // NACRE_LIB_EMIT_CINTERFACE_H
