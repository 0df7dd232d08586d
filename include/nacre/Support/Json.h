//===- Json.h - JSON that users give ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_JSON_H
#define NACRE_SUPPORT_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace nacre {

/// Parses what comes from a file. LLVM's parser calls itself for each array and
/// object in another one, without a limit: text that nests them too deep for
/// the stack is an error here.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace nacre

#endif // NACRE_SUPPORT_JSON_H
