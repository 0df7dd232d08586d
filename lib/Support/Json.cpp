//===- Json.cpp - JSON that users give ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Json.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace nacre;

/// How deep arrays and objects are in each other, at the most.
static int64_t getDepth(llvm::StringRef text) {
  int64_t depth = 0, most = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString) {
      i += c == '\\' ? 1 : 0;
      isString = c != '"';
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return most;
}

llvm::Expected<llvm::json::Value> nacre::parseJson(llvm::StringRef text) {
  // Several times as deep as any file that nacre reads.
  constexpr int64_t kMostDepth = 64;
  if (getDepth(text) > kMostDepth) {
    return llvm::createStringError(
        "arrays and objects in each other, more than %d deep",
        static_cast<int>(kMostDepth));
  }
  return llvm::json::parse(text);
}
