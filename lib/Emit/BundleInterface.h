//===- BundleInterface.h - The C side of a bundle ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function and the table that a bundle's object exports.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_BUNDLEINTERFACE_H
#define NACRE_LIB_EMIT_BUNDLEINTERFACE_H

#include "CPUCheck.h"

#include "nacre/Emit/Bundle.h"

#include "llvm/Support/Error.h"

namespace nacre {

/// Adds the bundle's function around the model's code, which asks the CPU what
/// it has where that can be too little, and NAME_config where the options ask
/// for a table. An error says what the model has that a bundle cannot.
llvm::Error addBundleInterface(llvm::Module &module, const ArtifactInfo &info,
                               const BundleOptions &options,
                               llvm::ArrayRef<CodeVersion> versions);

} // namespace nacre

#endif // NACRE_LIB_EMIT_BUNDLEINTERFACE_H
