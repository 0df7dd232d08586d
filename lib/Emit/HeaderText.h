//===- HeaderText.h - What generated C headers share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_HEADERTEXT_H
#define NACRE_LIB_EMIT_HEADERTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace nacre {

/// A name from a file must not end the comment that it is in, nor its line, and
/// is valid text.
std::string makeCommentSafe(llvm::StringRef text);

} // namespace nacre

#endif // NACRE_LIB_EMIT_HEADERTEXT_H
