//===- Text.h - Names in listings -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the printer and the parser have to agree on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_LISTING_TEXT_H
#define NACRE_LIB_LISTING_TEXT_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace nacre::listing {

/// Names of other characters are in quotes.
inline bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || llvm::StringRef("_.$/:#+-").contains(c);
}

/// The name as it is, or in quotes.
std::string quoteName(llvm::StringRef name);

} // namespace nacre::listing

#endif // NACRE_LIB_LISTING_TEXT_H
