//===- ConstantBytes.h - Constants of 8-bit integers ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of bytes and of fewer bits can be as large as a model, so their
// elements are read where they are.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_CONSTANTBYTES_H
#define NACRE_DIALECT_IE_UTILS_CONSTANTBYTES_H

#include "mlir/IR/BuiltinAttributes.h"

namespace nacre::IE {

/// The elements of a constant of 8-bit integers, with a sign or without. One
/// without data of its own (a splat) is unpacked.
class ConstantBytes {
public:
  explicit ConstantBytes(mlir::Value value);
  /// False when the value is no constant of such elements.
  explicit operator bool() const { return isValid; }
  /// The bits of an element.
  uint8_t operator[](size_t i) const { return static_cast<uint8_t>(bytes[i]); }
  size_t size() const { return bytes.size(); }
  /// The elements from `first` on that are a word, the first its lowest byte.
  uint32_t getWord(size_t first) const;

private:
  bool isValid = false;
  llvm::ArrayRef<char> bytes;
  llvm::SmallVector<char, 0> storage;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_CONSTANTBYTES_H
