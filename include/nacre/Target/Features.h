//===- Features.h - The instructions of a target ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks LLVM for them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_FEATURES_H
#define NACRE_TARGET_FEATURES_H

#include "llvm/ADT/StringRef.h"

namespace nacre {

/// True when code for `cpu` of `triple`, with "+a,-b" on top, may use the
/// feature that LLVM calls `name`.
bool hasFeature(llvm::StringRef triple, llvm::StringRef cpu,
                llvm::StringRef features, llvm::StringRef name);

/// True when that code makes f32 of f16 by an instruction: fcvtl is part of
/// AArch64, vcvtph2ps an extension.
bool extendsHalf(llvm::StringRef triple, llvm::StringRef cpu,
                 llvm::StringRef features);

} // namespace nacre

#endif // NACRE_TARGET_FEATURES_H
